import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { runs } from '../helpers/properties.ts';

const { numRuns: INPUTS } = runs(5);

it('a short run of odd inputs finds nothing', () => {
  const command = ['scripts/run.js', 'test/fuzz/main.ts', '--inputs', String(INPUTS), '--seed', '1'];
  const ran = spawnSync(process.execPath, command, { encoding: 'utf8' });
  expect(ran.status, `${ran.stdout}\n${ran.stderr}`).toBe(0);
  expect(ran.stdout.match(new RegExp(` ${INPUTS} inputs, `, 'g'))).toHaveLength(8);
});
