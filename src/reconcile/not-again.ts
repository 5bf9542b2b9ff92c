import { mayCreate } from '../apply/fresh-list.ts';
import type { Change } from '../domain/change.ts';
import { formatAddress } from '../domain/resource.ts';
import { held } from '../plan/guards/guards.ts';
import type { Inspection } from './source.ts';

/** Ids that are new under the name of an unconfirmed create, by formatted address. */
export type Newcomers = ReadonlyMap<string, readonly string[]>;

/** What earlier looks of the run have found, and what this one adds. A verdict is seen only until its entry is closed. */
export function withNewcomers(earlier: Newcomers, { verdicts }: Inspection): Newcomers {
  const all = new Map(earlier);
  for (const { entry, newcomers } of verdicts) {
    if (newcomers.length === 0) continue;
    const key = formatAddress(entry.address);
    all.set(key, [...new Set([...(all.get(key) ?? []), ...newcomers])]);
  }
  return all;
}

/**
 * A change of the round after a lost create. Where anything is new under the name, whatever it contains, it may be what
 * the create made. The run then sends nothing of this name a second time, with whatever allowance: the next plan shows
 * a person what is there. Null to leave the change out.
 *
 * | the change                                   | it becomes                                      |
 * |----------------------------------------------|-------------------------------------------------|
 * | creates nothing, or nothing is new           | itself                                          |
 * | replaces what the lost create made           | nothing: the final scan says that it is needed  |
 * | any other that creates, or may               | blocked                                         |
 */
export function notAgain(change: Change, newcomers: Newcomers, { verdicts }: Inspection): Change | null {
  const ids = newcomers.get(formatAddress(change.address));
  if (ids === undefined || !mayCreate(change)) return change;
  const isFound = verdicts.some(
    ({ conclusion }) => conclusion?.outcome === 'adopted' && conclusion.live_id === change.live_id,
  );
  return isFound && change.action === 'replace' ? null : held(change, notAgainWords(ids));
}

/** What is new under the name, and what to do next. */
export function notAgainWords(ids: readonly string[]): string {
  const [is, it] = ids.length === 1 ? ['is', 'It'] : ['are', 'One of them'];
  return `Not created again, because ${ids.join(', ')} ${is} new under this name since the create without an answer. ${it} may be what that create made, changed or stopped since by the service or a person. Look at it in the service, then run "herald plan".`;
}
