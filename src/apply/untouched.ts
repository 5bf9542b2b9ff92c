import type { Change, ChangeKind, Outcome } from '../domain/change.ts';
import { outcomeOf } from './change-run.ts';

/** Equal to what was sent. Another person may have made it just then. */
const FOUND = 'found for a create of an earlier run that got no answer';

/** A broadcast may have been sent by the time at which it is found. */
const STAYS: readonly ChangeKind[] = ['keep', 'done'];

/** The outcome of a change that sends nothing. `adopted` are live ids that lost creates turned out to have made. */
export function untouchedOutcome(change: Change, adopted: ReadonlySet<string>): Outcome {
  const isAdopted = STAYS.includes(change.action) && change.live_id !== null && adopted.has(change.live_id);
  if (isAdopted) return outcomeOf(change, 'adopted', change.live_id, FOUND);
  if (change.action === 'missed') return outcomeOf(change, 'missed', null, change.reasons.join(' '));
  if (change.action !== 'blocked') return outcomeOf(change, 'unchanged', change.live_id, '');
  const needs = change.needs.map((need) => `It needs --allow ${need}.`);
  const blocked = outcomeOf(change, 'not_attempted', change.live_id, [...change.reasons, ...needs].join(' '));
  return {
    ...blocked,
    ...(change.needs.length === 0 ? {} : { needs: change.needs }),
    ...(change.unreviewed === undefined ? {} : { unreviewed: { ...change.unreviewed, fields: [] } }),
    ...(change.unapproved === undefined ? {} : { unapproved: change.unapproved }),
  };
}
