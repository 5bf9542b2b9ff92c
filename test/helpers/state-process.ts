import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';
import type { StateLocation } from '../../src/state/state.ts';
import { startProcess, type RealRun } from './start-process.ts';

/** What `test/state/process.ts` does with the state, in a process of its own. */
export interface StateScript {
  readonly location: StateLocation;
  readonly run: string;
  /** `hold` says "held" once it has the lease, and begins one more request whenever it is told to on its standard input. */
  readonly does: 'requests' | 'hold' | 'stop';
  readonly waitMs?: number;
  /** Kills itself right before this statement, counted from the first one after the lease. */
  readonly killAt?: number;
}

/** Starts processes that use the state, for the tests of a file. */
export function stateProcesses(): (script: StateScript, ...wrapper: readonly string[]) => RealRun {
  // Next to the dependencies, so that the bundle finds them.
  const bundle = join('node_modules', `.state-${process.pid}.mjs`);
  beforeAll(() =>
    build({
      entryPoints: ['test/state/process.ts'],
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      outfile: bundle,
    }),
  );
  afterAll(() => rmSync(bundle, { force: true }));
  return (script) => startProcess([bundle, JSON.stringify(script)], process.cwd(), {});
}
