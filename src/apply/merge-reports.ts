import {
  OUTCOMES,
  type ApplyReport,
  type Change,
  type ChangeKind,
  type Outcome,
  type OutcomeKind,
} from '../domain/change.ts';
import { formatAddress } from '../domain/resource.ts';

/** Kinds that stop what should not run beside the declared resource: extra copies, other versions. */
const EXTRAS: readonly ChangeKind[] = ['retire', 'pause', 'archive'];

/**
 * Puts what a second look came to into the report of the first: an outcome that was unknown gets the end that
 * was found for it, and what had to be stopped beside it is added.
 */
export function mergeReports(first: ApplyReport, second: ApplyReport): ApplyReport {
  const found = new Map<string, Outcome[]>();
  for (const outcome of second.outcomes) {
    const key = formatAddress(outcome.address);
    found.set(key, [...(found.get(key) ?? []), outcome]);
  }
  const ends = first.outcomes.map((outcome) =>
    outcome.outcome === 'unknown' ? endOf(outcome, found.get(formatAddress(outcome.address)) ?? []) : outcome,
  );
  const known = new Set(first.outcomes.map(objectOf));
  const extras = second.outcomes.filter(
    (outcome) =>
      EXTRAS.includes(outcome.action) && outcome.outcome !== 'unchanged' && !known.has(objectOf(outcome)),
  );
  return reportOf([...ends, ...extras]);
}

/** How a lost answer is told whose effect is live. */
export const SHOWN = 'the answer was lost; the list shows that it was carried out';

/** A report with its counts. */
export function reportOf(outcomes: readonly Outcome[]): ApplyReport {
  const summary = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as ApplyReport['summary'];
  for (const { outcome } of outcomes) summary[outcome] += 1;
  return { schema: 'herald/apply/1', outcomes: [...outcomes], summary };
}

/**
 * | found for the address       | the unknown outcome becomes                      |
 * |-----------------------------|--------------------------------------------------|
 * | still unknown               | unknown, with the newer words                    |
 * | adopted                     | adopted                                          |
 * | applied                     | applied: it had not been carried out before      |
 * | failed                      | failed                                           |
 * | nothing to do, object there | applied: the answer was lost, the effect is live |
 * | its time is over, the same object there | unknown: that shows no pause, resume or replace |
 * | no file has it              | unknown                                          |
 * | missed while it was settled | unknown, which says that it is not there         |
 * | anything else               | unknown                                          |
 */
function endOf(unknown: Outcome, found: readonly Outcome[]): Outcome {
  // A stop is told by its own object only: beside it another version is kept, and beside a new version an old one stopped.
  const isStop = EXTRAS.includes(unknown.action);
  const main = found.filter(({ action, live_id: id }) =>
    isStop ? id === unknown.live_id : !EXTRAS.includes(action),
  );
  const pick = (kind: OutcomeKind) => main.find((outcome) => outcome.outcome === kind);
  const settled = pick('unknown') ?? pick('adopted') ?? pick('applied') ?? pick('failed');
  if (settled !== undefined)
    return {
      ...unknown,
      outcome: settled.outcome,
      live_id: settled.live_id ?? unknown.live_id,
      message: words(settled),
    };
  const there = pick('unchanged');
  if (there?.live_id != null && showsIt(unknown, there))
    return {
      ...unknown,
      outcome: 'applied',
      live_id: there.live_id,
      message: SHOWN,
    };
  return main.some(({ action }) => action === 'missed') ? { ...unknown, message: MISSED } : unknown;
}

/**
 * What no file declares is only listed, and what is done is not compared any more: neither says what became of a change
 * of this object. One that was not there before was made by it.
 */
function showsIt(unknown: Outcome, there: Outcome): boolean {
  if (there.action === 'done') return there.live_id !== unknown.live_id;
  return there.action !== 'unmanaged';
}

const MISSED =
  'Not created: nothing had come of the lost request when it could not come any more, and by then its time had passed or was too near for a second one. Move scheduled_at to send it.';

function words({ outcome, message }: Outcome): string {
  if (outcome === 'adopted') return 'the answer was lost; it was found in the list and taken over';
  if (outcome !== 'applied') return message;
  return ['the first answer was lost and nothing had come of it; done at the second attempt', message]
    .filter((part) => part !== '')
    .join('; ');
}

function objectOf({ action, address, live_id: id }: Pick<Change, 'action' | 'address' | 'live_id'>): string {
  return `${action} ${formatAddress(address)} ${id ?? ''}`;
}
