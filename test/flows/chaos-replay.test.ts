import { expect, it } from 'vitest';
import { drive } from '../chaos/drive.ts';
import { scenarioOf } from '../chaos/scenario.ts';

it('a chaos scenario is plain data, and playing it twice gives the same commands and the same result', async () => {
  const scenario = scenarioOf(7);
  const copy: unknown = JSON.parse(JSON.stringify(scenario));
  expect(copy).toEqual(scenario);
  // Code that is loaded at its first use must not come between.
  await drive(scenario);
  const first: string[] = [];
  const again: string[] = [];
  const result = await drive(scenario, (line) => first.push(line));
  const repeated = await drive(scenarioOf(7), (line) => again.push(line));
  expect(again).toEqual(first);
  expect(repeated).toEqual(result);
  expect(first.length).toBeGreaterThan(3);
});
