import { SCHEDULE_LEAD_MS } from '../../domain/broadcast.ts';
import type { DiagnosticCode } from '../../domain/codes.ts';
import { formatCommand } from '../../domain/command-line.ts';
import type { Diagnostic } from '../../domain/diagnostic.ts';
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
  decideByTable,
  differsAgain,
  explainReplace,
  explainResumed,
  isEqual,
  isRecallRefused,
  isUnreadable,
  keep,
  listContents,
  listDifferences,
  listReplacedFields,
  needResume,
  only,
  requireAdoption,
  step,
  stopDeclared,
  stopOther,
  toStop,
  unlessBlocked,
  warning,
  warnRefused,
  type Case,
  type Decision,
  type Row,
} from './decision.ts';
import {
  broadcastsIn,
  broadcastState,
  isStartedAgain,
  isStoppedByPerson,
  type GroupFacts,
  type Version,
} from './group.ts';
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
const PAUSED = { ...WAITS, near: missed, paused: keep };

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
    fits: (the) => broadcastsIn(the, 'left').length > 0,
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
    fits: (the) => broadcastsIn(the, 'halted').length > 0,
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
    fits: (the) => broadcastsIn(the, 'waits').some(isEqual),
    cells: { future: keepLowest, near: keepLowest, ...WAITS },
  },
  {
    live: 'waits, unreadable',
    fits: (the) => broadcastsIn(the, 'waits').some(isUnreadable),
    cells: { future: blockUnread, near: doneTooLate, ...WAITS },
  },
  {
    live: 'waits, other',
    fits: (the) => broadcastsIn(the, 'waits').length > 0,
    cells: { future: unlessStopped(replace), near: doneTooLate, ...WAITS },
  },
  {
    live: 'paused, unreadable',
    fits: (the) => broadcastsIn(the, 'paused').some(isUnreadable),
    cells: { future: blockUnread, ...PAUSED },
  },
  {
    live: 'paused by a person',
    fits: (the) => stopsOfPeople(the).length > 0,
    cells: { future: needsResume, ...PAUSED },
  },
  {
    live: 'paused by Herald, same',
    fits: (the) => broadcastsIn(the, 'paused').some(isEqual),
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

function isWaiting({ observed }: BroadcastVersion): boolean {
  return broadcastState(observed) === 'waits';
}

/** What never went out, archived ones included. */
function neverLeft(the: BroadcastCase): readonly BroadcastVersion[] {
  return [...broadcastsIn(the, 'paused'), ...broadcastsIn(the, 'archived')];
}

function stopsOfPeople(the: BroadcastCase): readonly BroadcastVersion[] {
  return neverLeft(the).filter((version) => isStoppedByPerson(version, the.facts));
}

/** An hour so far away that a start arrives before it. One that has passed would go out at once (BROADCAST-6). */
function isAhead(hour: string | null | undefined, nowMs: number, leadMs = SCHEDULE_LEAD_MS): boolean {
  return Date.parse(hour ?? '') - nowMs >= leadMs;
}

// The cells of a broadcast that is declared scheduled.

function create(the: BroadcastCase): Decision {
  const { declared, facts } = the;
  const paused = broadcastsIn(the, 'paused');
  const old = neverLeft(the);
  const version = old.findLast(({ known }) => known?.status_why === 'replace') ?? old.at(-1) ?? null;
  const goes = `Goes out at ${declared.scheduledAtUtc}.`;
  const why =
    version?.known?.status_why === 'replace'
      ? 'Finishes a replace: the old version is paused, but the new one was never created.'
      : `An older version of it never went out, and stays as it is: ${old.map(({ id }) => id).join(', ')}.`;
  const wanted = change(declared, 'create', {
    version,
    reasons: version === null ? [goes] : [...explainResumed(old, facts, why), goes],
    fields: version === null ? listContents(declared) : listReplacedFields(version),
    steps: [...paused.map((one) => step('check_not_left', one)), ...CREATE],
  });
  return only(wanted);
}

/** Lowest id stays; whatever else waits under the name is paused before anything else in the run. */
function keepLowest(the: BroadcastCase): Decision {
  const { declared, facts } = the;
  const waiting = broadcastsIn(the, 'waits');
  const [keeper] = waiting.filter(isEqual);
  if (keeper === undefined) return only();
  const isFuture = chooseColumn(declared, facts) === 'future';
  const kept = change(declared, isFuture ? 'keep' : 'done', { version: keeper });
  const stops = waiting
    .filter((version) => version !== keeper)
    .map((version) => {
      const what = isEqual(version) ? 'Duplicate of' : 'Another version next to';
      const reason = `${what} ${keeper.id}, which is the declared one: every fan would get both.`;
      return retire(the, version, reason);
    });
  return only(kept, ...stops);
}

function retire(the: BroadcastCase, version: BroadcastVersion, reason: string) {
  return stopOther(the, version, 'retire', { reason, steps: ['pause', 'read_back'] });
}

/** What still waits after one of the name was sent or recalled would be a second send (BROADCAST-14). */
function andPauseWaiting(cell: Cell): Cell {
  return (the) => {
    const { changes, diagnostics } = cell(the);
    const reason = 'A broadcast of this name was already sent or recalled: fans would get it twice.';
    const stops = toStop(the, isWaiting).filter(isWaiting);
    return { changes: [...changes, ...stops.map((version) => retire(the, version, reason))], diagnostics };
  };
}

/** Pause, look that it has not left, create. Never the other way round: a crash would send both. */
function replace(the: BroadcastCase): Decision {
  const { declared, group, facts } = the;
  const waiting = broadcastsIn(the, 'waits');
  const [first] = waiting;
  if (first === undefined) return only();
  const hours = [declared.scheduledAtUtc, ...waiting.map(({ observed }) => observed.live.scheduled_at)];
  if (!hours.every((hour) => isAhead(hour, facts.time.latestMs, REPLACE_LEAD_MS))) {
    // A pause right before the hour may arrive when it has left, and then fans would get both.
    const { live, account } = first.observed;
    const reason = `It differs from the file, and its time is less than ${REPLACE_LEAD_MS / 60_000} minutes away, which is too near to replace it. ${first.id} goes out at ${live.scheduled_at ?? 'an unknown time'} with its live content. To stop it: ${formatByHand('pause', 'broadcast', first.id, account)}. To send it later, give it a new name and time.`;
    return only(blocked(declared, reason, first));
  }
  const fields = listReplacedFields(first);
  const again = differsAgain(group, first, fields, facts);
  if (again !== null) return only(again);
  const wanted = change(declared, 'replace', {
    version: first,
    reasons: [
      explainReplace('broadcast', fields),
      'The old version stays paused permanently.',
      ...waiting
        .filter((version) => isStartedAgain(version, facts))
        .map(({ id }) => `Someone resumed ${id} after Herald had paused it. It is paused, too.`),
    ],
    fields,
    steps: [
      ...waiting.flatMap((version) => [step('pause', version), step('check_not_left', version)]),
      ...broadcastsIn(the, 'paused').map((version) => step('check_not_left', version)),
      ...CREATE,
    ],
  });
  return only(unlessBlocked(facts, wanted, requireAdoption(...waiting)));
}

function resume(the: BroadcastCase): Decision {
  const { declared, facts } = the;
  const [version] = broadcastsIn(the, 'paused').filter(isEqual);
  if (version === undefined) return only();
  const { accountId, kind, live } = version.observed;
  if (facts.past?.isRefused({ accountId, kind, liveId: version.id }, 'queued') === true) {
    const reason = `The service does not resume ${version.id}: it refuses that 5 days after the pause. To send it, give it a new name.`;
    return only(blocked(declared, reason, version));
  }
  // The files may ignore the hour.
  if (!isAhead(live.scheduled_at, facts.time.latestMs)) {
    const command = formatByHand('resume', 'broadcast', version.id, declared.address.account);
    const reason = `Its live time ${live.scheduled_at ?? ''} has passed or is too near, and the file ignores scheduled_at. If it is resumed, it may go out immediately. To do that: ${command}. Or remove scheduled_at from \`ignore\`.`;
    return only(blocked(declared, reason, version));
  }
  const wanted = change(declared, 'resume', {
    version,
    reasons: [
      ...explainResumed(broadcastsIn(the, 'paused'), facts, 'Herald paused it.'),
      `Goes out at ${live.scheduled_at ?? ''}.`,
    ],
    steps: [step('resume', version), step('read_back', version)],
  });
  return only(unlessBlocked(facts, wanted, requireAdoption(version)));
}

/** A person stopped the declared text and let another version wait: to send the text all the same needs that person. */
function unlessStopped(cell: Cell): Cell {
  return (the) => (stopsOfPeople(the).some(isEqual) ? needsResume(the) : cell(the));
}

function needsResume(the: BroadcastCase): Decision {
  const stops = stopsOfPeople(the);
  const stopped = stops.find(isEqual) ?? stops[0] ?? null;
  return needResume(stopped, [], the.facts, (facts) => decideBroadcast(the.group, facts));
}

function blockRecalled(the: BroadcastCase): Decision {
  const version = findRecalled(the);
  const reason = `Herald recalled ${version?.id ?? ''}, a broadcast with this name. To send it again, give it a new name.`;
  return only(blocked(the.declared, reason, version));
}

/** Sent for this hour, it is done. A file with another hour asks for a second send under one name. */
function doneOrBlocked(the: BroadcastCase): Decision {
  const { declared } = the;
  const digest = digestDeclared(declared);
  const left = broadcastsIn(the, 'left');
  const isOfThisHour = left.some(
    ({ known, observed: { live } }) =>
      known?.declared_digest === digest || sameInstant(live.scheduled_at ?? '', declared.scheduledAtUtc),
  );
  if (isOfThisHour) return done(the);
  const version = left.at(-1) ?? null;
  const reason = 'A broadcast with this name was already sent. To send it again, give it a new name.';
  return only(blocked(declared, reason, version));
}

function blockHalted(the: BroadcastCase): Decision {
  const halted = broadcastsIn(the, 'halted');
  const version = halted.find(isEqual) ?? halted[0] ?? null;
  const { account } = the.declared.address;
  const command = (verb: string) => formatByHand(verb, 'broadcast', version?.id ?? 'ID', account);
  const reason = `It was paused after it had begun to go out. To send the rest: ${command('resume')}. To recall it: ${command('recall')}. To send it again, give it a new name.`;
  return only(blocked(the.declared, reason, version));
}

/** Too late to replace: what waits goes out as it is, which the files no longer say. */
function doneTooLate(the: BroadcastCase): Decision {
  const { declared } = the;
  const waiting = broadcastsIn(the, 'waits');
  const [version = null] = waiting;
  const why = `with its live content, because ${declared.scheduledAtUtc} has passed or is too near to replace it`;
  const diagnostics = waiting.flatMap((one) =>
    warnGoing(the, [one], 'too-late', `goes out at ${one.observed.live.scheduled_at ?? ''} ${why}`),
  );
  return { changes: [change(declared, 'done', { version, fields: listDifferences(version) })], diagnostics };
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
  return {
    changes: [change(declared, 'missed', { version: versions.at(-1) ?? null, reasons: [reason] })],
    diagnostics: [warning(declared, 'missed', message)],
  };
}

// The cells of a broadcast that is declared paused or recalled.

function pauseAll(the: BroadcastCase): Decision {
  const stops = toStop(the, isWaiting).map((version) => stopDeclared(the, version, 'pause'));
  return stops.length === 0 ? keep(the) : only(...stops);
}

/** It was sent, so it is done permanently. Stopping one half-way is a person's decision (BROADCAST-15). */
function done(the: BroadcastCase): Decision {
  const { declared, versions } = the;
  const [version = null] = [...broadcastsIn(the, 'left'), ...broadcastsIn(the, 'halted')];
  const going = versions.filter(isGoingOut);
  const diagnostics =
    declared.target === 'paused'
      ? warnGoing(the, going, 'going-out', 'is going out, and an apply does not pause it half-way')
      : warnGoing(the, going.slice(1), 'going-out-twice', 'goes out as well, so fans get both');
  return { changes: [change(declared, 'done', { version })], diagnostics };
}

/** A recalled one that is sent again has been resumed by someone, or its recall is not over. */
function doneRecalled(the: BroadcastCase): Decision {
  const again = the.versions.filter((one) => one.known?.recalled === 1 && isGoingOut(one));
  return {
    changes: [change(the.declared, 'done', { version: findRecalled(the) })],
    diagnostics: warnGoing(the, again, 'goes-on', 'was recalled, but goes out again'),
  };
}

function warnGoing(
  { declared }: BroadcastCase,
  versions: readonly BroadcastVersion[],
  code: DiagnosticCode,
  what: string,
): readonly Diagnostic[] {
  return versions.map(({ id, observed: { account, live } }) => {
    const stop = formatByHand('pause', 'broadcast', id, account);
    return warning(declared, code, `${id} (${live.status ?? 'no status'}) ${what}. To stop it: ${stop}`);
  });
}

/** What Herald recalled; null if nothing of the name was. */
function findRecalled({ versions }: BroadcastCase): BroadcastVersion | null {
  return versions.findLast(({ known }) => known?.recalled === 1) ?? null;
}

function isGoingOut({ observed }: BroadcastVersion): boolean {
  return STATUS_TRAITS[broadcastStatusOf(observed.live)].goingOut;
}

/**
 * What waits is paused first, also without the allowance of the recall. What is archived is too old for a recall, and what
 * the service refused to recall is done with a warning.
 */
function recallAll(the: BroadcastCase): Decision {
  const { declared, versions, facts, group } = the;
  const underWay = findBeingStopped(group.open);
  const concerned = versions.filter((one) => !isArchived(one.observed.live) && !underWay.has(one.id));
  const refused = concerned.filter((version) => isRecallRefused(the, version) && !isWaiting(version));
  const changes = concerned
    .filter((version) => !refused.includes(version))
    .flatMap((version) => {
      if (!isWaiting(version)) return [stopDeclared(the, version, 'recall')];
      const pauses = facts.allow.has('recall') ? [] : [stopDeclared(the, version, 'pause')];
      return [...pauses, stopDeclared(the, version, 'recall', ['pause', 'recall'])];
    });
  const over = changes.length > 0 ? [] : [change(declared, 'done', { version: versions[0] ?? null })];
  return {
    changes: [...changes, ...over],
    diagnostics: refused.map((version) => warnRefused(the, version)),
  };
}

function createNow({ declared, facts }: BroadcastCase): Decision {
  const wanted = change(declared, 'create', {
    reasons: ['It has no schedule: it goes out NOW, as soon as the service has queued it.'],
    fields: listContents(declared),
    // What is gone cannot be read back.
    steps: CREATE.slice(0, 1),
  });
  return only(unlessBlocked(facts, wanted, ['now']));
}

/** A name is sent once. What Herald made from this content was sent by an earlier command. */
function sentOnce(the: BroadcastCase): Decision {
  const { declared, versions } = the;
  const digest = digestDeclared(declared);
  const own = [...broadcastsIn(the, 'left'), ...broadcastsIn(the, 'halted')].find(
    ({ known }) => known?.declared_digest === digest,
  );
  if (own === undefined) {
    const [first = null] = versions;
    const reason = `${first?.id ?? 'Another broadcast'} has the same name already (${first?.observed.live.status ?? 'no status'}). Fans could get the message twice. Give it a new name.`;
    return only(blocked(declared, reason, first));
  }
  const { id, known, observed } = own;
  if (isPaused(observed.live) && known?.recalled !== 1) {
    const command = (verb: string) => formatByHand(verb, 'broadcast', id, observed.account);
    const reason = `Herald has sent it as ${id}, which is paused now. To let it go on: ${command('resume')}. To recall it: ${command('recall')}`;
    return only(blocked(declared, reason, own));
  }
  const others = [...broadcastsIn(the, 'waits'), ...versions.filter(isGoingOut)].filter((one) => one !== own);
  return {
    changes: [change(declared, 'done', { version: own, reasons: [`Herald has sent it as ${id}.`] })],
    diagnostics: warnGoing(the, others, 'going-out-twice', `has the same name as ${id}, so fans get both`),
  };
}
