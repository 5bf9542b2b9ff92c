import type { EventStore } from '../domain/event-store.ts';
import type { ByteFiles } from '../domain/ports.ts';
import type { ServiceSettings } from '../domain/workspace.ts';
import { Ages } from '../ledger/ages.ts';
import { LedgerReader } from '../ledger/reader.ts';
import { uploadsForApply, type ApplyUploadPorts } from '../operations/upload/for-apply.ts';
import { LocalMedia } from '../operations/upload/local-media.ts';
import type { ReconcilePorts } from '../reconcile/ports.ts';
import type { Opened } from '../reconcile/source.ts';
import { loadDeclared } from '../workspace/load.ts';
import { connect, type ConnectPorts, type Connected } from './connect.ts';
import { InvalidFilesError } from './errors.ts';

/** All ports for runs of a workspace. */
export interface WorkspacePorts
  extends ReconcilePorts, ConnectPorts, Pick<ApplyUploadPorts, 'openBoard' | 'onLedgerRead'> {
  readonly bytes: ByteFiles;
  /** The events that a receiver has stored. */
  readonly events: EventStore;
}

/** Loads the files and connects. Sends nothing. Throws `InvalidFilesError` or `SetupError`. */
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
  const { clock, files, state, bytes, env, interrupted } = ports;
  const media = new LocalMedia(bytes, interrupted, 'read');
  const load = () =>
    loadDeclared(files, { env, media: media.examine, ...(draft === undefined ? {} : { draft }) });
  const loaded = await load();
  if (loaded.kind === 'invalid') throw new InvalidFilesError(loaded.diagnostics);
  const { workspace, declared, placeOf, warnings } = loaded;
  const { client, putBytes } = await connecting(workspace.service);
  const settleMs = workspace.service.settleSec * 1000;
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
    uploads: (ledger) => uploadsForApply({ ...ports, client, putBytes, media, settleMs }, ledger),
    ages: new Ages(clock, client),
    reader: new LedgerReader(state.ledger, client.address),
    accountIds: new Map(),
    unseen: new Map(),
  };
}
