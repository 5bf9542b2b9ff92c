import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { LockHeldError } from '../../src/domain/ports.ts';
import { takeLock } from '../../src/host/lock.ts';

const DEAD = 1;
const made: string[] = [];
afterEach(() => made.splice(0).forEach((directory) => rmSync(directory, { recursive: true, force: true })));

/** A lock whose holder died without a word, as after a `kill -9`. */
function abandoned(holder: object | null): string {
  const directory = mkdtempSync(join(tmpdir(), 'herald-lock-'));
  made.push(directory);
  const path = join(directory, 'apply');
  mkdirSync(`${path}.lock`);
  if (holder !== null) writeFileSync(`${path}.holder.json`, JSON.stringify(holder));
  return path;
}

const self = (pid: number) => ({ pid, host: 'here', isAlive: (other: number) => other !== DEAD });

describe('a lock whose holder died', () => {
  it.each(Array.from({ length: 20 }, (_, index) => index))(
    'is taken over by exactly one of many (%i)',
    async () => {
      const path = abandoned({ pid: DEAD, host: 'here', started_at: '2026-06-01T12:00:00.000Z' });
      const takers = Array.from({ length: 8 }, (_, index) => takeLock(path, self(100 + index)));
      const results = await Promise.allSettled(takers);
      const taken = results.filter((result) => result.status === 'fulfilled');
      expect(taken.length).toBe(1);
      for (const result of results)
        if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(LockHeldError);
      await Promise.all(taken.map(({ value }) => value()));
      const release = await takeLock(path, self(200));
      await release();
    },
  );

  it('on another machine is left alone, and the words say what to remove', async () => {
    const path = abandoned({ pid: DEAD, host: 'elsewhere', started_at: '2026-06-01T12:00:00.000Z' });
    await expect(takeLock(path, self(100))).rejects.toThrow(`process ${DEAD} on elsewhere`);
    await expect(takeLock(path, self(100))).rejects.toThrow(`remove ${path}.lock`);
  });

  it('without a name is left alone as well', async () => {
    await expect(takeLock(abandoned(null), self(100))).rejects.toThrow('did not say who it is');
  });
});
