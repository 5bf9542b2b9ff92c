import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isForEveryone } from '../helpers/postgres-package.ts';

it('a checkout that only its owner may enter is known, so that the server of the tests can start in it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'herald-private-'));
  const within = mkdtempSync(join(folder, 'checkout-'));
  chmodSync(within, 0o755);
  expect([isForEveryone(folder), isForEveryone(within)]).toEqual([false, false]);
  chmodSync(folder, 0o755);
  expect(isForEveryone(within)).toBe(isForEveryone(tmpdir()));
  rmSync(folder, { recursive: true });
});
