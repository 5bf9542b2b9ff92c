import { lstat, readdir, rm, writeFile } from 'node:fs/promises';
import type { LockHolder } from '../domain/lease.ts';
import { readRegular } from './confined.ts';
import type { Kernel } from './kernel.ts';

/** This process, as a lock's holder. */
export interface Self {
  readonly pid: number;
  readonly host: string;
  /** The person or the CI job, for others who wait for the lock. */
  readonly who?: string;
  /** Whether a process of this machine is still there. */
  readonly isAlive: (pid: number) => boolean;
  /** Null where the system tells nothing of processes but their numbers. */
  readonly kernel: Kernel | null;
  /** When this machine was started, epoch milliseconds by its wall clock. */
  readonly bootedMs: number;
}

/** The content of the file next to the lock. Earlier versions wrote only the first three fields. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly started_at: string;
  readonly who?: string;
  readonly boot?: string;
  readonly namespace?: string;
  /** When its process began. */
  readonly process_start?: string | null;
}

/**
 * What is known of a holder. `perhaps_dead`: nothing proves it, so a waiting run first watches whether the holder
 * refreshes the lock.
 */
export type Life = LockHolder['life'];

/** A lock without a refresh for this long is checked, even if its holder seems to run. */
const OLD_MS = 24 * 3_600_000;

/** Clocks of one machine differ by no more from one another. */
const BOOT_MARGIN_MS = 60_000;

/**
 * Process numbers are given again: to another process, to the next start of the machine, in every container. So a
 * number alone is a proof only where the system tells nothing more.
 *
 * | the holder's                  | and                                                       | it is        |
 * |-------------------------------|-----------------------------------------------------------|--------------|
 * | lock has not been refreshed for a day |                                                   | perhaps dead |
 * | words do not say who it is    | as in a lock that was committed and checked out           | perhaps dead |
 * | host is another one           |                                                           | alive        |
 * | boot and namespace are ours   | a process of its number and its start is there            | alive        |
 * | boot and namespace are ours   | none is                                                   | dead         |
 * | boot or namespace is another  | as in a container that was started again, or a second one | perhaps dead |
 * | kernel is not known           | no process of its number is there                         | dead         |
 * | kernel is not known           | its number is our own, or it began before this machine    | perhaps dead |
 * | kernel is not known           | a process of its number is there                          | alive        |
 */
export function lifeOf(holder: Holder | null, lockAgeMs: number, self: Self): Life {
  if (holder === null) return 'perhaps_dead';
  const life = holder.host === self.host ? lifeHere(holder, self) : 'alive';
  return life === 'alive' && lockAgeMs >= OLD_MS ? 'perhaps_dead' : life;
}

function lifeHere(holder: Holder, self: Self): Life {
  const { kernel } = self;
  if (kernel !== null && holder.boot !== undefined && holder.namespace !== undefined) {
    if (kernel.boot !== holder.boot || kernel.namespace !== holder.namespace) return 'perhaps_dead';
    const start = kernel.startOf(holder.pid);
    return start !== null && start === holder.process_start ? 'alive' : 'dead';
  }
  if (holder.pid === self.pid) return 'perhaps_dead';
  if (!self.isAlive(holder.pid)) return 'dead';
  return Date.parse(holder.started_at) < self.bootedMs - BOOT_MARGIN_MS ? 'perhaps_dead' : 'alive';
}

/** The text of the file next to the lock; null where there is none. */
export async function readHolder(path: string): Promise<string | null> {
  try {
    return readRegular(holderPath(path), holderPath(path));
  } catch {
    return null;
  }
}

/** Always a new file: what stood there may be a link to another one. */
export async function writeHolder(path: string, text: string): Promise<void> {
  await removeHolder(path);
  await writeFile(holderPath(path), text, { mode: 0o600, flag: 'wx' });
}

/** Whatever stands there: a pull request may have put a folder in the holder's place. */
export async function removeHolder(path: string): Promise<void> {
  await rm(holderPath(path), { recursive: true, force: true });
}

/** How this process names itself; no other taking of the lock has the same text. */
export function holderText({ pid, host, who, kernel }: Self, startedAt: string): string {
  const known =
    kernel === null
      ? {}
      : { boot: kernel.boot, namespace: kernel.namespace, process_start: kernel.startOf(pid) };
  const named = who === undefined ? {} : { who };
  const holder: Holder = { pid, host, started_at: startedAt, ...named, ...known };
  return JSON.stringify(holder);
}

/** Null where the text does not say who it is. */
export function holderOf(text: string | null): Holder | null {
  try {
    const value = JSON.parse(text ?? '') as Partial<Holder> | null;
    return Number.isInteger(value?.pid) && typeof value?.host === 'string' ? (value as Holder) : null;
  } catch {
    return null;
  }
}

export function lockPath(path: string): string {
  return `${path}.lock`;
}

/**
 * Whether a run made this lock. A run's lock is an empty folder, which git cannot store. A link, a file, or a
 * folder with a file was checked out, and then the file about the holder is meaningless.
 */
export async function isMadeByRun(lock: string): Promise<boolean> {
  try {
    return (await lstat(lock)).isDirectory() && (await readdir(lock)).length === 0;
  } catch {
    return false;
  }
}

function holderPath(path: string): string {
  return `${path}.holder.json`;
}

/** Who has the lock. Errors about it name `herald state unlock`. */
export function holderWords(holder: Holder | null): string {
  if (holder === null) return 'another run, which is not named';
  const { pid, host, started_at: started, who } = holder;
  const named = typeof who === 'string' ? `, by ${who.slice(0, WHO_MAX)}` : '';
  return `process ${pid} on ${host}, started ${started}${named}; this lock is local to one machine`;
}

/** The file may come from a checkout, with anything in it. */
const WHO_MAX = 500;
