import { createClient, type Client } from '../api/client.ts';
import { ApiKey } from '../api/key.ts';
import { proxyRoute } from '../api/proxy.ts';
import type { Clock, Fetch, Files, PutBytes } from '../domain/ports.ts';
import { isLoopback } from '../domain/service-identity.ts';
import type { ServiceSettings } from '../domain/workspace.ts';
import { addressOf } from '../ledger/origins.ts';
import { wordsOf } from '../workspace/environment.ts';
import { SetupError } from './errors.ts';

/** What a connection to the service needs from outside. */
export interface ConnectPorts {
  readonly clock: Clock;
  readonly files: Files;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Stands in for the network; requests go over sockets where it is missing. */
  readonly network?: Fetch;
  /** The API key, or undefined where there is none. Asked once, and not for an embedded simulator. */
  readonly readKey: () => Promise<string | undefined>;
  /** Whether the operator lets this origin have the key, which only herald.yaml names. */
  readonly mayReceiveKey: (origin: string) => Promise<boolean>;
  /** Told right before a request leaves that changes something. */
  readonly onWrite?: () => void;
  /** Passes an answer on; a program may show that it is waiting for it. */
  readonly awaiting?: <Result>(answer: Promise<Result>) => Promise<Result>;
  /** Hears a line for each request, without secrets. */
  readonly log?: (line: string) => void;
  /** Hears what the user should know of the requests, a sentence each. */
  readonly warn?: (sentence: string) => void;
}

interface Connection {
  readonly baseUrl: string;
  readonly key: ApiKey;
  readonly authHeader: string;
  readonly fetch: Fetch;
  readonly putBytes: PutBytes;
}

/** Ways to the service and to the object store behind its presigned addresses. */
export interface Connected {
  readonly client: Client;
  readonly putBytes: PutBytes;
}

/**
 * Connects to the workspace's service: over HTTP, or to the simulator embedded in this process. Sends nothing. Throws
 * `SetupError` where there is no usable key, proxy or world, or where the key may not go to the service.
 */
export async function connect(ports: ConnectPorts, service: ServiceSettings): Promise<Connected> {
  const { putBytes, ...connection } =
    service.target.kind === 'http'
      ? await overHttp(ports, service, service.target.baseUrl)
      : await embedded(ports, service.target.worldFile);
  const { awaiting, onWrite, log, warn } = ports;
  const client = createClient({
    ...connection,
    fetch: (request, row) => {
      if (row.writes) onWrite?.();
      const answer = connection.fetch(request, row);
      return awaiting === undefined ? answer : awaiting(answer);
    },
    address: addressOf(service.target),
    timeoutMs: service.requestTimeoutSec * 1000,
    rateShare: service.rateShare,
    clock: ports.clock,
    random: ports.random,
    log: (line) => log?.(line),
    warn: (sentence) => warn?.(sentence),
  });
  return { client, putBytes: log === undefined ? putBytes : logged(log, putBytes) };
}

async function overHttp(ports: ConnectPorts, service: ServiceSettings, baseUrl: string): Promise<Connection> {
  await requireTrustedOrigin(ports, service, baseUrl);
  refuseBrokenProxy(ports, baseUrl);
  const key = await readKey(ports);
  refuseKeyInAddress(key, baseUrl);
  const fetch = ports.network ?? (await import('../api/transport.ts')).createTransport();
  return { baseUrl, key, authHeader: service.authHeader, fetch, putBytes: overSockets() };
}

/**
 * Throws unless the operator has said that the key may go to this service. `herald.yaml` may come from anyone who can
 * open a pull request, so its address alone is not enough.
 */
async function requireTrustedOrigin(
  { env, mayReceiveKey }: ConnectPorts,
  { identity }: ServiceSettings,
  baseUrl: string,
): Promise<void> {
  if (identity.source !== 'herald.yaml' || !URL.canParse(baseUrl)) return;
  const url = new URL(baseUrl);
  if (isLoopback(url)) return;
  if (wordsOf(env['HERALD_ALLOWED_ORIGINS']).map(originOf).includes(url.origin)) return;
  if (await mayReceiveKey(url.origin)) return;
  throw new SetupError(
    'untrusted-origin',
    `The API key may not be sent to ${url.origin}: only herald.yaml names this address. Nothing was sent.`,
    `If it is right, run herald trust ${url.origin}. In CI set HERALD_ALLOWED_ORIGINS=${url.origin} or HERALD_BASE_URL.`,
  );
}

/** The origin of an address, or the text itself if it is not an address. */
export function originOf(text: string): string {
  return URL.canParse(text) ? new URL(text).origin : text;
}

/** Plans and messages show the address. */
function refuseKeyInAddress(key: ApiKey, baseUrl: string): void {
  if (!URL.canParse(baseUrl) || !new URL(baseUrl).pathname.split('/').includes(key.reveal())) return;
  throw new SetupError(
    'key-in-address',
    'The address of the service contains the API key.',
    'Remove it from service.base_url or HERALD_BASE_URL: Herald sends the key in a header. Nothing was sent.',
  );
}

/** The transport would end in a stack trace. A bad address is refused later, in its own words. */
function refuseBrokenProxy({ env }: ConnectPorts, baseUrl: string): void {
  if (!URL.canParse(baseUrl)) return;
  const route = proxyRoute(baseUrl, env);
  if (route.kind === 'broken')
    throw new SetupError(
      'bad-proxy',
      `The proxy of ${route.variable} cannot be used: ${route.why}.`,
      'Correct it, or unset it. Nothing was sent.',
    );
}

async function embedded({ files, clock }: ConnectPorts, worldFile: string): Promise<Connection> {
  const { openEmbedded } = await import('../simulator/embedded.ts');
  const open = async () => {
    const simulator = await openEmbedded(files, worldFile, clock);
    // The key of a world may be one that no header can carry.
    return { ...simulator, key: new ApiKey(simulator.key) };
  };
  const simulator = await open().catch((error: unknown) => {
    throw new SetupError(
      'bad-world',
      `The simulator cannot start: ${(error as Error).message}`,
      'Remove the file to begin a new world.',
    );
  });
  return {
    baseUrl: 'http://simulator.invalid',
    key: simulator.key,
    authHeader: simulator.authHeader,
    fetch: simulator.fetch,
    putBytes: simulator.putBytes,
  };
}

/** One line for each put that was answered. */
function logged(log: (line: string) => void, putBytes: PutBytes): PutBytes {
  return async (put) => {
    const answer = await putBytes(put);
    log(`PUT ${withoutQuery(put.url)} (${put.length} bytes) -> ${answer.status}`);
    return answer;
  };
}

/** The query of a presigned address is a secret, and so is the user name or password in front of its host. */
function withoutQuery(url: string): string {
  if (!URL.canParse(url)) return 'an address that cannot be read';
  const { origin, pathname, search } = new URL(url);
  return origin + pathname + (search === '' ? '' : '?…');
}

/** Loaded with the first put: most runs send none. */
function overSockets(): PutBytes {
  let transport: Promise<PutBytes> | null = null;
  return async (put) => {
    transport ??= import('../api/presigned-transport.ts').then((loaded) => loaded.createPresignedTransport());
    return (await transport)(put);
  };
}

const KEY_HINT =
  'Put the key into the environment variable HERALD_API_KEY, or into a file named with --api-key-file.';

async function readKey({ readKey: read }: ConnectPorts): Promise<ApiKey> {
  const text = await read();
  if (text === undefined || text.trim() === '')
    throw new SetupError('no-api-key', 'There is no API key.', KEY_HINT);
  try {
    return new ApiKey(text);
  } catch (error) {
    throw new SetupError('bad-api-key', `The API key cannot be used: ${(error as Error).message}.`, KEY_HINT);
  }
}
