import { KIND_ROWS } from '../../domain/kind.ts';
import type { Change, Step, StepKind } from '../../domain/change.ts';
import { filesOf } from '../../domain/media.ts';
import type { MediaFile } from '../../domain/message.ts';
import type { Declared, ResolvedAccount } from '../../domain/resource.ts';
import type { Known } from '../../state/shapes.ts';
import type { Rates } from './facts.ts';

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

/** An estimate: what a connection takes in a second, and what the service needs in addition to the bytes. */
const BYTES_PER_SECOND = 10_000_000;
const PROCESSING_SEC = 5;

/** Puts the uploads before everything else of a change that may create; the same change where none is missing. */
export type AddUploads = (change: Change, declared: Declared) => Change;

/**
 * Uploads come first, so that nothing is stopped for what cannot be brought into the vault. Each change names the
 * files that it needs; an apply brings each to an account once, several side by side.
 */
export function uploadsFor(accounts: readonly ResolvedAccount[], media: Known['media']): AddUploads {
  const idOf = new Map(accounts.map(({ alias, accountId }) => [alias, accountId]));
  const there = new Set(media.map(({ account_id: id, digest }) => `${id}/${digest}`));
  return (change, { address, content }) => {
    if (!change.steps.some(({ kind }) => kind === 'create')) return change;
    const missing = filesOf(content).filter(
      ({ digest }) => !there.has(`${idOf.get(address.account) ?? ''}/${digest}`),
    );
    return missing.length === 0
      ? change
      : { ...change, steps: [...missing.map(uploadStep), ...change.steps] };
  };
}

function uploadStep({ path, size }: MediaFile): Step {
  const seconds = PROCESSING_SEC + Math.ceil(size / BYTES_PER_SECOND);
  return { kind: 'upload', live_id: null, file: path, size, about_sec: seconds };
}
