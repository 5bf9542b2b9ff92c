import { SCHEDULE_LEAD_MS } from '../../domain/content.ts';
import type { DiagnosticCode } from '../../domain/codes.ts';
import { type DeclaredBroadcast, formatApply } from '../../domain/resource.ts';
import { isArchived, isPaused, STATUS_TRAITS, readStatus } from '../../domain/status.ts';
import { parseInstant } from '../compare/fields.ts';
import {
  blocked,
  blockOpen,
  blockUnforeseen,
  blockUnread,
  change,
  CREATE,
  createNew,
  decideByTable,
  findFirst,
  findUnconfirmed,
  inState,
  isEqual,
  isMadeFrom,
  isUnreadable,
  keep,
  keepLowest,
  needResume,
  replaceRunning,
  row,
  startPaused,
  step,
  stopAll,
  stopDeclared,
  stopOther,
  warning,
  warnRefusedRecall,
  wasRecalled,
  type Cell,
  type Decision,
  type Row,
} from './decision.ts';
import { commandFor, isRefused, isStoppedByPerson, toStop, type Group, type Version } from './group.ts';

type BroadcastCase = Group<DeclaredBroadcast>;

/** A replace this long before the hour is not begun: the pause may arrive too late, or the create. */
const REPLACE_LEAD_MS = 10 * 60_000;

/** What a file that stops it decides for whatever waits, and for whatever is paused. */
const WAITS = { paused: stopAll('pause'), recalled: recallAll };
const PAUSED = { ...WAITS, near: missed };

/**
 * What to do, by what is live (the first row that fits) and what is declared:
 *
 * | live                              | hour ≥ 5 min away by both clocks      | nearer, or the clocks disagree | declared paused              | declared recalled       |
 * |-----------------------------------|---------------------------------------|--------------------------------|------------------------------|-------------------------|
 * | Herald recalled one               | blocked: new name                     | done                           | done                         | done                    |
 * | a request about it is unconfirmed | blocked                               | blocked                        | pause the others             | pause the others        |
 * | it has left                       | done; another hour: blocked, new name | done                           | done; warn if it still sends | recall²; archived: done |
 * | paused after it began to leave    | blocked, with both commands           | done                           | keep                         | recall²                 |
 * | waits, same                       | keep; pause copies                    | done; pause copies             | pause                        | pause, recall²          |
 * | waits, unreadable                 | blocked                               | done, warn                     | pause                        | pause, recall²          |
 * | waits, other                      | replace (only ≥ 10 min away)          | done, warn                     | pause                        | pause, recall²          |
 * | paused, unreadable                | blocked                               | missed                         | keep                         | recall²                 |
 * | paused by a person                | blocked¹                              | missed                         | keep                         | recall²                 |
 * | paused by Herald, same            | resume; refused: blocked, new name    | missed                         | keep                         | recall²                 |
 * | paused by Herald, other           | create                                | missed                         | keep                         | recall²                 |
 * | nothing                           | create                                | missed                         | keep                         | keep                    |
 * | anything else                     | blocked                               | blocked                        | pause                        | pause, recall²          |
 *
 * ¹ needs `resume`, ² needs `recall`. In the rows of what was recalled, has left or began to leave, whatever of the name
 * still waits is paused. What is archived with its hour never left: it counts as paused, other. A replace needs `resume` as
 * well if a person paused a version with the declared text.
 */
export const BROADCAST_TABLE: readonly Row<BroadcastCase, 'future' | 'near' | 'paused' | 'recalled'>[] = [
  row('Herald recalled one', ({ versions }) => versions.findLast(wasRecalled), {
    future: thenPause(blockRecalled),
    near: thenPause(doneRecalled),
    paused: thenPause(doneRecalled),
    recalled: thenPause(doneRecalled),
  }),
  row('a request about it is unconfirmed', findUnconfirmed, {
    future: blockOpen,
    near: blockOpen,
    paused: stopAll('pause', blockOpen),
    recalled: stopAll('pause', blockOpen),
  }),
  row('it has left', findFirst('left'), {
    future: thenPause(doneOrBlocked),
    near: thenPause(done),
    paused: thenPause(done),
    recalled: recallAll,
  }),
  row('paused after it began to leave', (the) => findEqualFirst(inState(the, 'halted')), {
    future: thenPause(blockHalted),
    near: thenPause(done),
    paused: thenPause(keep),
    recalled: recallAll,
  }),
  row('waits, same', findFirst('runs', isEqual), {
    future: (the, keeper) => keepLowest(the, keeper, 'keep', () => 'retire'),
    near: (the, keeper) => keepLowest(the, keeper, 'done', () => 'retire'),
    ...WAITS,
  }),
  row('waits, unreadable', findFirst('runs', isUnreadable), {
    future: blockUnread,
    near: doneTooLate,
    ...WAITS,
  }),
  row('waits, other', findFirst('runs'), { future: replace, near: doneTooLate, ...WAITS }),
  row('paused, unreadable', findFirst('paused', isUnreadable), { future: blockUnread, ...PAUSED }),
  row('paused by a person', (the) => findEqualFirst(stopsOfPeople(the)), {
    future: needResume,
    ...PAUSED,
  }),
  row('paused by Herald, same', findFirst('paused', isEqual), { future: resume, ...PAUSED }),
  row('paused by Herald, other', (the) => neverLeft(the)[0], { future: create, ...PAUSED }),
  row('nothing', (the) => (the.versions.length === 0 ? the : null), {
    future: create,
    near: missed,
    paused: keep,
    recalled: keep,
  }),
  row('anything else', (the) => the, { future: blockUnforeseen, near: blockUnforeseen, ...WAITS }),
];

export function decideBroadcast(the: BroadcastCase): Decision {
  const { declared, facts } = the;
  if (declared.atOnce === true) return decideNow(the);
  // The clock that is ahead decides; where it cannot be read, nothing starts.
  const column = isAhead(declared.scheduledAtUtc, facts.time.latestMs) ? 'future' : 'near';
  return decideByTable(BROADCAST_TABLE, declared.target === 'scheduled' ? column : declared.target, the);
}

// What the rows look at.

/** What never went out, archived ones included. */
function neverLeft(the: BroadcastCase): readonly Version[] {
  return inState(the, 'paused', 'archived');
}

function stopsOfPeople(the: BroadcastCase): readonly Version[] {
  return neverLeft(the).filter((version) => isStoppedByPerson(the, version));
}

/** That of the declared text before any other. */
function findEqualFirst(versions: readonly Version[]): Version | undefined {
  return versions.find(isEqual) ?? versions[0];
}

function isGoingOut({ observed }: Version): boolean {
  return STATUS_TRAITS[readStatus(observed.live)].goingOut;
}

/** An hour so far away that a start arrives before it. One that has passed would go out at once (BROADCAST-6). */
function isAhead(hour: string | null, nowMs: number, leadMs = SCHEDULE_LEAD_MS): boolean {
  return Date.parse(hour ?? '') - nowMs >= leadMs;
}

// The cells of a broadcast that is declared scheduled.

function create(the: BroadcastCase): Decision {
  const checks = inState(the, 'paused').map((one) => step('check_not_left', one));
  const effect = `Goes out at ${the.declared.scheduledAtUtc}.`;
  return createNew(the, neverLeft(the), effect, [...checks, ...CREATE]);
}

/** What still waits after one of the name was sent or recalled would be a second send (BROADCAST-14). */
function thenPause(cell: Cell<BroadcastCase, Version>): Cell<BroadcastCase, Version> {
  const reason = 'A broadcast of this name was already sent or recalled: fans would get it twice.';
  return (the, found) => {
    const waiting = toStop(the, 'runs').filter(({ state }) => state === 'runs');
    return [...cell(the, found), ...waiting.map((version) => stopOther(the, version, 'retire', reason))];
  };
}

/** Pause, look that it has not left, create. Never the other way round: a crash would send both. */
function replace(the: BroadcastCase, first: Version): Decision {
  const { declared, facts } = the;
  const stopped = stopsOfPeople(the).find(isEqual);
  // A person let another version wait instead: to send the declared text all the same needs that person.
  if (stopped !== undefined) return needResume(the, stopped);
  const waiting = inState(the, 'runs');
  const hours = [declared.scheduledAtUtc, ...waiting.map(({ hour }) => hour)];
  if (!hours.every((hour) => isAhead(hour, facts.time.latestMs, REPLACE_LEAD_MS))) {
    // A pause right before the hour may arrive when it has left, and then fans would get both.
    const reason = `It differs from the file, and its time is less than ${REPLACE_LEAD_MS / 60_000} minutes away, which is too near to replace it. ${first.id} goes out at ${first.hour ?? 'an unknown time'} with its live content. To stop it: ${commandFor('pause', first.observed)}. To send it later, give it a new name and time.`;
    return [blocked(declared, reason, first)];
  }
  const steps = [
    ...waiting.flatMap((version) => [step('pause', version), step('check_not_left', version)]),
    ...inState(the, 'paused').map((version) => step('check_not_left', version)),
    ...CREATE,
  ];
  return replaceRunning(the, first, 'The old version stays paused permanently.', steps);
}

function resume(the: BroadcastCase, version: Version): Decision {
  const { declared, facts } = the;
  if (isRefused(version, 'queued', facts)) {
    const reason = `The service does not resume ${version.id}: it refuses that 5 days after the pause. To send it, give it a new name.`;
    return [blocked(declared, reason, version)];
  }
  // The files may ignore the hour.
  if (!isAhead(version.hour, facts.time.latestMs)) {
    const command = commandFor('resume', version.observed);
    const reason = `Its live time ${version.hour ?? ''} has passed or is too near, and the file ignores scheduled_at. If it is resumed, it may go out immediately. To do that: ${command}. Or remove scheduled_at from \`ignore\`.`;
    return [blocked(declared, reason, version)];
  }
  return startPaused(the, version, `Goes out at ${version.hour ?? ''}.`);
}

function blockRecalled({ declared }: BroadcastCase, version: Version): Decision {
  const reason = `Herald recalled ${version.id}, a broadcast with this name. To send it again, give it a new name.`;
  return [blocked(declared, reason, version)];
}

/** Sent for this hour, it is done. A file with another hour asks for a second send under one name. */
function doneOrBlocked(the: BroadcastCase, version: Version): Decision {
  const { declared } = the;
  const left = inState(the, 'left');
  const isOfThisHour = left.some(
    (one) => isMadeFrom(one, declared) || parseInstant(one.hour) === parseInstant(declared.scheduledAtUtc),
  );
  if (isOfThisHour) return done(the, version);
  const reason = 'A broadcast with this name was already sent. To send it again, give it a new name.';
  return [blocked(declared, reason, left.at(-1) ?? null)];
}

function blockHalted({ declared }: BroadcastCase, version: Version): Decision {
  const reason = `It was paused after it had begun to go out. ${explainGoOn(version)} To send it again, give it a new name.`;
  return [blocked(declared, reason, version)];
}

function explainGoOn({ observed }: Version): string {
  return `To send the rest: ${commandFor('resume', observed)}. To recall it: ${commandFor('recall', observed)}.`;
}

/** Too late to replace: what waits goes out as it is, which the files no longer say. */
function doneTooLate(the: BroadcastCase, version: Version): Decision {
  const { declared } = the;
  const what = `goes out with its live content, because ${declared.scheduledAtUtc} has passed or is too near to replace it`;
  return [
    change(declared, 'done', { version, fields: version.comparison.fields }),
    ...warnGoing(the, inState(the, 'runs'), 'too-late', what),
  ];
}

/** Never started any more: a schedule in the past goes out at once (BROADCAST-6). */
function missed({ declared, versions, facts: { time } }: BroadcastCase): Decision {
  const at = declared.scheduledAtUtc;
  const apartSec = Math.round((time.latestMs - time.earliestMs) / 1_000);
  const isUnsure = isAhead(at, time.earliestMs);
  const reason = isUnsure
    ? `Its time ${at} may have passed: this machine's clock and the service's are ${apartSec} s apart.`
    : `Its time ${at} has passed, or is less than ${SCHEDULE_LEAD_MS / 60_000} minutes away.`;
  const next = isUnsure
    ? `Check this machine's clock. Then: ${formatApply(declared.address)}`
    : 'Change scheduled_at and the name, or remove it.';
  const message = `${reason} Herald does not start it, because the service would send it immediately. ${next}`;
  return [
    change(declared, 'missed', { version: versions.at(-1) ?? null, reasons: [reason] }),
    warning(declared, 'missed', message),
  ];
}

/** It was sent, so it is done permanently. Stopping one half-way is a person's decision (BROADCAST-15). */
function done(the: BroadcastCase, version: Version): Decision {
  const { declared, versions } = the;
  const going = versions.filter(isGoingOut);
  return [
    change(declared, 'done', { version }),
    ...(declared.target === 'paused'
      ? warnGoing(the, going, 'going-out', 'is going out, and an apply does not pause it half-way')
      : warnGoing(the, going.slice(1), 'going-out-twice', 'goes out as well, so fans get both')),
  ];
}

/** A recalled one that is sent again has been resumed by someone, or its recall is not over. */
function doneRecalled(the: BroadcastCase, version: Version): Decision {
  const again = the.versions.filter((one) => wasRecalled(one) && isGoingOut(one));
  return [
    change(the.declared, 'done', { version }),
    ...warnGoing(the, again, 'goes-on', 'was recalled, but goes out again'),
  ];
}

function warnGoing(
  { declared }: BroadcastCase,
  versions: readonly Version[],
  code: DiagnosticCode,
  what: string,
): Decision {
  return versions.map(({ id, observed }) => {
    const message = `${id} (${observed.live.status ?? 'no status'}) ${what}. To stop it: ${commandFor('pause', observed)}`;
    return warning(declared, code, message);
  });
}

// The cells of a broadcast that is declared paused or recalled.

/**
 * What waits is paused first, also without the allowance of the recall. What is archived is too old for a recall, and what
 * the service refused to recall is done with a warning.
 */
function recallAll(the: BroadcastCase): Decision {
  const { declared, versions, facts } = the;
  const decided = toStop(the, 'runs', 'paused', 'halted', 'left')
    .filter(({ observed }) => !isArchived(observed.live))
    .flatMap((version): Decision => {
      if (version.state !== 'runs')
        return [warnRefusedRecall(the, version) ?? stopDeclared(the, version, 'recall')];
      const pauses = facts.allow.has('recall') ? [] : [stopDeclared(the, version, 'pause')];
      const steps = [step('pause', version), step('recall', version)];
      return [...pauses, stopDeclared(the, version, 'recall', steps)];
    });
  if (decided.some((one) => 'action' in one)) return decided;
  return [...decided, change(declared, 'done', { version: versions[0] ?? null })];
}

/** A broadcast that is sent at once is created if nothing has its name, and is done if Herald has sent it. */
function decideNow(the: BroadcastCase): Decision {
  const request = findUnconfirmed(the);
  if (request !== undefined) return blockOpen(the, request);
  if (the.versions.length > 0) return sentOnce(the);
  const effect = 'It has no schedule: it goes out NOW, as soon as the service has queued it.';
  // What is gone cannot be read back.
  return createNew(the, [], effect, CREATE.slice(0, 1), ['now']);
}

/** A name is sent once. What Herald made from this content was sent by an earlier command. */
function sentOnce(the: BroadcastCase): Decision {
  const { declared, versions } = the;
  const own = inState(the, 'left', 'halted').find((one) => isMadeFrom(one, declared));
  if (own === undefined) {
    const [first = null] = versions;
    const reason = `${first?.id ?? 'Another broadcast'} has the same name already (${first?.observed.live.status ?? 'no status'}). Fans could get the message twice. Give it a new name.`;
    return [blocked(declared, reason, first)];
  }
  if (isPaused(own.observed.live) && !wasRecalled(own))
    return [
      blocked(declared, `Herald has sent it as ${own.id}, which is paused now. ${explainGoOn(own)}`, own),
    ];
  const others = versions.filter((one) => one !== own && (one.state === 'runs' || isGoingOut(one)));
  return [
    change(declared, 'done', { version: own, reasons: [`Herald has sent it as ${own.id}.`] }),
    ...warnGoing(the, others, 'going-out-twice', `has the same name as ${own.id}, so fans get both`),
  ];
}
