import { uploadsForApply } from '../acts/upload/upload.ts';
import { createClient, type Client } from '../api/client.ts';
import { connectOverHttp } from '../api/connect.ts';
import { ApiKey } from '../api/key.ts';
import { Limiter } from '../api/limiter.ts';
import type { BeginUploads, ExamineMedia } from '../domain/media.ts';
import type { PutBytes } from '../domain/ports.ts';
import { EMBEDDED_BASE_URL, type ServiceIdentity, worldOrigin } from '../domain/service-identity.ts';
import { SERVICE_DEFAULTS, type Workspace, type WorkspaceSettings } from '../domain/workspace.ts';
import type { Subject } from '../engine/look.ts';
import type { Run } from '../engine/run.ts';
import { loadDeclared, requireValid } from '../workspace/load.ts';
import { examineOnce } from './media.ts';
import type { WorkspacePorts } from './ports.ts';

/** The settings of a workspace, and a connection to its service and to the object store of its presigned URLs. */
export interface Service {
  readonly client: Client;
  readonly putBytes: PutBytes;
  readonly ports: WorkspacePorts;
  readonly workspace: WorkspaceSettings;
}

/** The service, as an answer may have corrected it: it tells whether it is a simulator. */
export function identifyService({ workspace, client }: Service): ServiceIdentity {
  const { identity } = workspace.service;
  return { ...identity, simulator: identity.simulator || client.isSimulator() };
}

/**
 * Connects to the workspace's service: over HTTP, or to the embedded simulator. Sends nothing. Throws `HeraldError`
 * without a usable key, proxy or world, or if the service may not get the key.
 */
export async function connect(ports: WorkspacePorts, workspace: WorkspaceSettings): Promise<Service> {
  const { service } = workspace;
  const { putBytes, ...connection } =
    service.target.kind === 'http'
      ? await connectOverHttp(ports, service, service.target.baseUrl)
      : await connectToWorld(ports, service.target.worldFile);
  const { onChange, log } = ports;
  const client = createClient({
    ...connection,
    fetch: (request, row) => {
      if (row.writes) onChange?.();
      return connection.fetch(request, row);
    },
    listStyle: service.listStyle,
    timeoutMs: service.requestTimeoutSec * 1000,
    rates: ports.rateBudget?.(service.rateShare) ?? new Limiter(ports.clock, service.rateShare),
    clock: ports.clock,
    random: ports.random,
    log: (line) => log?.(line),
  });
  return { client, putBytes, ports, workspace };
}

/** The files of a workspace, with a connection to its service. */
export interface Opened extends Subject, Service {
  readonly workspace: Workspace;
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
  const loaded = requireValid(await load());
  const service = await connect(ports, loaded.workspace);
  const { putBytes } = service;
  return {
    ...service,
    ...loaded,
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

async function connectToWorld({ files, clock, random }: WorkspacePorts, worldFile: string) {
  const { openEmbedded } = await import('../simulator/embedded.ts');
  const { worldId, key, ...rest } = await openEmbedded(files, worldFile, { clock, random });
  const address = worldOrigin(worldFile, worldId);
  const { authHeader } = SERVICE_DEFAULTS;
  return { ...rest, address, baseUrl: EMBEDDED_BASE_URL, authHeader, key: new ApiKey(key) };
}
