import { SCHEDULE_LEAD_MS } from '../domain/broadcast.ts';
import { groupBy } from '../domain/group-by.ts';
import type { Observed, ObservedBroadcast, ObservedCampaign } from '../domain/resource.ts';
import {
  broadcastStatusOf,
  campaignStatusOf,
  isArchived,
  isPaused,
  STATUS_TRAITS,
} from '../domain/status.ts';
import { passedEnd } from '../domain/time.ts';
import { isNamedByItsText, type Index } from '../plan/decide/group.ts';
import { nameKey } from '../workspace/text.ts';
import { leaveOut, type LeftOut, type LeftOutCode } from './shape.ts';

/**
 * Of the live objects that no file declares, the ones that can be declared. `taken` are the names of what is
 * declared already, as `nameKey` writes them. Names that a person takes for the same are one group.
 *
 * | of the group                                 | imported                                  |
 * |----------------------------------------------|-------------------------------------------|
 * | one is running                               | the running one                           |
 * | none, and one was not replaced by Herald     | that one                                  |
 * | none, and there is only one                  | that one                                  |
 * | anything else                                | none: they cannot be told apart           |
 */
export function chooseImportable(
  unclaimed: readonly Observed[],
  taken: ReadonlySet<string>,
  { rowOf, facts }: Index,
): {
  /** At most one per account, kind and name. */
  readonly chosen: readonly Observed[];
  readonly leftOut: readonly LeftOut[];
} {
  const leftOut: LeftOut[] = [];
  const candidates = unclaimed.filter((object) => {
    const refusal = refuse(object, facts.time.latestMs);
    if (refusal !== null) leftOut.push(leaveOut(object, ...refusal));
    return refusal === null;
  });
  const isReplaced = (object: Observed) => {
    const row = rowOf(object);
    return row?.replaced_by != null || (row?.status_by === 'apply' && row.status_why === 'duplicate');
  };
  const chosen: Observed[] = [];
  const groups = groupBy(candidates, ({ account, kind, live }) =>
    nameKey({ account, kind, name: live.name ?? '' }),
  );
  for (const [key, group] of groups) {
    const running = group.filter(({ live }) => !isPaused(live));
    const current = group.filter((object) => !isReplaced(object));
    const [only, second] = [running, current, group].find(({ length }) => length > 0) ?? [];
    const one = second === undefined && !taken.has(key) ? only : undefined;
    if (one !== undefined) chosen.push(one);
    for (const object of group)
      if (object !== one) leftOut.push(explainOthers(object, one, group, taken.has(key)));
  }
  return { chosen, leftOut };
}

function explainOthers(
  object: Observed,
  chosen: Observed | undefined,
  group: readonly Observed[],
  isTaken: boolean,
): LeftOut {
  if (isTaken)
    return leaveOut(object, 'name-collision', 'A file declares a very similar name for this account.');
  if (chosen !== undefined) {
    const reason = `It is an older version: it is paused, and ${chosen.live.id} has the same name.`;
    return leaveOut(object, 'superseded', reason);
  }
  const others = group.filter((one) => one !== object).map((one) => one.live.id);
  const reason = `${others.join(', ')} with the same name can be declared too. Archive or pause all but one.`;
  return leaveOut(object, 'name-collision', reason);
}

type Refusal = readonly [code: LeftOutCode, reason: string];

/** Why a live object cannot be declared. Null if it runs or is paused, and everything about it can be read. */
function refuse(object: Observed, nowMs: number): Refusal | null {
  const { name, rules, audience_filters: filters } = object.live;
  if (name === null || name === undefined || name === '')
    return ['nameless', 'It has no name, which is all that files and live objects are matched by.'];
  if (isNamedByItsText(object))
    return ['nameless', 'It has no name of its own: the service shows its text instead.'];
  const refusal = object.kind === 'campaign' ? refuseCampaign(object, nowMs) : refuseBroadcast(object, nowMs);
  if (refusal !== null) return refusal;
  // Rules or an audience that are not shown are unknown, and must not be declared as none.
  if (filters === null || filters === undefined)
    return ['unreadable', 'The service does not show its audience.'];
  if (rules === null || rules === undefined) return ['unreadable', 'The service does not show its rules.'];
  return null;
}

function refuseCampaign({ live }: ObservedCampaign, nowMs: number): Refusal | null {
  const status = live.status ?? 'null';
  const { runs, recalled } = STATUS_TRAITS[campaignStatusOf(live)];
  if (isArchived(live)) return ['archived', 'It is archived.'];
  if (recalled) return ['recalled', `It was recalled: its status is ${status}.`];
  if (!runs && !isPaused(live))
    return ['unknown-status', `Its status "${status}" is unknown to this version of Herald.`];
  const endAt = passedEnd(live.rules, nowMs);
  if (endAt !== null) return ['ended', `Its end ${endAt} has passed.`];
  const needsMessages = live.action === 'send_message' && (live.messages ?? []).length === 0;
  if (typeof live.action !== 'string' || typeof live.trigger !== 'string' || needsMessages)
    return ['unreadable', 'The service does not show its action, its trigger or its messages.'];
  return null;
}

/** A missing schedule proves that it has left (BROADCAST-11). */
function refuseBroadcast({ live }: ObservedBroadcast, nowMs: number): Refusal | null {
  const { status, scheduled_at: scheduledAt } = live;
  const { runs, goingOut } = STATUS_TRAITS[broadcastStatusOf(live)];
  if (isArchived(live)) return ['archived', 'It is archived.'];
  if (scheduledAt == null || goingOut || (!runs && !isPaused(live)))
    return ['left', `It has left already, in whole or in part: its status is ${status ?? 'null'}.`];
  if (Date.parse(scheduledAt) - nowMs < SCHEDULE_LEAD_MS)
    return ['too-late', `Its hour ${scheduledAt} has passed or is too near.`];
  if ((live.messages ?? []).length === 0) return ['unreadable', 'The service does not show its messages.'];
  return null;
}
