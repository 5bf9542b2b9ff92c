import type { Change, Plan } from '../domain/change.ts';
import { formatAddress } from '../domain/resource.ts';
import { carryOutChanges, lookNow, unlessUnread, type Work } from './work.ts';
import type { Look } from './look.ts';
import type { Reason } from './reasons.ts';
import type { Result } from './run.ts';

const DONE: readonly Result['outcome'][] = ['applied', 'adopted'];
const AS_DECLARED: readonly Change['action'][] = ['keep', 'done', 'unmanaged'];

/**
 * Looks once more after the last write. New copies of what this run created are stopped, and what else is not as declared by
 * now is a reason next to its change. A look that fails changes nothing of the report.
 */
export async function lookLast(
  work: Work,
  { agreed, results }: { readonly agreed: Look; readonly results: readonly Result[] },
): Promise<readonly Result[]> {
  const done = results.filter(
    ({ outcome, reasons }) => DONE.includes(outcome) || reasons.some(({ kind }) => kind === 'new-is-live'),
  );
  if (done.length === 0 || work.run.interrupted.aborted) return results;
  const after = await unlessUnread(work, () => lookNow(work));
  if (after === null) return results;
  const doneAt = new Set(done.map(({ change }) => formatAddress(change.address)));
  const known = new Set(agreed.facts.observed.map(({ live }) => live.id));
  const copies = after.plan.changes.filter(
    (change) =>
      change.action === 'retire' &&
      change.live_id !== null &&
      !known.has(change.live_id) &&
      doneAt.has(formatAddress(change.address)),
  );
  const stopped = await carryOutChanges(work, after, copies);
  const before = new Set(agreed.plan.diagnostics.map(({ message }) => message));
  const news = after.plan.diagnostics.filter(
    ({ severity, message }) => severity !== 'info' && !before.has(message),
  );
  return [...results.map((result) => describeSince(result, { after, copies, news })), ...stopped];
}

interface Since {
  readonly after: Look;
  readonly copies: readonly Change[];
  /** Warnings that the agreed plan did not have. */
  readonly news: Plan['diagnostics'];
}

/** A change that was confirmed, and that a look after it does not show: a person or the service has changed it again. */
function describeSince(result: Result, { after, copies, news }: Since): Result {
  if (!DONE.includes(result.outcome)) return result;
  const address = formatAddress(result.change.address);
  const now = after.plan.changes.filter(
    (change) =>
      formatAddress(change.address) === address &&
      !AS_DECLARED.includes(change.action) &&
      !copies.includes(change),
  );
  const reasons = now.map((change): Reason => {
    const live = after.facts.observed.find(
      ({ live: { id } }) => id === (change.live_id ?? result.liveId),
    )?.live;
    return change.action === 'blocked'
      ? { kind: 'planned', reasons: change.reasons }
      : { kind: 'needs-again', action: change.action, id: change.live_id, status: live?.status ?? null };
  });
  const warnings = news.filter((one) => one.address === address).map(({ message }) => message);
  if (warnings.length > 0) reasons.push({ kind: 'planned', reasons: warnings });
  return reasons.length === 0 ? result : { ...result, reasons: [...result.reasons, ...reasons] };
}
