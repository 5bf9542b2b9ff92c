import { expect, it } from 'vitest';
import { drive } from '../chaos/drive.ts';
import { scenarioOf } from '../chaos/scenario.ts';
import { fc, runs } from '../helpers/properties.ts';

it('whatever breaks and wherever the process dies, every version is created once and every statement is true', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const { violations } = await drive(scenarioOf(seed));
      expect(violations).toEqual([]);
    }),
    runs(10),
  );
}, 300_000);
