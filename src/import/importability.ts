import { SCHEDULE_LEAD_MS } from '../domain/broadcast.ts';
import { isSameName } from '../domain/text.ts';
import { passedEnd } from '../domain/time.ts';
import {
  KIND_ROWS,
  type Observed,
  type ObservedBroadcast,
  type ObservedCampaign,
} from '../domain/resource.ts';
import {
  broadcastStatusOf,
  campaignStatusOf,
  isArchived,
  isPaused,
  STATUS_TRAITS,
} from '../domain/status.ts';
import type { LeftOutCode } from './left-out.ts';

/** What a live object is for an import: `runs` and `paused` can be declared, the rest says why not. */
export type Importability =
  | { readonly kind: 'runs' | 'paused' }
  | { readonly kind: 'no'; readonly code: LeftOutCode; readonly reason: string };

/**
 * | campaign             | broadcast                    | importability |
 * |----------------------|------------------------------|----------------|
 * | no name              | no name of its own           | nameless       |
 * | archived             | archived                     | archived       |
 * | recalled, recalling… | –                            | recalled       |
 * | another status       | –                            | unknown-status |
 * | –                    | no schedule, another status  | left           |
 * | its end has passed   | –                            | ended          |
 * | –                    | its hour is near or past     | too-late       |
 * | nothing to read      | nothing to read              | unreadable     |
 * | active               | scheduled                    | runs           |
 * | paused               | paused                       | paused         |
 */
export function importabilityOf(object: Observed, nowMs: number): Importability {
  if (object.live.name === null || object.live.name === undefined || object.live.name === '')
    return no('nameless', 'It has no name, which is all that files and live objects are matched by.');
  if (isNamedByItsText(object))
    return no('nameless', 'It has no name of its own: the service shows its text instead.');
  return object.kind === 'campaign'
    ? campaignImportability(object, nowMs)
    : broadcastImportability(object, nowMs);
}

function campaignImportability({ live }: ObservedCampaign, nowMs: number): Importability {
  const text = live.status ?? 'null';
  const { runs, recalled } = STATUS_TRAITS[campaignStatusOf(live)];
  if (isArchived(live)) return no('archived', 'It is archived.');
  if (recalled) return no('recalled', `It was recalled: its status is ${text}.`);
  if (!runs && !isPaused(live))
    return no('unknown-status', `Its status "${text}" is unknown to this version of Herald.`);
  const endAt = passedEnd(live.rules, nowMs);
  if (endAt !== null) return no('ended', `Its end ${endAt} has passed.`);
  const needsMessages = live.action === 'send_message' && (live.messages ?? []).length === 0;
  if (typeof live.action !== 'string' || typeof live.trigger !== 'string' || needsMessages)
    return no('unreadable', 'The service does not show its action, its trigger or its messages.');
  return readable(live, runs ? 'runs' : 'paused');
}

/** A missing schedule proves that it has left (BROADCAST-11). */
function broadcastImportability({ live }: ObservedBroadcast, nowMs: number): Importability {
  const { status, scheduled_at: scheduledAt } = live;
  const { runs, goingOut } = STATUS_TRAITS[broadcastStatusOf(live)];
  const willRun = runs && !goingOut;
  if (isArchived(live)) return no('archived', 'It is archived.');
  const waits = scheduledAt !== null && scheduledAt !== undefined;
  if (!waits || (!willRun && !isPaused(live)))
    return no('left', `It has left already, in whole or in part: its status is ${status ?? 'null'}.`);
  if (Date.parse(scheduledAt) - nowMs < SCHEDULE_LEAD_MS)
    return no('too-late', `Its hour ${scheduledAt} has passed or is too near.`);
  if ((live.messages ?? []).length === 0) return no('unreadable', 'The service does not show its messages.');
  return readable(live, willRun ? 'runs' : 'paused');
}

/** Rules or an audience that are not shown are unknown, and must not be declared as none. */
function readable(
  { rules, audience_filters: filters }: Observed['live'],
  kind: 'runs' | 'paused',
): Importability {
  if (filters === null || filters === undefined)
    return no('unreadable', 'The service does not show its audience.');
  if (rules === null || rules === undefined) return no('unreadable', 'The service does not show its rules.');
  return { kind };
}

/** A nameless single-message broadcast reads with its text as its name (BROADCAST-24). */
function isNamedByItsText({ kind, live }: Observed): boolean {
  const [only, second] = live.messages ?? [];
  return KIND_ROWS[kind].readsAsItsText && second === undefined && isSameName(only?.text, live.name);
}

function no(code: LeftOutCode, reason: string): Importability {
  return { kind: 'no', code, reason };
}
