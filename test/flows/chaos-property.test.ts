import fc from 'fast-check';
import { expect, it } from 'vitest';
import { drive } from '../chaos/drive.ts';
import { aScenario } from '../chaos/scenario.ts';

const RUNS = 40;
/** The same scenarios each time; `npm run chaos` draws others. */
const SEED = 1;

it('whatever breaks and wherever the process dies, every version is created once and nothing is said wrongly', async () => {
  await fc.assert(
    fc.asyncProperty(aScenario, async (scenario) => {
      const { duplicates, losses, falseReports, trespasses } = await drive(scenario);
      expect([...duplicates, ...losses, ...falseReports, ...trespasses]).toEqual([]);
    }),
    { numRuns: RUNS, seed: SEED },
  );
}, 60_000);
