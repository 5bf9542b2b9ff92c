import { expect, it } from 'vitest';
import { drive } from '../chaos/drive.ts';
import { aScenario } from '../chaos/scenario.ts';
import { fc } from '../helpers/properties.ts';

const RUNS = 40;

it('whatever breaks and wherever the process dies, every version is created once and nothing is said wrongly', async () => {
  await fc.assert(
    fc.asyncProperty(aScenario, async (scenario) => {
      const { duplicates, losses, falseReports, trespasses } = await drive(scenario);
      expect([...duplicates, ...losses, ...falseReports, ...trespasses]).toEqual([]);
    }),
    { numRuns: RUNS },
  );
}, 60_000);
