import { KIND_ROWS } from '../domain/kind.ts';
import type { Kind, Observed } from '../domain/resource.ts';
import {
  campaignStatusOf,
  isArchived,
  isNamed,
  isRecalled,
  showsTarget,
  statusOf,
  STATUS_TRAITS,
  type CampaignStatus,
  type TargetStatus,
} from '../domain/status.ts';
import { isEdited } from './edited.ts';
import type { Live } from '../live/read-object.ts';

/** What a request asks of an object that exists. */
export type Asked = TargetStatus | 'unsend';

/** A request that is about to be sent, and what it was decided from. */
export interface PlannedRequest {
  readonly kind: Kind;
  readonly asked: Asked;
  /** The object as the plan saw it. */
  readonly planned: Observed | undefined;
  /** The status that an earlier step of the same change gave it; null where none did. */
  readonly own: string | null;
  /** A copy of this very request got no answer and may have been carried out. */
  readonly mayBeDone: boolean;
  /** Part of a recall, which is meant for what has gone out as well. */
  readonly takesBack: boolean;
  /** It is a duplicate: while it goes out, each fan gets the message twice. */
  readonly isDuplicate: boolean;
  /** Decided for what the object says: with other content it would be another decision. */
  readonly forContent: boolean;
}

export type Finding = 'as planned' | 'edited' | 'begun' | 'moved';

/**
 * What a look right before the request says. The first row that fits:
 *
 * | the object now                                                    | it was           |
 * |-------------------------------------------------------------------|------------------|
 * | as the plan saw it, or as this change has left it; other content  | edited           |
 * | the same, with the same content, or the content does not matter   | as planned       |
 * | shows what an unanswered copy of this request asked for           | as planned       |
 * | recalled                                                          | moved            |
 * | whatever a recall can still reach                                 | as planned       |
 * | a duplicate of a broadcast has begun to go out                    | as planned       |
 * | another broadcast that is to be paused has begun to go out        | begun            |
 * | anything else                                                     | moved            |
 *
 * Whether a broadcast still has its hour is part of its state: without it, it has left.
 */
export function findingOf(intended: PlannedRequest, now: Live): Finding {
  const { kind, asked, planned, own, mayBeDone, takesBack, isDuplicate, forContent } = intended;
  const status = now.status ?? null;
  if (hasGoneOut(kind, now) === hasGoneOut(kind, planned?.live)) {
    const isExpected = status === (planned?.live.status ?? null) || (own !== null && status === own);
    if (isExpected)
      return forContent && planned !== undefined && isEdited(planned, now) ? 'edited' : 'as planned';
  }
  if (mayBeDone && isEffectOf(asked, now)) return 'as planned';
  if (wasRecalled(kind, now)) return 'moved';
  if (takesBack && CAN_TAKE_BACK[kind](now)) return 'as planned';
  if (stopsHalfWay(asked, now)) return isDuplicate ? 'as planned' : 'begun';
  return 'moved';
}

/** A pause of what has begun to go out. A broadcast knows no other stop. */
function stopsHalfWay(asked: Asked, now: Live): boolean {
  return asked === 'paused' && STATUS_TRAITS[statusOf(now)].goingOut;
}

/** A broadcast without its hour has left. */
export function hasGoneOut(kind: Kind, live: Live | undefined): boolean {
  return KIND_ROWS[kind].hasSchedule && hourOf(live) === null;
}

function hourOf(live: Live | undefined): string | null {
  return live !== undefined && 'scheduled_at' in live ? ((live.scheduled_at ?? null) as string | null) : null;
}

/** Whether it shows what a request may have come to. Without a status, a broadcast has gone out or was recalled. */
function isEffectOf(asked: Asked, now: Live): boolean {
  const isNone = statusOf(now) === 'none';
  if (asked === 'unsend') return isNone || isRecalled(now);
  return showsTarget(now, asked) || (asked === 'queued' && isNone);
}

/** A recalled broadcast has no status that the service names; with its hour it never left by itself. */
function wasRecalled(kind: Kind, live: Live): boolean {
  if (isRecalled(live)) return true;
  const { showsRecall, statusOf: statusOfKind } = KIND_ROWS[kind];
  return !showsRecall && !hasGoneOut(kind, live) && !isNamed(statusOfKind(live));
}

/** Campaigns that the service recalls (CAMPAIGN-12). */
const RECALLABLE: ReadonlySet<CampaignStatus> = new Set(['active', 'paused']);

const CAN_TAKE_BACK: Readonly<Record<Kind, (live: Live) => boolean>> = {
  campaign: (live) => RECALLABLE.has(campaignStatusOf(live)),
  broadcast: (live) => !isArchived(live),
};
