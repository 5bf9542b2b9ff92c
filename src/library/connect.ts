import { BlockList, isIP } from 'node:net';
import { uploadsForApply } from '../acts/upload/upload.ts';
import { createClient, type Client, type ClientOptions } from '../api/client.ts';
import { ApiKey } from '../api/key.ts';
import { Limiter } from '../api/limiter.ts';
import { formatCommand } from '../domain/command-line.ts';
import type { BeginUploads, ExamineMedia } from '../domain/media.ts';
import type { PutBytes } from '../domain/ports.ts';
import {
  EMBEDDED_BASE_URL,
  isLoopback,
  type ServiceIdentity,
  worldOrigin,
} from '../domain/service-identity.ts';
import { SERVICE_DEFAULTS, type ServiceSettings, type WorkspaceSettings } from '../domain/workspace.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { Subject } from '../engine/look.ts';
import type { Run } from '../engine/run.ts';
import { loadDeclared, requireValid } from '../workspace/load.ts';
import { examineOnce } from './media.ts';
import type { WorkspacePorts } from './ports.ts';
import { splitList } from '../workspace/workspace.ts';

type Connection = Required<Pick<ClientOptions, 'address' | 'baseUrl' | 'key' | 'authHeader' | 'fetch'>> &
  Pick<Service, 'putBytes'>;

/** The settings of a workspace, and a connection to its service and to the object store of its presigned URLs. */
export interface Service {
  readonly client: Client;
  readonly putBytes: PutBytes;
  readonly ports: WorkspacePorts;
  readonly settings: WorkspaceSettings;
}

/** The service, as an answer may have corrected it: it tells whether it is a simulator. */
export function identifyService({ settings, client }: Service): ServiceIdentity {
  const { identity } = settings.service;
  return { ...identity, simulator: identity.simulator || client.isSimulator() };
}

/**
 * Connects to the workspace's service: over HTTP, or to the embedded simulator. Sends nothing. Throws `HeraldError`
 * without a usable key, proxy or world, or if the service may not get the key.
 */
export async function connect(ports: WorkspacePorts, settings: WorkspaceSettings): Promise<Service> {
  const { service } = settings;
  const { putBytes, ...connection } =
    service.target.kind === 'http'
      ? await overHttp(ports, service, service.target.baseUrl)
      : await embedded(ports, service.target.worldFile);
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
  return { client, putBytes, ports, settings };
}

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

async function overHttp(
  ports: WorkspacePorts,
  service: ServiceSettings,
  baseUrl: string,
): Promise<Connection> {
  await requireTrustedOrigin(ports, service, new URL(baseUrl));
  refuseBrokenProxy(ports.env, new URL(baseUrl));
  const key = await readKey(ports);
  refuseKeyInAddress(key, baseUrl);
  const fetch = ports.network ?? (await import('../api/transport.ts')).createTransport();
  const { authHeader } = service;
  return { address: baseUrl, baseUrl, key, authHeader, fetch, putBytes: overSockets() };
}

/**
 * Throws unless the operator allows the service to get the key. Anyone who can open a pull request can change
 * `herald.yaml`, so its address alone is not enough.
 */
async function requireTrustedOrigin(
  { env, mayReceiveKey }: WorkspacePorts,
  { identity }: ServiceSettings,
  url: URL,
): Promise<void> {
  if (identity.source !== 'herald.yaml' || isLoopback(url)) return;
  if (splitList(env['HERALD_ALLOWED_ORIGINS']).map(parseOrigin).includes(url.origin)) return;
  if (await mayReceiveKey(url.origin)) return;
  throw new HeraldError(
    'untrusted-origin',
    `The API key was not sent to ${url.origin}, because you have not trusted this address yet.`,
    `If the address is correct, run ${formatCommand('trust', url.origin)}. In CI, set HERALD_ALLOWED_ORIGINS=${url.origin} or HERALD_BASE_URL.`,
  );
}

/** The origin of an address, or the text itself if it is not an address. */
export function parseOrigin(text: string): string {
  return URL.canParse(text) ? new URL(text).origin : text;
}

/** Plans and messages show the address, so it must not have the key. */
function refuseKeyInAddress(key: ApiKey, baseUrl: string): void {
  // A key that is too short for the mask is found as it is.
  if (!baseUrl.includes(key.reveal()) && key.maskIn(baseUrl) === baseUrl) return;
  throw new HeraldError(
    'key-in-address',
    'The address of the service contains the API key.',
    'Remove it from service.base_url or HERALD_BASE_URL: Herald sends the key in a header. Nothing was sent.',
  );
}

const FIX_PROXY = 'Fix its value, or unset it. Nothing was sent.';

/** The transport would fail with a stack trace. It opens both proxies, whichever is used, and knows no ranges of addresses. */
function refuseBrokenProxy(env: WorkspacePorts['env'], { host, hostname }: URL): void {
  const read = (name: string) => env[name.toLowerCase()] ?? env[name] ?? '';
  const proxies = ['HTTP_PROXY', 'HTTPS_PROXY'].filter((name) => read(name) !== '');
  for (const name of proxies)
    if (!/^https?:\/\//i.test(read(name)) || !URL.canParse(read(name)))
      throw new HeraldError(
        'bad-proxy',
        `${name} cannot be used: it is not an address such as http://host:port.`,
        FIX_PROXY,
      );
  const entries = read('NO_PROXY').split(/[,\s]+/);
  const address = hostname.replace(/^\[|\]$/g, '');
  if (proxies.length === 0 || entries.some((entry) => ['*', host, hostname].includes(entry))) return;
  const range = entries.find((entry) => isRangeWith(entry, address));
  if (range !== undefined)
    throw new HeraldError(
      'bad-proxy',
      `NO_PROXY has ${range}, and a range of addresses has no effect. Write ${hostname} itself.`,
      FIX_PROXY,
    );
}

/** Whether `10.0.0.0/8` is about this address. */
function isRangeWith(entry: string, address: string): boolean {
  const version = isIP(address);
  const [, network = '', bits = ''] = /^(.+)\/(\d+)$/.exec(entry) ?? [];
  if (version === 0 || isIP(network) !== version || Number(bits) > (version === 4 ? 32 : 128)) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const range = new BlockList();
  range.addSubnet(network, Number(bits), family);
  return range.check(address, family);
}

async function embedded({ files, clock, random }: WorkspacePorts, worldFile: string): Promise<Connection> {
  const { openEmbedded } = await import('../simulator/embedded.ts');
  const { worldId, key, ...rest } = await openEmbedded(files, worldFile, { clock, random });
  const address = worldOrigin(worldFile, worldId);
  const { authHeader } = SERVICE_DEFAULTS;
  return { ...rest, address, baseUrl: EMBEDDED_BASE_URL, authHeader, key: new ApiKey(key) };
}

/** Loaded with the first put, because most runs do not need it. */
function overSockets(): PutBytes {
  let transport: Promise<PutBytes> | null = null;
  return async (put) => {
    transport ??= import('../api/transport.ts').then((loaded) => loaded.createPresignedTransport());
    return (await transport)(put);
  };
}

const KEY_HINT = 'Set the variable HERALD_API_KEY, or use --api-key-file FILE.';

async function readKey({ readKey: read }: WorkspacePorts): Promise<ApiKey> {
  const text = await read();
  if (text === undefined || text.trim() === '') throw new HeraldError('no-api-key', 'No API key.', KEY_HINT);
  try {
    return new ApiKey(text);
  } catch (error) {
    throw new HeraldError('bad-api-key', `The API key is not valid: ${(error as Error).message}.`, KEY_HINT);
  }
}
