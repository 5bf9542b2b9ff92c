import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LockHeldError } from '../../src/domain/lease.ts';
import type { Holder, Self } from '../../src/host/lock-holder.ts';
import { takeLock } from '../../src/host/lock.ts';

const DEAD = 1;
/** How often a run refreshes its lock. */
const REFRESH_MS = 5_000;
const STARTED = { started_at: '2026-06-01T12:00:00.000Z' };
const made: string[] = [];
afterEach(() => vi.useRealTimers());
afterEach(() => made.splice(0).forEach((directory) => rmSync(directory, { recursive: true, force: true })));

/** A lock that its holder left without a word, as after a `kill -9`. */
function abandoned(holder: object | null): string {
  const directory = mkdtempSync(join(tmpdir(), 'herald-lock-'));
  made.push(directory);
  const path = join(directory, 'apply');
  mkdirSync(`${path}.lock`);
  if (holder !== null) writeFileSync(`${path}.holder.json`, JSON.stringify(holder));
  return path;
}

const self = (pid: number): Self => ({
  pid,
  host: 'here',
  isAlive: (other) => other !== DEAD,
  kernel: null,
  bootedMs: 0,
});

/** A process with this number in a container; each start of one has a namespace of its own. */
const contained = (pid: number, namespace: string): Self => ({
  ...self(pid),
  kernel: { boot: 'boot', namespace, startOf: (one) => (one === pid ? 'began' : null) },
});
const holderIn = (pid: number, namespace: string): Holder => ({
  ...STARTED,
  pid,
  host: 'here',
  boot: 'boot',
  namespace,
  process_start: 'began',
});

/** Time that passes only while someone sleeps; `meanwhile` happens at each sleep. */
function aWatch(meanwhile: () => void = () => undefined) {
  let nowMs = 0;
  const said: string[] = [];
  const sleep = async (ms: number) => {
    nowMs += ms;
    meanwhile();
  };
  const clock = { monotonicMs: () => nowMs, sleep };
  return { clock, say: (words: string) => void said.push(words), said, waitedMs: () => nowMs };
}

/** What a pull request can put in the place of a lock; git keeps no empty folder. */
const CHECKED_OUT: readonly { readonly what: string; readonly put: (lock: string) => void }[] = [
  { what: 'a file', put: (lock) => writeFileSync(lock, '') },
  {
    what: 'a folder with a file',
    put: (lock) => {
      mkdirSync(join(lock, 'deep'), { recursive: true });
      writeFileSync(join(lock, 'deep', 'x'), '');
    },
  },
  { what: 'a link to itself', put: (lock) => symlinkSync(basename(lock), lock) },
  { what: 'a link to nothing', put: (lock) => symlinkSync('nowhere', lock) },
  {
    what: 'a link to an empty folder',
    put: (lock) => {
      const empty = join(dirname(lock), 'empty');
      mkdirSync(empty);
      symlinkSync(empty, lock);
    },
  },
];

describe('a lock with a holder that died', () => {
  it.each(Array.from({ length: 20 }, (_, index) => index))(
    'is taken over by exactly one of many (%i)',
    async () => {
      const path = abandoned({ pid: DEAD, host: 'here', ...STARTED });
      const takers = Array.from({ length: 8 }, (_, index) => takeLock(path, self(100 + index)));
      const results = await Promise.allSettled(takers);
      const taken = results.filter((result) => result.status === 'fulfilled');
      expect(taken.length).toBe(1);
      for (const result of results)
        if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(LockHeldError);
      await Promise.all(taken.map(({ value }) => value.release()));
      const next = await takeLock(path, self(200));
      await next.release();
    },
  );

  it('on another machine is left alone, and the words name its holder', async () => {
    const path = abandoned({ pid: DEAD, host: 'elsewhere', ...STARTED });
    await expect(takeLock(path, self(100))).rejects.toThrow(`process ${DEAD} on elsewhere`);
    await expect(takeLock(path, self(100))).rejects.toThrow('this lock is local to one machine');
  });

  it('without a name is taken over once no one has refreshed it for 30 s', async () => {
    const watch = aWatch();
    const lease = await takeLock(abandoned(null), self(100), watch);
    expect(watch.waitedMs()).toBe(30_000);
    expect(watch.said.join()).toContain('which is not named');
    await lease.release();
  });

  it('without a name is left alone as soon as it is refreshed', async () => {
    const path = abandoned(null);
    const watch = aWatch(() => utimesSync(`${path}.lock`, new Date(1_000), new Date(1_000)));
    await expect(takeLock(path, self(100), watch)).rejects.toThrow('which is not named');
    expect(watch.waitedMs()).toBe(1_000);
  });

  it.each([
    ['with a holder of another machine', { pid: DEAD, host: 'elsewhere', ...STARTED }],
    ['with a holder that seems to run here', { pid: 7, host: 'here', ...STARTED }],
  ])('that was committed and checked out %s blocks for 30 s, and not for a day', async (_, holder) => {
    const path = abandoned(holder);
    writeFileSync(`${path}.lock/x`, '');
    const watch = aWatch();
    const lease = await takeLock(path, self(100), watch);
    expect(watch.waitedMs()).toBe(30_000);
    expect(await lease.lost()).toBeNull();
    await lease.release();
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it.each(CHECKED_OUT)('that was checked out as $what is taken over after 30 s', async ({ put }) => {
    const path = abandoned({ pid: 7, host: 'elsewhere', ...STARTED });
    rmSync(`${path}.lock`, { recursive: true });
    put(`${path}.lock`);
    const watch = aWatch();
    const lease = await takeLock(path, self(100), watch);
    expect(watch.waitedMs()).toBe(30_000);
    expect(await lease.lost()).toBeNull();
    await lease.release();
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it.each(CHECKED_OUT)('is taken over though $what stands in the way', async ({ put }) => {
    const path = abandoned({ pid: DEAD, host: 'here', ...STARTED });
    const turn = `${path}.takeover.lock`;
    put(turn);
    const watch = aWatch();
    const lease = await takeLock(path, self(100), watch);
    expect(watch.waitedMs()).toBe(30_000);
    expect(watch.said).toEqual([
      `${turn} was not made by a run; perhaps it was committed to git. Waiting 30 s before it is removed.`,
    ]);
    expect(existsSync(turn)).toBe(false);
    expect(await lease.lost()).toBeNull();
    await lease.release();
  });

  it('is left alone while another run takes it over', async () => {
    const path = abandoned({ pid: DEAD, host: 'here', ...STARTED });
    mkdirSync(`${path}.takeover.lock`);
    const watch = aWatch();
    await expect(takeLock(path, self(100), watch)).rejects.toBeInstanceOf(LockHeldError);
    expect([watch.waitedMs(), existsSync(`${path}.takeover.lock`)]).toEqual([0, true]);
  });

  it('is taken over though a folder was checked out in place of its holder', async () => {
    const path = abandoned(null);
    mkdirSync(`${path}.holder.json`);
    writeFileSync(`${path}.holder.json/x`, '');
    const lease = await takeLock(path, self(100), aWatch());
    expect(await lease.lost()).toBeNull();
    await lease.release();
  });

  it('that was checked out as a file is taken over as well', async () => {
    const path = abandoned(null);
    rmSync(`${path}.lock`, { recursive: true });
    writeFileSync(`${path}.lock`, '');
    const lease = await takeLock(path, self(100), aWatch());
    expect(await lease.lost()).toBeNull();
    await lease.release();
  });

  it('in a container that was started again is taken over, though its number is our own', async () => {
    const path = abandoned(holderIn(1, 'ns-1'));
    const watch = aWatch();
    const lease = await takeLock(path, contained(1, 'ns-2'), watch);
    expect(watch.waitedMs()).toBe(30_000);
    expect(watch.said.join()).toContain('waiting up to 30 s');
    expect(JSON.parse(readFileSync(`${path}.holder.json`, 'utf8'))).toMatchObject({ namespace: 'ns-2' });
    await lease.release();
  });

  it('in the same container is taken over at once, though another process has its number by now', async () => {
    const path = abandoned({ ...holderIn(1, 'ns-1'), process_start: 'earlier' });
    const watch = aWatch();
    const lease = await takeLock(path, contained(1, 'ns-1'), watch);
    expect([watch.waitedMs(), watch.said]).toEqual([0, []]);
    await lease.release();
  });

  it('is not waited for any longer once it is free', async () => {
    const path = abandoned(holderIn(1, 'ns-1'));
    const watch = aWatch(() => rmSync(`${path}.lock`, { recursive: true, force: true }));
    const lease = await takeLock(path, contained(1, 'ns-2'), watch);
    expect(watch.waitedMs()).toBe(1_000);
    await lease.release();
  });
});

describe('a lock with a holder that is perhaps dead', () => {
  it('is left alone as soon as it is refreshed: a second container may have our name and number', async () => {
    const path = abandoned(holderIn(1, 'ns-1'));
    let looks = 0;
    const watch = aWatch(() => {
      looks += 1;
      if (looks === 5) utimesSync(`${path}.lock`, new Date(), new Date());
    });
    await expect(takeLock(path, contained(1, 'ns-2'), watch)).rejects.toBeInstanceOf(LockHeldError);
    expect(watch.waitedMs()).toBe(5_000);
    expect(JSON.parse(readFileSync(`${path}.holder.json`, 'utf8'))).toMatchObject({ namespace: 'ns-1' });
  });

  it('is left alone when another run takes it meanwhile', async () => {
    const path = abandoned(holderIn(1, 'ns-1'));
    const watch = aWatch(() => writeFileSync(`${path}.holder.json`, JSON.stringify(holderIn(1, 'ns-3'))));
    await expect(takeLock(path, contained(1, 'ns-2'), watch)).rejects.toBeInstanceOf(LockHeldError);
  });

  it('is looked at after a day without a refresh, no matter who holds it, and whatever this clock says', async () => {
    const path = abandoned({ pid: DEAD, host: 'elsewhere', ...STARTED });
    utimesSync(`${path}.lock`, new Date(0), new Date(0));
    const refreshed = aWatch(() => utimesSync(`${path}.lock`, new Date(1_000), new Date(1_000)));
    await expect(takeLock(path, self(100), refreshed)).rejects.toBeInstanceOf(LockHeldError);
    const silent = aWatch();
    const lease = await takeLock(path, self(100), silent);
    expect(silent.waitedMs()).toBe(30_000);
    await lease.release();
  });
});

describe('a lock that a run has', () => {
  it('is its own until another one takes it, and then stays the other one’s', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const path = join(mkdtempSync(join(tmpdir(), 'herald-lock-')), 'apply');
    const lease = await takeLock(path, self(100));
    expect(await lease.lost()).toBeNull();
    const other = JSON.stringify({ pid: 7, host: 'elsewhere', ...STARTED });
    rmSync(`${path}.lock`, { recursive: true });
    expect(await lease.lost()).toContain('was removed while this run had it');
    mkdirSync(`${path}.lock`);
    writeFileSync(`${path}.holder.json`, other);
    expect(await lease.lost()).toContain('taken over by process 7 on elsewhere');
    // By then the lock is refreshed, which is how its library notices.
    await Promise.all([lease.release(), vi.advanceTimersByTimeAsync(REFRESH_MS)]);
    expect([existsSync(`${path}.lock`), readFileSync(`${path}.holder.json`, 'utf8')]).toEqual([true, other]);
  });

  it('is not taken by the same process a second time', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'herald-lock-')), 'apply');
    const lease = await takeLock(path, contained(100, 'ns-1'));
    await expect(takeLock(path, contained(100, 'ns-1'))).rejects.toBeInstanceOf(LockHeldError);
    await lease.release();
    await (await takeLock(path, contained(100, 'ns-1'))).release();
  });
});
