import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lockHolder, takeLock, type Self } from '../../src/host/lock.ts';

const self: Self = { pid: 100, host: 'here', isAlive: (pid) => pid === 100 };
let folder = '';
let path = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'herald-holder-'));
  path = join(folder, '.herald', 'apply');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('is nobody where nobody has the lock, and looking makes no folder', async () => {
  expect(await lockHolder(path, self)).toBeNull();
  expect(readdirSync(folder)).toEqual([]);
});

it('is whoever has it, who keeps it', async () => {
  const release = await takeLock(path, self);
  expect(await lockHolder(path, self)).toMatchObject({
    isDead: false,
    words: expect.stringContaining('process 100 on here'),
  });
  expect(existsSync(`${path}.lock`)).toBe(true);
  await release();
  expect(await lockHolder(path, self)).toBeNull();
});

it.each([
  ['dead, where it died on this machine', { pid: 7, host: 'here' }, true],
  ['not called dead, where it is another machine', { pid: 7, host: 'elsewhere' }, false],
  ['not called dead, where it did not say who it is', null, false],
])('is %s', async (_title, holder, isDead) => {
  mkdirSync(`${path}.lock`, { recursive: true });
  if (holder !== null)
    writeFileSync(`${path}.holder.json`, JSON.stringify({ ...holder, started_at: '2026-06-01T12:00:00Z' }));
  expect(await lockHolder(path, self)).toMatchObject({ isDead });
});
