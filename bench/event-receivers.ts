import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { Probed } from './event-probe.ts';
import { heraldScript } from './herald.ts';

/** A receiver in another process. */
export interface Receiver {
  readonly url: string;
  readonly pid: number;
  /** What it says of the time since the last call. */
  readonly probed: () => Promise<Probed>;
  readonly stop: () => Promise<void>;
}

/** `database` is the address of the database, or null for SQLite. */
export async function startHerald(directory: string, database: string | null): Promise<Receiver> {
  const flags = ['--port', '0', '--reconcile-every', '0', '--quiet'];
  return started([heraldScript(), '-C', directory, 'events', 'listen', ...flags], database);
}

/** A receiver that does nothing but store. */
export async function startBare(directory: string, database: string | null): Promise<Receiver> {
  const store = database === null ? ['files', directory] : ['postgres', database];
  return started([await built('bench/events-bare.ts'), ...store], database);
}

async function started(args: readonly string[], database: string | null): Promise<Receiver> {
  const { NODE_EXTRA_CA_CERTS: _certificates, ...inherited } = process.env;
  const probe = pathToFileURL(await built('bench/event-probe.ts')).href;
  const child = spawn(process.execPath, ['--import', probe, ...args], {
    env: {
      ...inherited,
      HERALD_API_KEY: 'sim-key',
      ...(database === null ? {} : { HERALD_STATE_URL: database }),
    },
    stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
  });
  const told = child.stdio[3];
  if (child.stdout === null || child.pid === undefined || !(told instanceof Readable))
    throw new Error('the receiver has no pipes');
  const closed = once(child, 'close');
  const over = closed.then(([code]) => {
    throw new Error(`the receiver ended with ${String(code)}`);
  });
  // It is waited for in other places, too.
  over.catch(() => undefined);
  const [said] = await Promise.race([once(child.stdout, 'data') as Promise<[Buffer]>, over]);
  child.stdout.resume();
  const [url = ''] = /http:\S+/.exec(String(said)) ?? [];
  const lines = createInterface({ input: told });
  return {
    url,
    pid: child.pid,
    probed: async () => {
      const line = once(lines, 'line') as Promise<[string]>;
      child.kill('SIGUSR2');
      return JSON.parse((await Promise.race([line, over]))[0]) as Probed;
    },
    // A second time, it has ended already.
    stop: async () => {
      child.kill('SIGTERM');
      await closed;
    },
  };
}

let folder: string | null = null;

/** Bundled next to the dependencies, so that it finds them, and run without another process around it. */
async function built(entry: string): Promise<string> {
  folder ??= mkdtempSync(join('node_modules', '.run-'));
  const place = folder;
  process.once('exit', () => rmSync(place, { recursive: true, force: true }));
  const outfile = join(process.cwd(), place, entry.replace(/\.ts$/, '.mjs'));
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
