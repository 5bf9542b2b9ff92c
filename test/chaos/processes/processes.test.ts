import { describe, expect, inject, it } from 'vitest';
import { runs } from '../../helpers/properties.ts';
import { makeRunner } from './one-run.ts';
import { asksForProcesses, processOptionsOf } from './options.ts';
import type { StateKind } from './shape.ts';

/** Three at most: `npm run chaos -- --processes 4` plays as many as it is told. */
const { numRuns: SCENARIOS } = runs(1);

/** A scenario has accidents in real time, and waits for windows of the service. */
const SCENARIO_TIMEOUT_MS = 180_000;

describe('four processes on one workspace', () => {
  it.each<[StateKind, readonly number[]]>([
    ['postgres', [3, 6, 1].slice(0, SCENARIOS)],
    ['file', [2, 1, 3].slice(0, SCENARIOS)],
  ])(
    'break no promise, whatever happens to them: %s',
    async (state, seeds) => {
      const runner = await makeRunner(inject('herald'), { processes: 4, state });
      try {
        for (const seed of seeds) {
          const { violations, scenario } = await runner.run(seed);
          const words = violations.map((one) => `${one.kind}: ${one.words}`);
          expect(words, JSON.stringify(scenario)).toEqual([]);
        }
      } finally {
        await runner.end();
      }
    },
    SCENARIO_TIMEOUT_MS,
  );
});

describe('the command line of chaos with processes', () => {
  it('is chosen by --processes', () => {
    expect(asksForProcesses(['--processes', '4'])).toBe(true);
    expect(asksForProcesses(['--runs', '4'])).toBe(false);
  });

  it('has defaults, and refuses what it does not know', () => {
    expect(processOptionsOf(['--processes', '8', '--state', 'file'])).toMatchObject({
      processes: 8,
      state: 'file',
      seed: 1,
    });
    expect(() => processOptionsOf(['--state', 'git'])).toThrow('postgres, file');
  });
});
