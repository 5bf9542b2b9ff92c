import { SCHEDULE_LEAD_MS } from '../../domain/broadcast.ts';
import type { DiagnosticCode } from '../../domain/codes.ts';
import { formatCommand } from '../../domain/command-line.ts';
import type { DeclaredBroadcast, ObservedBroadcast } from '../../domain/resource.ts';
import { broadcastStatusOf, isArchived, isPaused, STATUS_TRAITS } from '../../domain/status.ts';
import { digestDeclared } from '../compare/content.ts';
import { sameInstant } from '../compare/normalise.ts';
import {
  andBlock,
  blocked,
  blockOpen,
  blockUnread,
  change,
  CREATE,
  createNew,
  decideByTable,
  inState,
  isEqual,
  isUnreadable,
  keep,
  listContents,
  listDifferences,
  needResume,
  propose,
  replaceRunning,
  startPaused,
  step,
  stopDeclared,
  stopOther,
  toStop,
  warning,
  warnRefusedRecall,
  type Case,
  type Decision,
  type Row,
} from './decision.ts';
import { isStoppedByPerson, type GroupFacts, type Version } from './group.ts';
import { findBeingStopped, formatByHand } from './open.ts';

type BroadcastVersion = Version<ObservedBroadcast>;
type BroadcastCase = Case<DeclaredBroadcast, ObservedBroadcast>;
type Cell = (the: BroadcastCase) => Decision;

/** `now`: a broadcast that is sent at once (`broadcasts send`). */
type BroadcastColumn = 'future' | 'near' | 'paused' | 'recalled' | 'now';

/** A replace this long before the hour is not begun: the pause may arrive too late, or the create. */
const REPLACE_LEAD_MS = 10 * 60_000;

/** What a file that stops it decides for whatever waits, and for whatever is paused. */
const WAITS = { paused: pauseAll, recalled: recallAll, now: sentOnce };
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
 *
 * ¹ needs `resume`, ² needs `recall`. In the rows of what was recalled, has left or began to leave, whatever of the name
 * still waits is paused. What is archived with its hour never left: it counts as paused, other. A broadcast that is sent at
 * once is created if nothing has its name, and is done if Herald has sent it. A replace needs `resume` as well if a person
 * paused a version with the declared text.
 */
export const BROADCAST_TABLE: readonly Row<BroadcastCase, BroadcastColumn>[] = [
  {
    live: 'Herald recalled one',
    fits: (the) => findRecalled(the) !== null,
    cells: {
      future: andPauseWaiting(blockRecalled),
      near: andPauseWaiting(doneRecalled),
      paused: andPauseWaiting(doneRecalled),
      recalled: andPauseWaiting(doneRecalled),
      now: andPauseWaiting(sentOnce),
    },
  },
  {
    live: 'a request about it is unconfirmed',
    fits: ({ group }) => group.open.length > 0,
    cells: {
      future: blockOpen,
      near: blockOpen,
      paused: andBlock(pauseAll, blockOpen),
      recalled: andBlock(pauseAll, blockOpen),
      now: blockOpen,
    },
  },
  {
    live: 'it has left',
    fits: (the) => inState(the, 'left').length > 0,
    cells: {
      future: andPauseWaiting(doneOrBlocked),
      near: andPauseWaiting(done),
      paused: andPauseWaiting(done),
      recalled: recallAll,
      now: sentOnce,
    },
  },
  {
    live: 'paused after it began to leave',
    fits: (the) => inState(the, 'halted').length > 0,
    cells: {
      future: andPauseWaiting(blockHalted),
      near: andPauseWaiting(done),
      paused: andPauseWaiting(keep),
      recalled: recallAll,
      now: sentOnce,
    },
  },
  {
    live: 'waits, same',
    fits: (the) => inState(the, 'runs').some(isEqual),
    cells: { future: keepLowest('keep'), near: keepLowest('done'), ...WAITS },
  },
  {
    live: 'waits, unreadable',
    fits: (the) => inState(the, 'runs').some(isUnreadable),
    cells: { future: blockUnread, near: doneTooLate, ...WAITS },
  },
  {
    live: 'waits, other',
    fits: (the) => inState(the, 'runs').length > 0,
    cells: { future: unlessStopped(replace), near: doneTooLate, ...WAITS },
  },
  {
    live: 'paused, unreadable',
    fits: (the) => inState(the, 'paused').some(isUnreadable),
    cells: { future: blockUnread, ...PAUSED },
  },
  {
    live: 'paused by a person',
    fits: (the) => stopsOfPeople(the).length > 0,
    cells: { future: needsResume, ...PAUSED },
  },
  {
    live: 'paused by Herald, same',
    fits: (the) => inState(the, 'paused').some(isEqual),
    cells: { future: resume, ...PAUSED },
  },
  {
    live: 'paused by Herald, other',
    fits: (the) => neverLeft(the).length > 0,
    cells: { future: create, ...PAUSED },
  },
  {
    live: 'nothing',
    fits: ({ versions }) => versions.length === 0,
    cells: { future: create, near: missed, paused: keep, recalled: keep, now: createNow },
  },
];

/** Decides about one declared broadcast and every live object of its name. */
export function decideBroadcast(group: BroadcastCase['group'], facts: BroadcastCase['facts']): Decision {
  return decideByTable(BROADCAST_TABLE, chooseColumn(group.declared, facts), group, facts);
}

function chooseColumn(declared: DeclaredBroadcast, { time }: GroupFacts): BroadcastColumn {
  if (declared.atOnce === true) return 'now';
  if (declared.target !== 'scheduled') return declared.target;
  // The clock that is ahead decides; where it cannot be read, nothing starts.
  return isAhead(declared.scheduledAtUtc, time.latestMs) ? 'future' : 'near';
}

// What the rows look at.

/** What never went out, archived ones included. */
function neverLeft(the: BroadcastCase): readonly BroadcastVersion[] {
  return [...inState(the, 'paused'), ...inState(the, 'archived')];
}

function stopsOfPeople(the: BroadcastCase): readonly BroadcastVersion[] {
  return neverLeft(the).filter((version) => isStoppedByPerson(version, the.facts));
}

/** What Herald recalled; null if nothing of the name was. */
function findRecalled({ versions }: BroadcastCase): BroadcastVersion | null {
  return versions.findLast(({ known }) => known?.recalled === 1) ?? null;
}

function isGoingOut({ observed }: BroadcastVersion): boolean {
  return STATUS_TRAITS[broadcastStatusOf(observed.live)].goingOut;
}

/** An hour so far away that a start arrives before it. One that has passed would go out at once (BROADCAST-6). */
function isAhead(hour: string | null | undefined, nowMs: number, leadMs = SCHEDULE_LEAD_MS): boolean {
  return Date.parse(hour ?? '') - nowMs >= leadMs;
}

// The cells of a broadcast that is declared scheduled.

function create(the: BroadcastCase): Decision {
  const checks = inState(the, 'paused').map((one) => step('check_not_left', one));
  return createNew(the, neverLeft(the), `Goes out at ${the.declared.scheduledAtUtc}.`, [
    ...checks,
    ...CREATE,
  ]);
}

/** Lowest id stays; whatever else waits under the name is paused before anything else in the run. */
function keepLowest(action: 'keep' | 'done'): Cell {
  return (the) => {
    const waiting = inState(the, 'runs');
    const [keeper] = waiting.filter(isEqual);
    if (keeper === undefined) return [];
    const stops = waiting
      .filter((version) => version !== keeper)
      .map((version) => {
        const what = isEqual(version) ? 'Duplicate of' : 'Another version next to';
        const reason = `${what} ${keeper.id}, which is the declared one: every fan would get both.`;
        return stopOther(the, version, 'retire', reason);
      });
    return [change(the.declared, action, { version: keeper }), ...stops];
  };
}

/** What still waits after one of the name was sent or recalled would be a second send (BROADCAST-14). */
function andPauseWaiting(cell: Cell): Cell {
  const reason = 'A broadcast of this name was already sent or recalled: fans would get it twice.';
  return (the) => {
    const waiting = toStop(the, 'runs').filter(({ state }) => state === 'runs');
    return [...cell(the), ...waiting.map((version) => stopOther(the, version, 'retire', reason))];
  };
}

/** Pause, look that it has not left, create. Never the other way round: a crash would send both. */
function replace(the: BroadcastCase): Decision {
  const { declared, facts } = the;
  const waiting = inState(the, 'runs');
  const [first] = waiting;
  if (first === undefined) return [];
  const hours = [declared.scheduledAtUtc, ...waiting.map(({ observed }) => observed.live.scheduled_at)];
  if (!hours.every((hour) => isAhead(hour, facts.time.latestMs, REPLACE_LEAD_MS))) {
    // A pause right before the hour may arrive when it has left, and then fans would get both.
    const { live, account } = first.observed;
    const reason = `It differs from the file, and its time is less than ${REPLACE_LEAD_MS / 60_000} minutes away, which is too near to replace it. ${first.id} goes out at ${live.scheduled_at ?? 'an unknown time'} with its live content. To stop it: ${formatByHand('pause', 'broadcast', first.id, account)}. To send it later, give it a new name and time.`;
    return [blocked(declared, reason, first)];
  }
  const steps = [
    ...waiting.flatMap((version) => [step('pause', version), step('check_not_left', version)]),
    ...inState(the, 'paused').map((version) => step('check_not_left', version)),
    ...CREATE,
  ];
  return replaceRunning(the, first, ['The old version stays paused permanently.'], steps);
}

function resume(the: BroadcastCase): Decision {
  const { declared, facts } = the;
  const [version] = inState(the, 'paused').filter(isEqual);
  if (version === undefined) return [];
  const { accountId, kind, live } = version.observed;
  if (facts.past?.isRefused({ accountId, kind, liveId: version.id }, 'queued') === true) {
    const reason = `The service does not resume ${version.id}: it refuses that 5 days after the pause. To send it, give it a new name.`;
    return [blocked(declared, reason, version)];
  }
  // The files may ignore the hour.
  if (!isAhead(live.scheduled_at, facts.time.latestMs)) {
    const command = formatByHand('resume', 'broadcast', version.id, declared.address.account);
    const reason = `Its live time ${live.scheduled_at ?? ''} has passed or is too near, and the file ignores scheduled_at. If it is resumed, it may go out immediately. To do that: ${command}. Or remove scheduled_at from \`ignore\`.`;
    return [blocked(declared, reason, version)];
  }
  return startPaused(the, version, `Goes out at ${live.scheduled_at ?? ''}.`);
}

/** A person stopped the declared text and let another version wait: to send the text all the same needs that person. */
function unlessStopped(cell: Cell): Cell {
  return (the) => (stopsOfPeople(the).some(isEqual) ? needsResume(the) : cell(the));
}

function needsResume(the: BroadcastCase): Decision {
  const stops = stopsOfPeople(the);
  const stopped = stops.find(isEqual) ?? stops[0];
  return stopped === undefined ? [] : needResume(the, stopped);
}

function blockRecalled(the: BroadcastCase): Decision {
  const version = findRecalled(the);
  const reason = `Herald recalled ${version?.id ?? ''}, a broadcast with this name. To send it again, give it a new name.`;
  return [blocked(the.declared, reason, version)];
}

/** Sent for this hour, it is done. A file with another hour asks for a second send under one name. */
function doneOrBlocked(the: BroadcastCase): Decision {
  const { declared } = the;
  const digest = digestDeclared(declared);
  const left = inState(the, 'left');
  const isOfThisHour = left.some(
    ({ known, observed: { live } }) =>
      known?.declared_digest === digest || sameInstant(live.scheduled_at ?? '', declared.scheduledAtUtc),
  );
  if (isOfThisHour) return done(the);
  const reason = 'A broadcast with this name was already sent. To send it again, give it a new name.';
  return [blocked(declared, reason, left.at(-1) ?? null)];
}

function blockHalted(the: BroadcastCase): Decision {
  const halted = inState(the, 'halted');
  const version = halted.find(isEqual) ?? halted[0] ?? null;
  const { account } = the.declared.address;
  const command = (verb: string) => formatByHand(verb, 'broadcast', version?.id ?? 'ID', account);
  const reason = `It was paused after it had begun to go out. To send the rest: ${command('resume')}. To recall it: ${command('recall')}. To send it again, give it a new name.`;
  return [blocked(the.declared, reason, version)];
}

/** Too late to replace: what waits goes out as it is, which the files no longer say. */
function doneTooLate(the: BroadcastCase): Decision {
  const { declared } = the;
  const waiting = inState(the, 'runs');
  const [version = null] = waiting;
  const why = `with its live content, because ${declared.scheduledAtUtc} has passed or is too near to replace it`;
  return [
    change(declared, 'done', { version, fields: listDifferences(version) }),
    ...waiting.flatMap((one) =>
      warnGoing(the, [one], 'too-late', `goes out at ${one.observed.live.scheduled_at ?? ''} ${why}`),
    ),
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
    ? `Check this machine's clock, then run ${formatCommand('apply')} again.`
    : 'Change scheduled_at and the name, or remove it.';
  const message = `${reason} Herald does not start it, because the service would send it immediately. ${next}`;
  return [
    change(declared, 'missed', { version: versions.at(-1) ?? null, reasons: [reason] }),
    warning(declared, 'missed', message),
  ];
}

/** It was sent, so it is done permanently. Stopping one half-way is a person's decision (BROADCAST-15). */
function done(the: BroadcastCase): Decision {
  const { declared, versions } = the;
  const [version = null] = [...inState(the, 'left'), ...inState(the, 'halted')];
  const going = versions.filter(isGoingOut);
  return [
    change(declared, 'done', { version }),
    ...(declared.target === 'paused'
      ? warnGoing(the, going, 'going-out', 'is going out, and an apply does not pause it half-way')
      : warnGoing(the, going.slice(1), 'going-out-twice', 'goes out as well, so fans get both')),
  ];
}

/** A recalled one that is sent again has been resumed by someone, or its recall is not over. */
function doneRecalled(the: BroadcastCase): Decision {
  const again = the.versions.filter((one) => one.known?.recalled === 1 && isGoingOut(one));
  return [
    change(the.declared, 'done', { version: findRecalled(the) }),
    ...warnGoing(the, again, 'goes-on', 'was recalled, but goes out again'),
  ];
}

function warnGoing(
  { declared }: BroadcastCase,
  versions: readonly BroadcastVersion[],
  code: DiagnosticCode,
  what: string,
): Decision {
  return versions.map(({ id, observed: { account, live } }) => {
    const stop = formatByHand('pause', 'broadcast', id, account);
    return warning(declared, code, `${id} (${live.status ?? 'no status'}) ${what}. To stop it: ${stop}`);
  });
}

// The cells of a broadcast that is declared paused or recalled.

function pauseAll(the: BroadcastCase): Decision {
  const stops = toStop(the, 'runs').map((version) => stopDeclared(the, version, 'pause'));
  return stops.length === 0 ? keep(the) : stops;
}

/**
 * What waits is paused first, also without the allowance of the recall. What is archived is too old for a recall, and what
 * the service refused to recall is done with a warning.
 */
function recallAll(the: BroadcastCase): Decision {
  const { declared, versions, facts, group } = the;
  const underWay = findBeingStopped(group.open);
  const decided = versions
    .filter((one) => !isArchived(one.observed.live) && !underWay.has(one.id))
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

// The cells of a broadcast that is sent at once.

function createNow(the: BroadcastCase): Decision {
  const wanted = propose(the, 'create', {
    reasons: ['It has no schedule: it goes out NOW, as soon as the service has queued it.'],
    fields: listContents(the.declared),
    // What is gone cannot be read back.
    steps: CREATE.slice(0, 1),
    needs: ['now'],
  });
  return [wanted];
}

/** A name is sent once. What Herald made from this content was sent by an earlier command. */
function sentOnce(the: BroadcastCase): Decision {
  const { declared, versions } = the;
  const digest = digestDeclared(declared);
  const own = [...inState(the, 'left'), ...inState(the, 'halted')].find(
    ({ known }) => known?.declared_digest === digest,
  );
  if (own === undefined) {
    const [first = null] = versions;
    const reason = `${first?.id ?? 'Another broadcast'} has the same name already (${first?.observed.live.status ?? 'no status'}). Fans could get the message twice. Give it a new name.`;
    return [blocked(declared, reason, first)];
  }
  const { id, known, observed } = own;
  if (isPaused(observed.live) && known?.recalled !== 1) {
    const command = (verb: string) => formatByHand(verb, 'broadcast', id, observed.account);
    const reason = `Herald has sent it as ${id}, which is paused now. To let it go on: ${command('resume')}. To recall it: ${command('recall')}`;
    return [blocked(declared, reason, own)];
  }
  const others = versions.filter((one) => one !== own && (one.state === 'runs' || isGoingOut(one)));
  return [
    change(declared, 'done', { version: own, reasons: [`Herald has sent it as ${id}.`] }),
    ...warnGoing(the, others, 'going-out-twice', `has the same name as ${id}, so fans get both`),
  ];
}
