import type { FaultInput } from '../../../src/simulator/fault-shape.ts';

/** Where the record of a scenario is kept. */
export const STATES = ['postgres', 'file'] as const;
export type StateKind = (typeof STATES)[number];

/** One scenario with real processes, as plain data. */
export interface ProcessScenario {
  readonly seed: number;
  readonly state: StateKind;
  /** One for each process: all of them work on one workspace. */
  readonly machines: readonly Machine[];
  readonly rounds: readonly Round[];
}

/** Where a process runs. */
export interface Machine {
  /** How wrong its clock is. */
  readonly clockSec: number;
  /** What is between it and the database. */
  readonly way: 'direct' | 'proxy' | 'pooler';
}

/** A version of the files, which all processes apply at the same time. */
export interface Round {
  /** The number in the words of each resource, and whether it is stopped, by its name. */
  readonly versions: Readonly<Record<string, Version>>;
  readonly faults: readonly FaultInput[];
  readonly starts: readonly Start[];
  readonly accidents: readonly Accident[];
}

interface Version {
  readonly words: number;
  readonly isPaused: boolean;
}

interface Start {
  readonly afterMs: number;
  readonly lockTimeoutSec: number;
}

/** Something that happens soon after the n-th request of a round, or after its n-th write. */
export interface Accident {
  readonly at: { readonly request: 'any' | 'write'; readonly nth: number };
  readonly afterMs: number;
  readonly what: Happening;
}

/** It happens to the process that sent the request, or to the way to the database. */
type Happening =
  | { readonly kind: 'kill' }
  /** `endsLease`: as if it had been paused for longer than `lease_sec`. */
  | { readonly kind: 'pause'; readonly ms: number; readonly endsLease: boolean }
  | { readonly kind: 'restart' }
  | { readonly kind: 'sever' };

/** Resources of the files, and the accounts that have them. */
export const RESOURCES = [
  { kind: 'campaign', name: 'Welcome', accounts: ['alice', 'bob'] },
  { kind: 'campaign', name: 'Second', accounts: ['alice'] },
  { kind: 'broadcast', name: 'Teaser', accounts: ['alice'] },
] as const;

export const ACCOUNT_IDS: Readonly<Record<string, string>> = { alice: '101', bob: '102' };
