import type { ApplyReport, Outcome } from '../../../src/domain/change.ts';
import { accountOf, isRunning, sameContent, sameText, wordsOf, type Declared } from '../declare.ts';
import { groupOf, isTooLate, liveOf, type Live } from '../live.ts';
import type { Ended } from '../run.ts';
import { atWork, type Chaos, type Process } from '../state.ts';
import { isStatusOnRecord } from './calm.ts';
import { isMadeByColleague } from './colleague.ts';
import { exitsOf } from './exits.ts';
import { isLeft } from './left.ts';
import { wrongOfOld } from './said-of-old.ts';
import { unplanned } from './unplanned.ts';

/** What a run said, and what was so when it had ended. */
interface Said {
  readonly chaos: Chaos;
  readonly process: Process;
  readonly report: ApplyReport;
  readonly live: readonly Live[];
  readonly nowMs: number;
  /** No one else was at work on the accounts. */
  readonly isAlone: boolean;
}

/** What a report says and the oracle does not. */
export function saidInReport(chaos: Chaos, ended: Ended, report: ApplyReport): string[] {
  const { process, ran } = ended;
  const said: Said = {
    chaos,
    process,
    report,
    live: liveOf(chaos.simulator),
    nowMs: chaos.simulator.control.now(),
    isAlone: !overlaps(chaos, process),
  };
  const wrong = report.outcomes.flatMap((outcome) => {
    const { account, kind, name } = outcome.address;
    if (isDisturbed(process, outcome)) return [];
    const problem =
      problemOf(outcome, said) ?? (said.isAlone ? wrongOfOld(outcome.message, said.live) : null);
    const words = `"${outcome.action} ${outcome.outcome}" of ${account}/${kind}/${name} ${outcome.live_id ?? ''}`;
    return problem === null ? [] : [`${words}: ${problem}`];
  });
  const isUnrecorded = ran.stderr.includes('ledger-incomplete');
  const right = exitsOf(report, {
    interrupted: ended.interrupted,
    isUnrecorded,
    hasLostLock: process.lockLostMs !== null,
  });
  const codes = right.includes(ran.code)
    ? []
    : [`exit ${ran.code} where ${right.join(' or ')} is true: ${JSON.stringify(report.summary)}`];
  return [...wrong, ...unplanned(chaos, process, report, said.live), ...codes];
}

/** Whether another operator's run was under way at any time of this one. */
function overlaps(chaos: Chaos, process: Process): boolean {
  const others = chaos.processes.filter(({ actor }) => actor !== process.actor);
  return (
    atWork(chaos).some(({ actor }) => actor !== process.actor) ||
    others.some(({ endedMs }) => endedMs !== null && endedMs >= process.startedMs)
  );
}

function isDisturbed({ disturbed, task }: Process, { address: { account, kind, name } }: Outcome): boolean {
  const wanted = task.declared.find((one) => one.alias === account && one.kind === kind && one.name === name);
  const names = [name, ...(wanted?.formerNames ?? [])];
  return names.some((each) => disturbed.has(`${accountOf(account)}/${kind}/${each}`));
}

const STATUS_OF: Readonly<Record<string, readonly (string | null)[]>> = {
  create: ['active', 'scheduled'],
  replace: ['active', 'scheduled'],
  activate: ['active'],
  resume: ['scheduled'],
  pause: ['paused'],
  archive: ['archived'],
  retire: ['paused', 'archived'],
  recall: ['recalling', 'recalled'],
};

/**
 * Another operator has changed it since, at the same moment. Or of two that were made then, that one has stopped one or
 * is about to.
 */
function isAnothers(object: Live, { live, isAlone, process }: Said): boolean {
  const last = object.lastChange?.request ?? null;
  const isChangedSince = last !== null && !process.requests.has(last);
  const hasTwin = live.some(
    (one) =>
      groupOf(one) === groupOf(object) && one.id !== object.id && sameContent(one.content, object.content),
  );
  return !isAlone && (isChangedSince || hasTwin);
}

/** Once its hour has come, what was to go out at it does. */
function whenGone(wanted: Declared | undefined, { nowMs }: Said): readonly (string | null)[] {
  const { hourMs = null, target = 'paused' } = wanted ?? {};
  return hourMs !== null && hourMs <= nowMs && isRunning(target) ? ['queued', 'sending', 'sent'] : [];
}

/** What is done to the same object afterwards is an outcome of its own: a copy is retired, a paused one archived. */
function statusesAfter(
  { action, live_id: id }: Outcome,
  { outcomes }: ApplyReport,
): readonly (string | null)[] {
  const later = outcomes.filter((other) => other.live_id === id && FOLLOWS[action]?.includes(other.action));
  return [action, ...later.map((other) => other.action)].flatMap((one) => STATUS_OF[one] ?? []);
}

const FOLLOWS: Readonly<Record<string, readonly string[]>> = {
  pause: ['archive'],
  create: ['retire'],
  replace: ['retire'],
};

function problemOf(outcome: Outcome, said: Said): string | null {
  const { address, action } = outcome;
  const { task } = said.process;
  if (!task.covers(address.account, address.kind, address.name)) {
    // A review lists what it leaves alone.
    return task.finishes === true ? null : 'it is not part of the run';
  }
  switch (outcome.outcome) {
    case 'applied':
      return problemOfDone(outcome, said) ?? unconfirmed(outcome, said) ?? wentOutHalfWay(outcome, said);
    case 'adopted':
      if (cameTooLate(outcome, said)) return null;
      return action in STATUS_OF
        ? (problemOfDone(outcome, said) ?? problemOfCreateInstead(outcome, said))
        : problemOfAdopted(outcome, said);
    case 'failed':
    case 'missed':
    case 'not_attempted':
      return problemOfNothing(outcome, said);
    case 'unchanged':
      return problemOfKept(outcome, said);
    case 'unknown':
      return null;
  }
}

function objectOf({ live_id: id, address: { kind } }: Outcome, { live }: Said): Live | undefined {
  return live.find((each) => each.id === id && each.kind === kind);
}

function wantedOf({ address: { account, kind, name } }: Outcome, { process }: Said): Declared | undefined {
  return process.task.declared.find((one) => one.alias === account && one.kind === kind && one.name === name);
}

/** A request of which the answer was lost made it, as far as its ledger can tell. */
function problemOfAdopted(outcome: Outcome, said: Said): string | null {
  const object = objectOf(outcome, said);
  if (object === undefined) return 'the service has no such object';
  if (wasThereBefore(object, said)) return OLDER;
  const { actor } = said.process;
  const maker = said.chaos.processes.find(({ requests }) => requests.has(object.madeBy ?? NO_REQUEST));
  // A process that was cut off may have ended before the answer was on record.
  if (maker?.actor !== actor || maker.dead || maker.run.cut !== null || actor.ledgerLostMs !== null)
    return null;
  const create = maker.writes.find(({ request }) => request === object.madeBy);
  return create?.answer === 'done' ? 'the create that made it was answered' : null;
}

/** After every window it looks like the result of a later create, and its words like an edit of that. */
function cameTooLate(outcome: Outcome, said: Said): boolean {
  const object = objectOf(outcome, said);
  return object !== undefined && isTooLate(said.chaos.simulator, object);
}

/** What could not be switched on was created again, and that got no answer: the old one is not its result. */
function problemOfCreateInstead(outcome: Outcome, said: Said): string | null {
  const object = objectOf(outcome, said);
  const hasCreated = said.process.writes.some(
    ({ write }) => write.kind === 'create' && write.name === object?.name && write.of === object.kind,
  );
  return hasCreated && object !== undefined && wasThereBefore(object, said) ? OLDER : null;
}

const OLDER = 'it was there long before a create got no answer';

/** Lists lag by some seconds. What has been there for longer, each list has shown before the create. */
const SHOWN_FOR_MS = 60_000;

/** No request without an answer can have made it: all of its name were sent long after that. */
function wasThereBefore({ accountId, kind, name, createdMs }: Live, { chaos }: Said): boolean {
  const lost = chaos.processes
    .flatMap(({ writes }) => writes)
    .filter(
      ({ write, answer }) =>
        write.kind === 'create' &&
        write.of === kind &&
        write.accountId === accountId &&
        write.name === name &&
        (answer === 'unconfirmed' || answer === 'none yet'),
    );
  return lost.length > 0 && lost.every(({ sentMs }) => createdMs < sentMs - SHOWN_FOR_MS);
}

/** The service counts its requests from 1. */
const NO_REQUEST = 0;

function problemOfDone(outcome: Outcome, said: Said): string | null {
  const object = objectOf(outcome, said);
  if (object === undefined) return 'the service has no such object';
  const wanted = wantedOf(outcome, said);
  const shows = [...statusesAfter(outcome, said.report), ...whenGone(wanted, said)];
  const isTold = /was changed during this run|already needs "/.test(outcome.message);
  if (!shows.includes(object.status) && !isTold && !isAnothers(object, said))
    return `it is ${object.status ?? 'null'}`;
  if (isMadeByColleague(said, outcome, object)) return null;
  return said.process.task.wish === null && isRunning(STATUS_OF[outcome.action]?.[0] ?? '')
    ? problemOfWords(object, wanted, said)
    : null;
}

/** A status change of a campaign may be half done until it is answered: without an answer it is not applied. */
function unconfirmed({ action, address, live_id: id }: Outcome, { process }: Said): string | null {
  if (address.kind !== 'campaign') return null;
  const asked = STATUS_OF[action];
  if (asked === undefined || action === 'create' || action === 'replace' || action === 'recall') return null;
  const own = process.writes.filter(
    ({ write }) => write.kind === 'status' && write.of === 'campaign' && write.id === id,
  );
  const isHeard = own.length === 0 || own.some(({ answer }) => answer === 'done');
  return isHeard ? null : 'none of its requests was answered';
}

/** What had begun to go out when it was stopped has reached some fans: a person must hear that. */
function wentOutHalfWay(outcome: Outcome, said: Said): string | null {
  const object = objectOf(outcome, said);
  if (object?.kind !== 'broadcast' || object.reached === 0) return null;
  if (outcome.action !== 'pause' && outcome.action !== 'retire') return null;
  return outcome.message === '' ? `it has reached ${object.reached} fans, and the report is silent` : null;
}

function problemOfNothing(outcome: Outcome, said: Said): string | null {
  const { action, message } = outcome;
  return MAKING.includes(action) && madeBy(said, outcome) ? `something was created: ${message}` : null;
}

function problemOfKept(outcome: Outcome, said: Said): string | null {
  const { isAlone, process } = said;
  const wanted = wantedOf(outcome, said);
  // What was kept a moment ago may be replaced by another operator by now.
  const isKept = outcome.action === 'keep' && process.task.wish === null && isAlone;
  if (!isKept || wanted === undefined || !isRunning(wanted.target)) return null;
  const object = objectOf(outcome, said);
  if (object === undefined) return 'it is not there';
  const hasGone = whenGone(wanted, said).includes(object.status);
  // Nothing tells one operator that lists lag behind a change by another one.
  const isHidden = object.shownSinceMs > process.startedMs && !isStatusOnRecord(said.chaos, process, object);
  if (!isRunning(object.status) && !hasGone && !isHidden) return `it is ${object.status ?? 'null'}`;
  return problemOfWords(object, wanted, said);
}

function problemOfWords(
  object: Live,
  wanted: Declared | undefined,
  { chaos, live, process }: Said,
): string | null {
  if (wanted === undefined) return 'it is not declared';
  const { content } = object;
  const isMediaUntold = chaos.actors.length > 1 || process.actor.ledgerLostMs !== null;
  const isSame =
    sameContent(content, wanted.content) ||
    (isMediaUntold && sameText(content.text, wanted.content.text)) ||
    isLeft(live, object, wanted);
  return isSame ? null : `it says ${wordsOf(content)}`;
}

const MAKING: readonly string[] = ['create', 'replace', 'blocked'];

/** What was created and what became of it since, or what may have been. */
const SAYS_LIVE = /The new version \S+ is live|reads as|may be the result of that create/;

/** Whether a create of this very run came to be, and no outcome of its report says so. */
function madeBy({ live, process, report }: Said, { address }: Outcome): boolean {
  const told = new Set(
    report.outcomes
      .filter(({ outcome, message }) => ['applied', 'adopted'].includes(outcome) || SAYS_LIVE.test(message))
      .map((one) => `${one.address.kind}/${one.live_id}`),
  );
  return live.some(
    ({ id, madeBy: request, accountId, kind, name }) =>
      request !== null &&
      process.requests.has(request) &&
      !told.has(`${kind}/${id}`) &&
      accountId === accountOf(address.account) &&
      kind === address.kind &&
      name === address.name,
  );
}
