import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Self } from '../../src/host/lock-holder.ts';
import { lockHolder, takeLock } from '../../src/host/lock.ts';

const self: Self = {
  pid: 100,
  host: 'here',
  isAlive: (pid) => pid === 100,
  kernel: { boot: 'b', namespace: 'n', startOf: (pid) => (pid === 100 ? 's' : null) },
  bootedMs: 0,
};
let folder = '';
let path = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'herald-holder-'));
  path = join(folder, '.herald', 'apply');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('is not one where no one has the lock, and looking makes no folder', async () => {
  expect(await lockHolder(path, self)).toBeNull();
  expect(readdirSync(folder)).toEqual([]);
});

it('is anyone who has it, who keeps it', async () => {
  const lease = await takeLock(path, self);
  expect(await lockHolder(path, self)).toMatchObject({
    life: 'alive',
    words: expect.stringContaining('process 100 on here'),
  });
  expect(existsSync(`${path}.lock`)).toBe(true);
  await lease.release();
  expect(await lockHolder(path, self)).toBeNull();
});

it('is named with its person or job, and with the reach of the lock', async () => {
  const lease = await takeLock(path, { ...self, who: 'ana (job 12), https://ci.example/jobs/12' });
  const { words } = (await lockHolder(path, self)) ?? { words: '' };
  expect(words).toContain('by ana (job 12), https://ci.example/jobs/12; this lock is local to one machine');
  await lease.release();
  mkdirSync(`${path}.lock`, { recursive: true });
  const odd = { pid: 7, host: 'here', started_at: '2026-06-01T12:00:00Z', who: { long: 'x' } };
  writeFileSync(`${path}.holder.json`, JSON.stringify(odd));
  expect((await lockHolder(path, self))?.words).toMatch(
    /^process 7 on here, started 2026-06-01T12:00:00Z; this/,
  );
});

it.each([
  ['dead, where it died on this machine', { pid: 7, host: 'here' }, 'dead'],
  ['not called dead, where it is another machine', { pid: 7, host: 'elsewhere' }, 'alive'],
  ['only perhaps dead, where it did not say who it is', null, 'perhaps_dead'],
])('is %s', async (_title, holder, life) => {
  mkdirSync(`${path}.lock`, { recursive: true });
  if (holder !== null)
    writeFileSync(`${path}.holder.json`, JSON.stringify({ ...holder, started_at: '2026-06-01T12:00:00Z' }));
  expect(await lockHolder(path, self)).toMatchObject({ life });
});
