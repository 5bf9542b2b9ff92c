import type { Change, Outcome } from '../domain/change.ts';
import { outcomeOf } from './change-run.ts';

/** Equal to what was sent. Another person may have made it just then. */
const FOUND = 'found for a create of an earlier run that got no answer';

/** The outcome of a change that sends nothing. `adopted` are the objects that a create of an earlier run has made. */
export function withoutRequest(change: Change, adopted: ReadonlySet<string>): Outcome {
  const { action, live_id: liveId, reasons, needs, unreviewed, unapproved } = change;
  if (action === 'keep' && liveId !== null && adopted.has(liveId))
    return outcomeOf(change, 'adopted', liveId, FOUND);
  if (action === 'missed') return outcomeOf(change, 'missed', null, reasons.join(' '));
  if (action !== 'blocked') return outcomeOf(change, 'unchanged', liveId, '');
  const words = [...reasons, ...needs.map((need) => `It needs --allow ${need}.`)];
  return {
    ...outcomeOf(change, 'not_attempted', liveId, words.join(' ')),
    ...(needs.length === 0 ? {} : { needs }),
    ...(unreviewed === undefined ? {} : { unreviewed: { ...unreviewed, fields: [] } }),
    ...(unapproved === undefined ? {} : { unapproved }),
  };
}
