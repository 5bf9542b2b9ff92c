import { uploadsForApply } from '../acts/upload/for-apply.ts';
import type { ExamineMedia } from '../domain/media.ts';
import type { BeginUploads } from '../domain/uploads.ts';
import type { ServiceSettings } from '../domain/workspace.ts';
import type { Subject } from '../engine/look.ts';
import type { Run } from '../engine/run.ts';
import { loadDeclared } from '../workspace/load.ts';
import { connect, type Connected, type Service } from './connect.ts';
import { invalidFiles } from './errors.ts';
import { LocalMedia } from './local-media.ts';
import type { WorkspacePorts } from './ports.ts';

/** The files of a workspace, with a connection to its service. */
export interface Opened extends Subject, Service {
  /** The digest of the files as they are by now; null if they are not valid any more. */
  readonly digestNow: () => Promise<string | null>;
  /** Checks a media file, once per run. */
  readonly examineMedia: ExamineMedia;
  /** Uploads declared files to vaults. */
  readonly uploads: (run: Run) => BeginUploads;
}

/** Loads the files and connects. Sends nothing. Throws `invalid-files` or `HeraldError`. */
export async function openFiles(
  ports: WorkspacePorts,
  {
    connecting = (service) => connect(ports, service),
    draft,
  }: {
    readonly connecting?: ((service: ServiceSettings) => Promise<Connected>) | undefined;
    /** One more file, with broadcasts that are sent at once. */
    readonly draft?: string | undefined;
  } = {},
): Promise<Opened> {
  const { files, bytes, env, interrupted, random, followUpload: follow } = ports;
  const media = new LocalMedia(bytes, interrupted, 'read');
  const load = () =>
    loadDeclared(files, { env, media: media.examine, ...(draft === undefined ? {} : { draft }) });
  const loaded = await load();
  if (loaded.kind === 'invalid') throw invalidFiles(loaded.diagnostics);
  const { workspace, declared, placeOf, warnings } = loaded;
  const connected = await connecting(workspace.service);
  const { putBytes } = connected;
  const findFile = (path: string) => media.fileOf(path);
  return {
    ...connected,
    ports,
    settings: workspace,
    workspace,
    declared,
    placeOf,
    warnings,
    digestNow: async () => {
      const now = await load();
      return now.kind === 'invalid' ? null : now.workspace.digest();
    },
    examineMedia: media.examine,
    uploads: (run) => uploadsForApply(run, { bytes, putBytes, random, findFile, follow }),
    accountIds: new Map(),
    unseen: new Map(),
  };
}
