import { createClient, type Client } from '../api/client.ts';
import { ApiKey } from '../api/key.ts';
import type { Fetch } from '../api/request.ts';
import type { Context } from '../context.ts';
import type { ServiceSettings } from '../domain/workspace.ts';
import { CommandError } from './failure.ts';

interface Connection {
  readonly baseUrl: string;
  readonly key: ApiKey;
  readonly authHeader: string;
  readonly fetch: Fetch;
}

/** A client for the workspace's service: over HTTP, or the simulator embedded in this process. */
export async function connect(context: Context, service: ServiceSettings): Promise<Client> {
  const connection =
    service.target.kind === 'http'
      ? await overHttp(context, service, service.target.baseUrl)
      : await embedded(context, service.target.worldFile);
  return createClient({
    ...connection,
    timeoutMs: service.requestTimeoutSec * 1000,
    rateShare: service.rateShare,
    clock: context.clock,
    random: context.random,
    log: (line) => {
      if (context.flags.verbose) context.output.say(line);
    },
  });
}

async function overHttp(context: Context, service: ServiceSettings, baseUrl: string): Promise<Connection> {
  const key = await readKey(context);
  const { createTransport } = await import('../api/transport.ts');
  return { baseUrl, key, authHeader: service.authHeader, fetch: createTransport() };
}

async function embedded(context: Context, worldFile: string): Promise<Connection> {
  const { openEmbedded } = await import('../simulator/embedded.ts');
  const simulator = await openEmbedded(context.files, worldFile, context.clock).catch((error: unknown) => {
    throw new CommandError(
      'bad-world',
      `The simulator cannot start: ${(error as Error).message}`,
      'Remove the file to begin a new world.',
    );
  });
  return {
    baseUrl: 'http://simulator.invalid',
    key: new ApiKey(simulator.key),
    authHeader: simulator.authHeader,
    fetch: simulator.fetch,
  };
}

async function readKey(context: Context): Promise<ApiKey> {
  const { apiKeyFile } = context.flags;
  const text =
    apiKeyFile === undefined ? context.env['HERALD_API_KEY'] : await readKeyFile(context, apiKeyFile);
  const hint =
    'Put the key into the environment variable HERALD_API_KEY, or into a file named with --api-key-file.';
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
    return await context.files.readText(path);
  } catch (error) {
    throw new CommandError(
      'no-api-key',
      `The API key file ${path} cannot be read: ${(error as Error).message}.`,
      null,
    );
  }
}
