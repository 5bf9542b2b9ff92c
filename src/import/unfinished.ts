import { formatCommand } from '../domain/command-line.ts';
import { nameForm } from '../domain/text.ts';
import type { Observed } from '../domain/resource.ts';
import { isPaused } from '../domain/status.ts';
import { findNewest, isOpenRecall, type Group, type Index } from '../plan/decide/group.ts';
import type { OpenRequest } from '../state/shapes.ts';

/**
 * Why the difference between a file and its live objects is not drift: Herald has not finished its own change. Null if
 * it has.
 *
 * | open request about its names or objects | its newest own object                       | finished |
 * |-----------------------------------------|---------------------------------------------|----------|
 * | one, of any age                         | any                                         | no       |
 * | none                                    | paused for a replace, without a new version | no       |
 * | none                                    | any other, or there is none                 | yes      |
 */
export function explainUnfinished({ declared, versions, open }: Group): string | null {
  const { account } = declared.address;
  const [request] = open;
  if (request !== undefined) return explainOpen(request, account);
  const newest = findNewest(versions.filter(({ ours }) => ours));
  const row = newest?.known;
  // If it runs, someone started it again, and nothing is left of Herald's pause.
  const isOwed = row?.status_by === 'apply' && row.status_why === 'replace' && row.replaced_by === null;
  if (newest === null || !isOwed || !isPaused(newest.observed.live)) return null;
  return `Herald paused it on ${account} to replace it, and the new version is missing. Run ${formatCommand('apply')} first.`;
}

/** Why the status of an object that no file declares may be about to change. Null if it is not. */
export function explainUnsettled(object: Observed, { facts, rowOf }: Index): string | null {
  const { accountId, kind, live } = object;
  const names = [live.name, rowOf(object)?.name].flatMap((name) => (name ? [nameForm(name)] : []));
  const request = facts.open.find(
    (one) =>
      one.account_id === accountId &&
      one.kind === kind &&
      (one.live_id === live.id || names.includes(nameForm(one.name))),
  );
  return request === undefined ? null : explainOpen(request, object.account);
}

/** Also after its window: until an apply has judged it, its effect may be missing in a list or in the state. */
function explainOpen(request: OpenRequest, account: string): string {
  const { entry, operation, live_id: liveId, sent_at: sentAt } = request;
  // No run judges every recall, so a person closes it.
  const next = isOpenRecall(request)
    ? `Check on the service whether it was recalled, then run ${formatCommand('state', 'close', entry, '--because', '…')}.`
    : `Run ${formatCommand('apply')} first.`;
  const what = liveId === null ? operation : `${operation} of ${liveId}`;
  return `${what} on ${account}, sent at ${new Date(sentAt).toISOString()}, got no answer and may have succeeded. ${next}`;
}
