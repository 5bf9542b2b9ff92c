import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { RealHerald } from './real-herald.ts';
import type { RealRun } from './start-process.ts';

/** A receiver in a process of its own. */
export interface Listening {
  readonly run: RealRun;
  /** Where events are sent, with the secret. */
  readonly url: string;
  /** Its `/healthz`. */
  readonly health: string;
}

/** The command on a free port. */
export const LISTEN = ['events', 'listen', '--port', '0'];

/** Its environment. */
export const LISTEN_ENV = { HERALD_EVENTS_PATH_SECRET: 'a-secret-of-the-test' };

/** Starts `herald events listen` on a free port, and resolves once it listens. It ends with the test, also if that fails. */
export async function listening(
  herald: RealHerald,
  directory: string,
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Listening> {
  const run = herald.start(directory, [...LISTEN, ...flags], { ...LISTEN_ENV, ...env });
  onTestFinished(() => run.kill('SIGKILL'));
  const [url, health] = await addressesOf(run);
  return { run, url, health };
}

async function addressesOf(run: RealRun): Promise<readonly [string, string]> {
  for (;;) {
    const [url, health] = run.stdout().match(/https?:\/\/[\d.]+:\d+\/(?:events\/\*\*\*|healthz)/g) ?? [];
    if (url !== undefined && health !== undefined)
      return [url.replace('***', LISTEN_ENV.HERALD_EVENTS_PATH_SECRET), health];
    await wait(5);
  }
}
