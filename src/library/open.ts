import type { BeginUploads, ExamineMedia } from '../domain/media.ts';
import type { Subject } from '../engine/look.ts';
import type { Run } from '../engine/run.ts';
import { loadDeclared, requireValid } from '../workspace/load.ts';
import { connect, type Service } from './connect.ts';
import { examineOnce } from './media.ts';
import type { WorkspacePorts } from './ports.ts';
import { uploadsForApply } from '../acts/upload/upload.ts';

/** The files of a workspace, with a connection to its service. */
export interface Opened extends Subject, Service {
  /** The digest of the files as they are by now; null if they are not valid any more. */
  readonly digestNow: () => Promise<string | null>;
  /** Checks a media file, once per run. */
  readonly examineMedia: ExamineMedia;
  /** Uploads declared files to vaults. */
  readonly uploads: (run: Run) => BeginUploads;
}

/** Loads the files and connects. Sends nothing. `draft` is one more file, with broadcasts that are sent at once. */
export async function openFiles(ports: WorkspacePorts, draft?: string): Promise<Opened> {
  const { files, bytes, env, interrupted, random, followUpload: follow } = ports;
  const media = examineOnce(bytes, interrupted, 'read');
  const load = () =>
    loadDeclared(files, { env, media: media.examine, ...(draft === undefined ? {} : { draft }) });
  const { workspace, declared, placeOf, warnings } = requireValid(await load());
  const service = await connect(ports, workspace);
  const { putBytes } = service;
  return {
    ...service,
    workspace,
    declared,
    placeOf,
    warnings,
    digestNow: async () => {
      const now = await load();
      return now.kind === 'invalid' ? null : now.workspace.digest();
    },
    examineMedia: media.examine,
    uploads: (run) => uploadsForApply(run, { bytes, putBytes, random, findFile: media.findFile, follow }),
    accountIds: new Map(),
    unseen: new Map(),
  };
}
