import type { Change, Step, StepKind } from '../domain/change.ts';
import { filesOf } from '../domain/media.ts';
import { type Declared, KIND_ROWS, type ResolvedAccount } from '../domain/resource.ts';
import type { Known } from '../state/shapes.ts';
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
  const uploads = new Map<string, number>();
  for (const { address, steps } of changes)
    for (const step of steps) {
      // Each file goes to an account once, and accounts go side by side.
      if (step.kind === 'upload') uploads.set(`${address.account} ${step.file}`, step.about_sec);
      for (const call of CALLS[step.kind]) {
        const operation = `${KIND_ROWS[address.kind].plural}.${call}`;
        counts.set(operation, (counts.get(operation) ?? 0) + 1);
      }
    }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const bounds = [...counts].map(([operation, count]) => count / (rates.endpoint[operation] ?? rates.token));
  return Math.ceil(Math.max(0, total / rates.token, ...bounds)) + Math.max(0, ...uploads.values());
}

/** An estimate: what a connection takes in a second, and what the service needs in addition to the bytes. */
const BYTES_PER_SECOND = 10_000_000;
const PROCESSING_SEC = 5;

/**
 * Puts the uploads before everything else of a change that creates, so that nothing is stopped for what cannot be brought
 * into the vault.
 */
export function addUploads(
  accounts: readonly ResolvedAccount[],
  media: Known['media'],
): (change: Change, declared: Declared) => Change {
  const idOf = new Map(accounts.map(({ alias, accountId }) => [alias, accountId]));
  const there = new Set(media.map(({ account_id: id, digest }) => `${id}/${digest}`));
  return (change, { address, content }) => {
    if (!change.steps.some(({ kind }) => kind === 'create')) return change;
    const uploads = filesOf(content)
      .filter(({ digest }) => !there.has(`${idOf.get(address.account) ?? ''}/${digest}`))
      .map(({ path, size }): Step => {
        const seconds = PROCESSING_SEC + Math.ceil(size / BYTES_PER_SECOND);
        return { kind: 'upload', live_id: null, file: path, size, about_sec: seconds };
      });
    return uploads.length === 0 ? change : { ...change, steps: [...uploads, ...change.steps] };
  };
}
