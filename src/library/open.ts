import { invalidFiles } from './errors.ts';
import { uploadsForApply, type ApplyUploadPorts } from '../acts/upload/for-apply.ts';
import type { EventStore } from '../events/store.ts';
import type { ExamineMedia } from '../domain/media.ts';
import type { ByteFiles, Clock } from '../domain/ports.ts';
import type { BeginUploads } from '../domain/uploads.ts';
import type { ServiceSettings } from '../domain/workspace.ts';
import type { Subject } from '../engine/look.ts';
import type { Run, RunEvent } from '../engine/run.ts';
import { loadDeclared } from '../workspace/load.ts';
import { connect, type ConnectPorts, type Connected } from './connect.ts';
import { LocalMedia } from './local-media.ts';
import type { StateAccess } from './state-access.ts';

/** What runs of a workspace need next to its files and its connection. */
export interface RunPorts {
  readonly clock: Clock;
  readonly state: StateAccess;
  /** Aborted by the first interrupt: the request in flight ends, and no other begins. */
  readonly interrupted: AbortSignal;
  /** How long an apply waits for the lease of another run, in milliseconds. */
  readonly lockTimeoutMs: number;
  /** Called with the progress of a run. It must return immediately. */
  readonly report: (event: RunEvent) => void;
}

/** All ports for runs of a workspace. */
export interface WorkspacePorts extends RunPorts, ConnectPorts {
  readonly bytes: ByteFiles;
  /** The events that a receiver has stored. */
  readonly events: EventStore;
  /** Shows the progress of uploads. */
  readonly followUpload: ApplyUploadPorts['follow'];
}

/** The files of a workspace, with a connection to its service. */
export interface Opened extends Subject {
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
  const { client, putBytes } = await connecting(workspace.service);
  const findFile = (path: string) => media.fileOf(path);
  return {
    workspace,
    declared,
    placeOf,
    warnings,
    digestNow: async () => {
      const now = await load();
      return now.kind === 'invalid' ? null : now.workspace.digest();
    },
    client,
    examineMedia: media.examine,
    uploads: (run) => uploadsForApply(run, { bytes, putBytes, random, findFile, follow }),
    accountIds: new Map(),
    unseen: new Map(),
  };
}
