import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { LockHeldError, type LockHolder } from '../domain/ports.ts';

/** This process, as a lock's holder. */
export interface Self {
  readonly pid: number;
  readonly host: string;
  /** Whether a process of this machine is still there. */
  readonly isAlive: (pid: number) => boolean;
}

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly started_at: string;
}

/** A lock is never stolen by age alone: a stopped process would wake up beside its successor. */
const STALE_MS = 24 * 3_600_000;

/** Takes the lock beside `path`. One whose holder died on this machine is taken over. */
export async function takeLock(path: string, self: Self): Promise<() => Promise<void>> {
  await mkdir(dirname(path), { recursive: true });
  const release = (await tryLock(path)) ?? (await takeOver(path, self));
  await writeHolder(path, self);
  return async () => {
    // What was done under it is done: a lock that cannot be taken away must not make a failure of it.
    await rm(holderPath(path), { force: true }).catch(() => undefined);
    await release().catch(() => undefined);
  };
}

/** Who has the lock beside `path`; it is only looked at. */
export async function lockHolder(path: string, self: Self): Promise<LockHolder | null> {
  const isHeld = await stat(lockPath(path)).then(
    () => true,
    () => false,
  );
  if (!isHeld) return null;
  const holder = await readHolder(path);
  const isDead = holder !== null && holder.host === self.host && !self.isAlive(holder.pid);
  return { words: describe(holder, path), isDead };
}

/** Null when somebody has it. */
async function tryLock(path: string, stale: number = STALE_MS): Promise<(() => Promise<void>) | null> {
  const { default: lockfile } = await import('proper-lockfile');
  const options = { lockfilePath: lockPath(path), realpath: false, stale, retries: 0 };
  return lockfile.lock(path, options).catch((error: unknown) => {
    if ((error as { code?: string }).code === 'ELOCKED') return null;
    throw error;
  });
}

/** How long a process that died in the middle of taking over holds up the next one. */
const TAKE_OVER_STALE_MS = 10_000;

/**
 * Of many that find the same dead holder, one takes its place: they are told apart by a lock of their own,
 * and the holder is read again under it, because by then it may be a living one.
 */
async function takeOver(path: string, self: Self): Promise<() => Promise<void>> {
  const releaseTurn = await tryLock(`${path}.takeover`, TAKE_OVER_STALE_MS);
  const holder = await readHolder(path);
  if (releaseTurn === null) throw new LockHeldError(path, describe(holder, path));
  try {
    if (holder === null || holder.host !== self.host || self.isAlive(holder.pid))
      throw new LockHeldError(path, describe(holder, path));
    await rm(holderPath(path), { force: true });
    await rm(lockPath(path), { recursive: true, force: true });
    const release = await tryLock(path);
    if (release === null) throw new LockHeldError(path, describe(await readHolder(path), path));
    await writeHolder(path, self);
    return release;
  } finally {
    await releaseTurn();
  }
}

function lockPath(path: string): string {
  return `${path}.lock`;
}

function holderPath(path: string): string {
  return `${path}.holder.json`;
}

async function writeHolder(path: string, { pid, host }: Self): Promise<void> {
  const holder: Holder = { pid, host, started_at: new Date().toISOString() };
  await writeFile(holderPath(path), JSON.stringify(holder), { mode: 0o600 });
}

async function readHolder(path: string): Promise<Holder | null> {
  try {
    return JSON.parse(await readFile(holderPath(path), 'utf8')) as Holder;
  } catch {
    return null;
  }
}

function describe(holder: Holder | null, path: string): string {
  const remove = `remove ${lockPath(path)}`;
  if (holder === null) return `another run that did not say who it is; if there is none, ${remove}`;
  return `process ${holder.pid} on ${holder.host}, started ${holder.started_at}; if it no longer runs, ${remove}`;
}
