import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('a short run of odd inputs finds nothing', () => {
  const command = ['scripts/run.js', 'test/fuzz/main.ts', '--inputs', '40', '--seed', '1'];
  const ran = spawnSync(process.execPath, command, { encoding: 'utf8' });
  expect(ran.status, `${ran.stdout}\n${ran.stderr}`).toBe(0);
  expect(ran.stdout.match(/ 40 inputs, /g)).toHaveLength(8);
});
