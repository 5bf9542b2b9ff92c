import { liveKey } from '../apply/merge-reports.ts';
import type { ApplyReport, Outcome, OutcomeKind } from '../domain/change.ts';
import { formatAddress } from '../domain/resource.ts';
import type { Inspection } from './source.ts';

/** Outcomes of changes that this run made. */
const DONE: readonly OutcomeKind[] = ['applied', 'adopted'];
/** Outcomes of a change of which a later step was refused or got no answer. */
const CUT_SHORT: readonly OutcomeKind[] = ['failed', 'unknown'];

/**
 * The outcomes after which something may be live that was not before. Next to that, copies of others have to be stopped.
 * An old version that was not stopped is named in the message of its outcome, and is left to the next run.
 *
 * | outcome                                        | counts |
 * |------------------------------------------------|--------|
 * | applied, adopted                               | yes    |
 * | failed, unknown: it created its new version    | yes    |
 * | failed, unknown: its object was there before   | no     |
 * | any other                                      | no     |
 */
export function outcomesWithLive(
  { outcomes }: ApplyReport,
  { observed }: Pick<Inspection, 'observed'>,
): readonly Outcome[] {
  const before = new Set(observed.map(({ kind, live }) => liveKey(kind, live.id)));
  const isNew = ({ address, live_id: id }: Outcome) => id !== null && !before.has(liveKey(address.kind, id));
  return outcomes.filter(
    (outcome) => DONE.includes(outcome.outcome) || (CUT_SHORT.includes(outcome.outcome) && isNew(outcome)),
  );
}

/** The addresses of some outcomes. */
export function addressesIn(outcomes: readonly Outcome[]): ReadonlySet<string> {
  return new Set(outcomes.map(({ address }) => formatAddress(address)));
}
