import { KIND_ROWS } from '../domain/kind.ts';
import type { Change, StepKind } from '../domain/change.ts';
import { PROCESSING_SEC } from './uploads.ts';

/** What a step costs: the calls it makes, by the catalogue's names. Each change of an object looks at it first. */
const CALLS = {
  upload: [],
  create: ['create'],
  pause: ['get', 'set-status'],
  archive: ['get', 'set-status'],
  activate: ['get', 'set-status'],
  reactivate: ['get', 'set-status'],
  resume: ['get', 'set-status'],
  recall: ['get', 'unsend'],
  prove_dead: ['get', 'set-status'],
  check_not_left: ['get'],
  // Many of them share a list.
  read_back: [],
} as const satisfies Record<StepKind, readonly string[]>;

/** The most requests per second over everything, and by endpoint (`campaigns.create`). */
export interface Rates {
  readonly token: number;
  readonly endpoint: Readonly<Record<string, number>>;
}

/** The time below which the published rates do not let these changes happen, in whole seconds. */
export function etaSec(changes: readonly Change[], rates: Rates): number {
  const counts = new Map<string, number>();
  for (const { address, steps } of changes) {
    for (const step of steps) {
      for (const call of CALLS[step.kind]) add(counts, `${KIND_ROWS[address.kind].plural}.${call}`);
    }
  }
  const { uploads, seconds } = uploadsIn(changes);
  for (const call of UPLOAD_CALLS) if (uploads > 0) counts.set(call, uploads);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const bounds = [...counts].map(([operation, count]) => count / (rates.endpoint[operation] ?? rates.token));
  return Math.ceil(Math.max(0, total / rates.token, ...bounds)) + seconds;
}

/** Calls that each upload makes at least. */
const UPLOAD_CALLS = ['vault.upload-start', 'vault.upload-export', 'vault.uploads'] as const;

/**
 * Each file goes to an account once, and accounts go side by side. The files of one share a line, and what the service
 * makes of them is waited for together.
 */
function uploadsIn(changes: readonly Change[]): { readonly uploads: number; readonly seconds: number } {
  const files = new Map<string, Map<string, number>>();
  for (const { address, steps } of changes)
    for (const step of steps) {
      if (step.kind !== 'upload') continue;
      const { file, about_sec: aboutSec } = step;
      const ofAccount = files.get(address.account) ?? new Map<string, number>();
      files.set(address.account, ofAccount.set(file, aboutSec));
    }
  const accounts = [...files.values()].map((ofAccount) => [...ofAccount.values()]);
  return {
    uploads: accounts.flat().length,
    seconds: Math.max(0, ...accounts.map(secondsOf)),
  };
}

function secondsOf(waits: readonly number[]): number {
  return waits.reduce((sum, wait) => sum + Math.max(0, wait - PROCESSING_SEC), PROCESSING_SEC);
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
