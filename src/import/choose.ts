import { SCHEDULE_LEAD_MS } from '../domain/broadcast.ts';
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
import { isSameName } from '../domain/text.ts';
import { passedEnd } from '../domain/time.ts';
import { foldName } from '../workspace/text.ts';
import { leaveOut, type LeftOut, type LeftOutCode } from './left-out.ts';

export interface Choice {
  /** At most one per account, kind and name. */
  readonly chosen: readonly Observed[];
  readonly leftOut: readonly LeftOut[];
}

/** Key of a used name: `account/kind/name`, with the name folded. */
export function nameKey(account: string, kind: string, name: string): string {
  return `${account}/${kind}/${foldName(name)}`;
}

/**
 * Of the live objects that no file declares, the ones that can be declared. `taken` are the names of what is
 * declared already, as `nameKey` writes them. Names that a person takes for the same are one group. `isReplaced` tells
 * the versions that Herald itself stopped for another one.
 *
 * | running in the group | paused | imported                       |
 * |----------------------|--------|--------------------------------|
 * | one                  | any    | the running one                |
 * | none                 | one    | the paused one                 |
 * | none                 | one, and replaced ones | the one that was not replaced |
 * | several              | any    | none: they cannot be told apart |
 * | none                 | several | none: they cannot be told apart |
 */
export function chooseImportable(
  unclaimed: readonly Observed[],
  taken: ReadonlySet<string>,
  nowMs: number,
  isReplaced: (object: Observed) => boolean,
): Choice {
  const leftOut: LeftOut[] = [];
  const groups = new Map<string, Candidate[]>();
  for (const object of unclaimed) {
    const importability = judgeImportability(object, nowMs);
    if (importability.kind === 'no') {
      leftOut.push(leaveOut(object, importability.code, importability.reason));
      continue;
    }
    const key = nameKey(object.account, object.kind, object.live.name ?? '');
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push({ object, importability: importability.kind });
  }
  const chosen: Observed[] = [];
  for (const [key, group] of groups) {
    const one = taken.has(key) ? null : pickOne(group, isReplaced);
    if (one !== null) chosen.push(one);
    for (const { object } of group) {
      if (object !== one) leftOut.push(describe(object, one, group, taken.has(key)));
    }
  }
  return { chosen, leftOut };
}

interface Candidate {
  readonly object: Observed;
  readonly importability: Exclude<Importability['kind'], 'no'>;
}

function pickOne(group: readonly Candidate[], isReplaced: (object: Observed) => boolean): Observed | null {
  const running = group.filter(({ importability }) => importability === 'runs');
  const current = group.filter(({ object }) => !isReplaced(object));
  const [only, second] = [running, current, group].find(({ length }) => length > 0) ?? [];
  return second === undefined ? (only?.object ?? null) : null;
}

function describe(
  object: Observed,
  chosen: Observed | null,
  group: readonly Candidate[],
  isTaken: boolean,
): LeftOut {
  if (isTaken)
    return leaveOut(object, 'name-collision', 'A file declares a very similar name for this account.');
  if (chosen !== null)
    return leaveOut(
      object,
      'superseded',
      `It is an older version: it is paused, and ${chosen.live.id} has the same name.`,
    );
  const others = group.filter((one) => one.object !== object).map((one) => one.object.live.id);
  const reason = `${others.join(', ')} with the same name can be declared too. Archive or pause all but one.`;
  return leaveOut(object, 'name-collision', reason);
}
/** What a live object is for an import: `runs` and `paused` can be declared, the rest says why not. */
type Importability =
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
function judgeImportability(object: Observed, nowMs: number): Importability {
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
