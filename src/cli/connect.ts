import { createClient, type Client } from '../api/client.ts';
import { ApiKey } from '../api/key.ts';
import { proxyRoute } from '../api/proxy.ts';
import type { Context } from './context.ts';
import type { Fetch, PutBytes } from '../domain/ports.ts';
import type { ServiceSettings } from '../domain/workspace.ts';
import { shown, visible, visibleProse } from '../domain/visible.ts';
import { addressOf } from '../ledger/origins.ts';
import { CommandError } from './failure.ts';
import { requireTrustedOrigin } from './trusted-origin.ts';

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

/** A client for the workspace's service: over HTTP, or the simulator embedded in this process. */
export async function connect(context: Context, service: ServiceSettings): Promise<Client> {
  return (await connectWithStore(context, service)).client;
}

/** The same with a way to its object store, for uploads. */
export async function connectWithStore(context: Context, service: ServiceSettings): Promise<Connected> {
  const { putBytes, ...connection } =
    service.target.kind === 'http'
      ? await overHttp(context, service, service.target.baseUrl)
      : await embedded(context, service.target.worldFile);
  const client = createClient({
    ...connection,
    fetch: (request, row) => {
      if (row.writes) context.onChange?.();
      return context.output.awaiting(connection.fetch(request, row));
    },
    address: addressOf(service.target),
    timeoutMs: service.requestTimeoutSec * 1000,
    rateShare: service.rateShare,
    clock: context.clock,
    random: context.random,
    log: (line) => {
      if (context.flags.verbose) context.output.say(visible(line));
    },
    warn: (sentence) => context.output.say(shown`warning: ${visibleProse(sentence)}`),
  });
  return { client, putBytes: logged(context, putBytes) };
}

async function overHttp(context: Context, service: ServiceSettings, baseUrl: string): Promise<Connection> {
  await requireTrustedOrigin(context, service);
  refuseBrokenProxy(context, baseUrl);
  const key = await readKey(context);
  refuseKeyInAddress(key, baseUrl);
  const fetch = context.network ?? (await import('../api/transport.ts')).createTransport();
  return { baseUrl, key, authHeader: service.authHeader, fetch, putBytes: overSockets() };
}

/** Plans and messages show the address. */
function refuseKeyInAddress(key: ApiKey, baseUrl: string): void {
  if (!URL.canParse(baseUrl) || !new URL(baseUrl).pathname.split('/').includes(key.reveal())) return;
  throw new CommandError(
    'key-in-address',
    'The address of the service contains the API key.',
    'Remove it from service.base_url or HERALD_BASE_URL: Herald sends the key in a header. Nothing was sent.',
  );
}

/** The transport would end in a stack trace. A bad address is refused later, in its own words. */
function refuseBrokenProxy({ env }: Context, baseUrl: string): void {
  if (!URL.canParse(baseUrl)) return;
  const route = proxyRoute(baseUrl, env);
  if (route.kind === 'broken')
    throw new CommandError(
      'bad-proxy',
      `The proxy of ${route.variable} cannot be used: ${route.why}.`,
      'Correct it, or unset it. Nothing was sent.',
    );
}

async function embedded(context: Context, worldFile: string): Promise<Connection> {
  const { openEmbedded } = await import('../simulator/embedded.ts');
  const open = async () => {
    const simulator = await openEmbedded(context.files, worldFile, context.clock);
    // A world may hold a key that is none.
    return { ...simulator, key: new ApiKey(simulator.key) };
  };
  const simulator = await open().catch((error: unknown) => {
    throw new CommandError(
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
function logged({ flags, output }: Context, putBytes: PutBytes): PutBytes {
  if (!flags.verbose) return putBytes;
  return async (put) => {
    const answer = await putBytes(put);
    output.say(shown`PUT ${withoutQuery(put.url)} (${put.length} bytes) -> ${answer.status}`);
    return answer;
  };
}

/** The query of a presigned address is a secret, and so is who may come in. */
function withoutQuery(url: string): string {
  if (!URL.canParse(url)) return 'an address that cannot be read';
  const { origin, pathname, search } = new URL(url);
  return visible(origin + pathname + (search === '' ? '' : '?…'));
}

/** Loaded with the first put: most commands send none. */
function overSockets(): PutBytes {
  let transport: Promise<PutBytes> | null = null;
  return async (put) => {
    transport ??= import('../api/presigned-transport.ts').then((loaded) => loaded.createPresignedTransport());
    return (await transport)(put);
  };
}

async function readKey(context: Context): Promise<ApiKey> {
  const { apiKeyFile } = context.flags;
  const text =
    apiKeyFile === undefined ? context.env['HERALD_API_KEY'] : await readKeyFile(context, apiKeyFile);
  const hint =
    'Put the key into the environment variable HERALD_API_KEY, or into a file named with --api-key-file.';
  context.output.hide(text ?? '');
  if (text === undefined || text.trim() === '')
    throw new CommandError('no-api-key', 'There is no API key.', hint);
  try {
    return new ApiKey(text);
  } catch (error) {
    throw new CommandError('bad-api-key', `The API key cannot be used: ${(error as Error).message}.`, hint);
  }
}

async function readKeyFile(context: Context, path: string): Promise<string> {
  try {
    return await context.typed.files.readText(path);
  } catch (error) {
    throw new CommandError(
      'no-api-key',
      `The API key file ${path} cannot be read: ${(error as Error).message}.`,
      null,
    );
  }
}
