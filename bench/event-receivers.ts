import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { heraldScript } from './herald.ts';

const PATH_SECRET = 'the-secret-of-the-bench';

/** A receiver in another process. */
export interface Receiver {
  readonly url: string;
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

/** `database` is the address of the database, or null for SQLite. */
export async function startHerald(directory: string, database: string | null): Promise<Receiver> {
  const flags = ['--port', '0', '--reconcile-every', '0'];
  return started([heraldScript(), '-C', directory, 'events', 'listen', ...flags], database);
}

/** A receiver that does nothing but store. */
export async function startBare(directory: string, database: string | null): Promise<Receiver> {
  const store = database === null ? ['files', directory] : ['postgres', database];
  return started([await built('bench/events-bare.ts'), ...store], database);
}

async function started(args: readonly string[], database: string | null): Promise<Receiver> {
  const { NODE_EXTRA_CA_CERTS: _certificates, ...inherited } = process.env;
  const child = spawn(process.execPath, args, {
    env: {
      ...inherited,
      HERALD_API_KEY: 'sim-key',
      HERALD_EVENTS_PATH_SECRET: PATH_SECRET,
      ...(database === null ? {} : { HERALD_STATE_URL: database }),
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('the receiver did not start');
  const closed = once(child, 'close');
  const over = closed.then(([code]) => {
    throw new Error(`the receiver ended with ${String(code)}`);
  });
  // It is waited for in other places, too.
  over.catch(() => undefined);
  const [said] = await Promise.race([once(child.stdout, 'data') as Promise<[Buffer]>, over]);
  child.stdout.resume();
  const [url = ''] = /http:\S+/.exec(String(said)) ?? [];
  return {
    // Herald does not print the secret.
    url: url.replace('***', PATH_SECRET),
    pid,
    stop: async () => {
      child.kill('SIGTERM');
      await closed;
    },
  };
}

/** Bundled next to the dependencies, so that it finds them, and run without another process around it. */
async function built(entry: string): Promise<string> {
  const folder = mkdtempSync(join('node_modules', '.run-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(process.cwd(), folder, entry.replace(/\.ts$/, '.mjs'));
  await build({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    outfile,
  });
  return outfile;
}
