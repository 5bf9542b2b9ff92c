import { lstat, readdir, rm, unlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { fileProblem } from '../domain/file-problem.ts';
import { LockHeldError, type Lease, type LeaseRecord, type LockHolder } from '../domain/lease.ts';
import type { Clock } from '../domain/ports.ts';
import { systemClock } from './clock.ts';
import {
  holderOf,
  holderText,
  holderWords,
  isMadeByRun,
  lifeOf,
  lockPath,
  readHolder,
  removeHolder,
  writeHolder,
  type Self,
} from './lock-holder.ts';
import { makeFolderOf } from './write-atomically.ts';

/** What it takes to find out whether a holder that is perhaps dead still refreshes its lock. */
export interface Watch {
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
  /** Told before a wait. */
  readonly say: (words: string) => void;
}

/** How often a holder refreshes its lock. */
const REFRESH_MS = 5_000;
/** Without a refresh for so long a holder is dead: a run may be busy for some seconds, never for so many. */
const SILENCE_MS = 30_000;
const LOOK_MS = 1_000;
/** A lock is never taken over by its age alone: a stopped process would wake up next to its successor. */
const NEVER_STALE_MS = Number.MAX_SAFE_INTEGER;
/** How long a process that died while it took a lock over holds up the next one. */
const TAKE_OVER_STALE_MS = 10_000;
/** How often a lock that changes hands is checked again. */
const TRIES_MAX = 3;

/** Takes the lock next to `path`. One with a dead holder is taken over. */
export async function takeLock(
  path: string,
  self: Self,
  watch: Watch = { clock: systemClock, say: () => undefined },
): Promise<Lease> {
  await makeFolderOf(path);
  const own = holderText(self, new Date().toISOString());
  const held = await hold(path, own);
  return leaseOf(path, own, held ?? (await takeOver(path, own, self, watch)));
}

/** Who has the lock next to `path`; it is only looked at. */
export async function lockHolder(path: string, self: Self): Promise<LockHolder | null> {
  const stamp = await stampOf(path);
  if (stamp === null) return null;
  const holder = stamp.isMadeByRun ? holderOf(stamp.holder) : null;
  const life = lifeOf(holder, Date.now() - stamp.changedMs, self);
  return { words: holderWords(holder), life };
}

/** A lock that this process has, until it is released or lost. */
interface Held {
  readonly release: () => Promise<void>;
  /** Resolves once the library has noticed that the lock is another's. */
  readonly lost: Promise<void>;
}

/** Null when another one has it. Writes down who has it now. */
async function hold(path: string, own: string): Promise<Held | null> {
  const { default: lockfile } = await import('proper-lockfile');
  const noticed = { act: () => {} };
  const lost = new Promise<void>((resolve) => (noticed.act = resolve));
  const options = { lockfilePath: lockPath(path), realpath: false, update: REFRESH_MS, retries: 0 };
  try {
    const release = await lockfile.lock(path, {
      ...options,
      stale: NEVER_STALE_MS,
      onCompromised: () => noticed.act(),
    });
    await writeHolder(path, own);
    return { release, lost };
  } catch (error) {
    if ((error as { code?: string }).code === 'ELOCKED' || (await isCheckedOut(path))) return null;
    throw error;
  }
}

/** Whether something that no run has made stands in the lock's place, such as a link to itself. */
async function isCheckedOut(path: string): Promise<boolean> {
  return (await stampOf(path))?.isMadeByRun === false;
}

function leaseOf(path: string, own: string, held: Held): Lease {
  const lost = async () => {
    try {
      const stamp = await stampOf(path);
      if (stamp === null) return `${lockPath(path)} was removed while this run had it`;
      if (stamp.holder === own) return null;
      return `${lockPath(path)} was taken over by ${holderWords(holderOf(stamp.holder))}`;
    } catch (error) {
      return `${lockPath(path)} cannot be read: ${fileProblem(error)}`;
    }
  };
  const release = async () => {
    if ((await lost()) !== null) {
      // What is there belongs to another run. The library would remove it at exit, until it has noticed.
      await Promise.race([held.lost, systemClock.sleep(2 * REFRESH_MS)]);
      return;
    }
    // What was done under it is done: a lock that cannot be taken away must not make a failure of it.
    await removeHolder(path).catch(() => undefined);
    await held.release().catch(() => undefined);
  };
  return { lost, release };
}

/**
 * Of several runs that find the same dead holder, one replaces it. A second lock decides which. The holder is read
 * again under it, because a live run may have the lock by then.
 */
async function takeOver(path: string, own: string, self: Self, watch: Watch): Promise<Held> {
  for (let attempt = 1; attempt <= TRIES_MAX; attempt += 1) {
    const dead = await deadStamp(path, self, watch);
    const held = dead === null ? await hold(path, own) : await replace(path, own, dead, watch);
    if (held !== null) return held;
  }
  throw new LockHeldError(path, holderWords(holderOf(await readHolder(path))));
}

/** What the lock of a dead holder looks like; null where it is free by now. Throws where its holder lives. */
async function deadStamp(path: string, self: Self, watch: Watch): Promise<Stamp | null> {
  const stamp = await stampOf(path);
  if (stamp === null) return null;
  const holder = stamp.isMadeByRun ? holderOf(stamp.holder) : null;
  const life = lifeOf(holder, Date.now() - stamp.changedMs, self);
  if (life === 'dead') return stamp;
  const held = new LockHeldError(path, holderWords(holder));
  if (life === 'alive') throw held;
  watch.say(
    `The lock is held by ${holderWords(holder)}. That run may have died: waiting up to ${SILENCE_MS / 1000} s for a sign of it.`,
  );
  const last = await afterSilence(path, stamp, watch);
  if (last !== null && !isSame(last, stamp)) throw held;
  return last;
}

/** Looks at a lock until it changes, at most for as long as a living holder needs to refresh it; how it is then. */
async function afterSilence(path: string, stamp: Stamp, { clock }: Watch): Promise<Stamp | null> {
  const untilMs = clock.monotonicMs() + SILENCE_MS;
  let now: Stamp | null = stamp;
  while (now !== null && isSame(now, stamp) && clock.monotonicMs() < untilMs) {
    await clock.sleep(LOOK_MS);
    now = await stampOf(path);
  }
  return now;
}

/** Takes the place of that dead holder; null where another run did, or is about to. */
async function replace(path: string, own: string, dead: Stamp, watch: Watch): Promise<Held | null> {
  const releaseTurn = await reserveOrder(`${path}.takeover`, watch);
  if (releaseTurn === null) throw new LockHeldError(path, holderWords(holderOf(await readHolder(path))));
  try {
    const now = await stampOf(path);
    if (now !== null && !isSame(now, dead)) return null;
    await removeHolder(path);
    await rm(lockPath(path), { recursive: true, force: true });
    return await hold(path, own);
  } finally {
    await releaseTurn().catch(() => undefined);
  }
}

/**
 * The lock of the one that takes the lock over; null where another run has it. What a checkout left in its place goes
 * by the same rule as the lock itself (decision 19).
 */
async function reserveOrder(turn: string, watch: Watch): Promise<(() => Promise<void>) | null> {
  const release = await holdTurn(turn);
  const stamp = release === null ? await stampOf(turn) : null;
  if (stamp === null || stamp.isMadeByRun) return release;
  watch.say(
    `${lockPath(turn)} was not made by a run; perhaps it was committed to git. Waiting ${SILENCE_MS / 1000} s before it is removed.`,
  );
  const last = await afterSilence(turn, stamp, watch);
  if (last !== null && isSame(last, stamp)) await clearCheckedOut(lockPath(turn));
  return holdTurn(turn);
}

async function holdTurn(turn: string): Promise<(() => Promise<void>) | null> {
  const { default: lockfile } = await import('proper-lockfile');
  const options = { lockfilePath: lockPath(turn), realpath: false, stale: TAKE_OVER_STALE_MS, retries: 0 };
  return lockfile.lock(turn, { ...options, onCompromised: () => undefined }).catch(() => null);
}

/** Removes no folder: an empty one may be the lock of a run that was faster. One that has been emptied looks old. */
async function clearCheckedOut(lock: string): Promise<void> {
  if (!(await lstat(lock)).isDirectory()) return unlink(lock);
  const entries = await readdir(lock);
  for (const entry of entries) await rm(join(lock, entry), { recursive: true, force: true });
  if (entries.length > 0) await utimes(lock, 0, 0);
}

/** The lock next to `path`, whether its holder still runs or not. */
export async function lockRecord(path: string, self: Self): Promise<LeaseRecord | null> {
  const [stamp, holder] = await Promise.all([stampOf(path), lockHolder(path, self)]);
  if (stamp === null || holder === null) return null;
  const since = stamp.isMadeByRun ? (holderOf(stamp.holder)?.started_at ?? null) : null;
  return { ...holder, id: idOf(stamp), since, until: null };
}

/** Removes the lock next to `path` if it is still that one. Its holder sends nothing more once it is gone. */
export async function endLock(path: string, { id }: LeaseRecord): Promise<boolean> {
  const stamp = await stampOf(path);
  if (stamp === null || idOf(stamp) !== id) return false;
  await removeHolder(path);
  await rm(lockPath(path), { recursive: true, force: true });
  return true;
}

/** A holder that lives refreshes its lock, which stays the same one. */
function idOf({ holder, changedMs }: Stamp): string {
  return holder ?? String(changedMs);
}

/** A lock as it is at one moment: every refresh and every other holder make another one of it. */
interface Stamp {
  readonly changedMs: number;
  readonly holder: string | null;
  readonly isMadeByRun: boolean;
}

/** Null if the lock is free. */
async function stampOf(path: string): Promise<Stamp | null> {
  try {
    // Not of what a link leads to: that may be a folder which looks like a lock, or nothing.
    const { mtimeMs } = await lstat(lockPath(path));
    const [holder, madeByRun] = await Promise.all([readHolder(path), isMadeByRun(lockPath(path))]);
    return { changedMs: mtimeMs, holder, isMadeByRun: madeByRun };
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null;
    throw error;
  }
}

function isSame(one: Stamp, other: Stamp): boolean {
  return one.changedMs === other.changedMs && one.holder === other.holder;
}
