import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';
import type { StateLocation } from '../../src/state/state.ts';
import { startProcess, type RealRun } from './start-process.ts';

/** What `test/state/process.ts` does with a state, in a process of its own. */
export interface StateScript {
  readonly location: StateLocation;
  readonly run: string;
  /**
   * `requests` records creates and their ends, and writes each name to standard output between the two, as if it sent it.
   * `events` adds events, and writes the id of each to standard output once it is stored. `hold` says "held" once it has the lease, and begins a create at each SIGUSR2. `look` reads, and then records a stop.
   */
  readonly does: 'requests' | 'events' | 'hold' | 'look';
  /** How many creates or events. */
  readonly count?: number;
  /** Kills itself right before this statement, counted from the first one after the lease. */
  readonly killAt?: number;
  /** The disk is full at so many pages of the file. */
  readonly pagesMax?: number;
  /** Gives up the rights of root, which may write anywhere. */
  readonly asOther?: boolean;
}

/** Starts processes that use a state, for the tests of a file. With its dependencies in its bundle, each starts faster. */
export function stateProcesses(): (script: StateScript) => RealRun {
  // Next to the driver, so that the bundle finds it.
  const outdir = join(process.cwd(), 'node_modules', `.state-${process.pid}`);
  beforeAll(async () => {
    await build({
      bundle: true,
      splitting: true,
      platform: 'node',
      format: 'esm',
      entryPoints: ['test/state/process.ts'],
      outExtension: { '.js': '.mjs' },
      outdir,
      external: ['pg-native'],
      plugins: [countedSqlite],
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
    });
  });
  afterAll(() => rmSync(outdir, { recursive: true, force: true }));
  return (script) => startProcess([join(outdir, 'process.mjs'), JSON.stringify(script)], process.cwd(), {});
}

const COUNTED = resolve('test/state/counted-sqlite.ts');

/** Puts a driver that counts its statements in place of the driver. */
const countedSqlite: Plugin = {
  name: 'counted-sqlite',
  setup: (bundle) =>
    bundle.onResolve({ filter: /^@photostructure\/sqlite$/ }, ({ importer, path }) =>
      importer === COUNTED ? { path, external: true } : { path: COUNTED },
    ),
};
