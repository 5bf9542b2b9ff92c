import { mayCreate } from '../apply/fresh-list.ts';
import type { Change } from '../domain/change.ts';
import { planningCommand } from '../domain/creating-command.ts';
import { formatAddress, type Declared } from '../domain/resource.ts';
import { blockChange } from '../plan/guards/guards.ts';
import type { Inspection } from './source.ts';

/** Ids that are new under the name of an unconfirmed create, by formatted address. */
export type NewIds = ReadonlyMap<string, readonly string[]>;

/** The findings of earlier looks of the run, and those of this one. A verdict disappears once its entry is closed. */
export function addNewIds(earlier: NewIds, { verdicts }: Inspection): NewIds {
  const all = new Map(earlier);
  for (const { entry, newcomers } of verdicts) {
    if (newcomers.length === 0) continue;
    const key = formatAddress(entry.address);
    all.set(key, [...new Set([...(all.get(key) ?? []), ...newcomers])]);
  }
  return all;
}

/**
 * A change of the round after an unconfirmed create. Anything new with the name, with any content, may be the result of
 * that create. So the run sends nothing with this name a second time, with any allowance: the next plan shows a person
 * what exists. Null to leave the change out.
 *
 * | the change                                   | it becomes                                      |
 * |----------------------------------------------|-------------------------------------------------|
 * | creates nothing, or nothing is new           | itself                                          |
 * | replaces what the lost create made           | nothing: the final scan says that it is needed  |
 * | any other that creates, or may               | blocked                                         |
 */
export function blockSecondCreate(
  change: Change,
  newcomers: NewIds,
  { verdicts }: Inspection,
  declared: readonly Declared[],
): Change | null {
  const ids = newcomers.get(formatAddress(change.address));
  if (ids === undefined || !mayCreate(change)) return change;
  const isFound = verdicts.some(
    ({ conclusion }) => conclusion?.outcome === 'adopted' && conclusion.live_id === change.live_id,
  );
  const why = notAgainWords(formatAddress(change.address), ids, declared);
  return isFound && change.action === 'replace' ? null : blockChange(change, why);
}

/** The new objects with the name, and what to do next. */
export function notAgainWords(
  address: string,
  ids: readonly string[],
  declared: readonly Declared[],
): string {
  const command = planningCommand(declared.find((one) => formatAddress(one.address) === address));
  const [is, it] = ids.length === 1 ? ['is', 'It'] : ['are', 'One of them'];
  return `Not created again, because ${ids.join(', ')} ${is} new with this name since the unconfirmed create. ${it} may be the result of that create, and the service or a person may have changed or stopped it since. Check it on the service, then run "${command}".`;
}
