import type { Kind } from '../../../src/domain/resource.ts';
import {
  aliasOf,
  hourOf,
  isChangedFrom,
  isDeclaredAs,
  isRunning,
  sameContent,
  wordsOf,
  type Content,
  type Declared,
} from '../declare.ts';
import { groupOf, isNamedByPerson, isTooLate, keyOf, sends, type Live } from '../live.ts';
import type { SentWrite } from '../state.ts';
import type { Task } from '../task.ts';
import { isDeceived, isTooEarlyByAll } from './deceived.ts';
import { FRESH_MS, hasAskedFor, stoppedBy, type Facts } from './facts.ts';
import { isLeft } from './left.ts';
import { isRecordedAsMade } from './recorded.ts';
import { lastListMs } from './still-twice.ts';
import { isTheirs } from './theirs.ts';

/** A create that comes later than this before its hour may land after it, and then goes out at once. */
const LEAD_MS = 5 * 60_000 - 1_000;

/** What speaks against a write at the moment when it leaves: nothing that was asked for calls for it. */
export function forbidden(facts: Facts): string[] {
  const problem = problemOf(facts);
  return problem === null ? [] : [problem];
}

function problemOf(facts: Facts): string | null {
  const { write, process } = facts.sent;
  const { wish } = process.task;
  switch (write.kind) {
    case 'create':
      return problemOfCreate(facts, write);
    case 'status':
      return problemOfStatus(facts, write);
    case 'upload':
      return problemOfUpload(facts, write.accountId);
    case 'other':
      return 'a write that nothing asks for';
    case 'payout':
      return wish?.kind === 'payout' && wish.cents === write.cents ? null : 'a payout that no one asked for';
    case 'chat':
      return wish?.kind === 'chat' && wish.text === write.text ? null : 'a message that no one asked for';
    case 'follow':
    case 'label':
      return wish?.kind === write.kind && wish.fan === write.fan
        ? null
        : `a ${write.kind} that no one asked for`;
  }
}

function declaredAs(
  { declared }: Task,
  live: Pick<Live, 'accountId' | 'kind' | 'name'> & { readonly content?: Content },
): Declared | undefined {
  return (
    declared.find((one) => one.name === live.name && isDeclaredAs(one, live)) ??
    declared.find((one) => isDeclaredAs(one, live))
  );
}

function covers({ covers: isIn }: Task, one: Pick<Live, 'accountId' | 'kind' | 'name'>): boolean {
  return isIn(aliasOf(one.accountId), one.kind, one.name);
}

function problemOfUpload({ sent: { process } }: Facts, accountId: string): string | null {
  const { task } = process;
  if (task.wish !== null) return task.wish.kind === 'upload' ? null : 'an upload that no one asked for';
  const shows = task.declared.some(
    (one) => one.accountId === accountId && one.content.sha256 !== null && covers(task, one),
  );
  return shows ? null : `an upload for ${aliasOf(accountId)}, where nothing shows a file`;
}

interface Create {
  readonly accountId: string;
  readonly of: Kind;
  readonly name: string;
  readonly content: Content;
}

function problemOfCreate(facts: Facts, { accountId, of, name, content }: Create): string | null {
  const { task } = facts.sent.process;
  const what = `a create of ${aliasOf(accountId)}/${of}/${name} that says ${wordsOf(content)}`;
  if (task.wish !== null) {
    const { wish } = task;
    const isAsked = wish.kind === 'create' && wish.of === of && wish.name === name;
    return isAsked ? null : `${what}, which no one asked for`;
  }
  const wanted = declaredAs(task, { accountId, kind: of, name });
  if (wanted === undefined || !isRunning(wanted.target)) return `${what}, which is not declared`;
  if (!covers(task, wanted)) return `${what}, which is not part of the run`;
  const isLate = wanted.hourMs !== null && wanted.hourMs - facts.sent.sentMs < LEAD_MS;
  const { actor } = facts.sent.process;
  if (isLate && !isDeceived(facts.chaos, actor) && !isTooEarlyByAll(facts.chaos, actor))
    return `${what}, too near its hour`;
  if (!sameContent(content, wanted.content)) return `${what}, where ${wordsOf(wanted.content)} is declared`;
  const held = whyHeld(facts, { accountId, kind: of, name }, content);
  return held === null ? null : `${what}, although ${held}`;
}

/** A person has stopped what would be created again. */
function whyHeld(
  facts: Facts,
  { accountId, kind, name }: Pick<Live, 'accountId' | 'kind' | 'name'>,
  content: Content,
): string | null {
  const { live, sent } = facts;
  if (sent.process.task.allow.includes('resume')) return null;
  const group = live.filter((one) => one.accountId === accountId && one.kind === kind && one.name === name);
  const last = group.at(-1);
  // Next to an older version that runs, other words replace that one: the plan says what was recalled.
  const isReplace = group.some((one) => sends(one) || hasAskedFor(facts, one, 'paused'));
  if (last?.status === 'recalled' && last.shownSinceMs < facts.listedMs && !isReplace)
    return `${last.id}, the newest of its name, was recalled`;
  const newest = group.findLast((one) => sameContent(one.content, content));
  if (newest === undefined || sends(newest)) return null;
  const stop = stoppedBy(facts, newest);
  return stop === null ? null : `a person stopped ${newest.id} ${stop}`;
}

function problemOfStatus(
  facts: Facts,
  { accountId, of, id, status }: { accountId: string; of: Kind; id: string; status: string },
): string | null {
  const object = facts.live.find((one) => one.accountId === accountId && one.kind === of && one.id === id);
  if (object === undefined) return `it touches ${of} ${id}, which is not Herald's`;
  const problem = problemOfChange(facts, object, status);
  return problem === null
    ? null
    : `${status} of ${keyOf(object)} "${object.name}" (${object.status ?? 'null'}, ${wordsOf(object.content)}): ${problem}`;
}

function problemOfChange(facts: Facts, object: Live, status: string): string | null {
  const { task } = facts.sent.process;
  if (status === 'queued' && isResumedTooLate(facts, object))
    return 'its hour has passed, so it goes out at once';
  const wasAsked = hasAskedFor(facts, object, status);
  if (task.wish !== null) {
    const { wish } = task;
    const isAsked = wish.kind === 'status' && wish.key === keyOf(object) && wish.status === status;
    // A broadcast is paused before it is recalled.
    const isFirst = wish.kind === 'status' && wish.key === keyOf(object) && wish.status === 'unsend';
    return wasAsked || isAsked || (isFirst && status === 'paused') ? null : 'no one asked for it';
  }
  if (!covers(task, object)) return wasAsked && task.finishes === true ? null : 'it is not part of the run';
  const wanted = declaredAs(task, object);
  if (status === 'unsend') return problemOfRecall(facts, object, wanted);
  const isStart = status === 'active' || status === 'queued';
  // What may be half done is asked for again: stops, and what shows already that it runs.
  if (wasAsked && (!isStart || sends(object))) return null;
  if (isTheirs(facts, object)) return 'a person made it, and no one allowed to adopt it';
  return isStart ? problemOfStart(facts, object, wanted) : problemOfStop(facts, object, wanted);
}

function problemOfRecall(facts: Facts, object: Live, wanted: Declared | undefined): string | null {
  const { task } = facts.sent.process;
  if (wanted?.target !== 'recalled' || !task.allow.includes('recall')) return 'it is not declared recalled';
  return isProtected(facts, object, wanted) ? 'it is protected' : null;
}

function problemOfStart(facts: Facts, object: Live, wanted: Declared | undefined): string | null {
  const { live, listedMs, sent } = facts;
  const { task } = sent.process;
  if (wanted === undefined || !isRunning(wanted.target)) return 'it is not declared running';
  const isOld = (object.lastChange?.atMs ?? 0) < sent.sentMs - FRESH_MS;
  if ((object.status === 'recalled' || object.status === 'recalling') && isOld) return 'it was recalled';
  // A version that it has paused is switched on again by a list that is read for that.
  const isRestored = sent.process.writes.some(
    ({ write }) => write.kind === 'status' && write.id === object.id && write.status === 'paused',
  );
  const knownMs = isRestored ? Math.max(listedMs, lastListMs(facts.chaos, sent.process, object)) : listedMs;
  const other = live.find(
    (one) =>
      one.id !== object.id && isOfOneName(wanted, one, object) && sends(one) && one.shownSinceMs < knownMs,
  );
  if (other !== undefined && !sends(object)) return `${other.id} runs already`;
  const stop = stoppedBy(facts, object);
  if (stop !== null && !task.allow.includes('resume')) return `a person stopped it ${stop}`;
  // What a replace stopped is switched on again where its create failed.
  const wasOurs = hasAskedFor(facts, object, 'paused');
  return sameContent(object.content, wanted.content) || wasOurs || isMediaUntold(facts)
    ? null
    : `${wordsOf(wanted.content)} is declared`;
}

/** Two have one name, or one of them had it until a person gave it another one on the service. */
function isOfOneName(wanted: Declared, one: Live, object: Live): boolean {
  if (groupOf(one) === groupOf(object)) return true;
  const isRenamed = isNamedByPerson(one) || isNamedByPerson(object);
  return isRenamed && isDeclaredAs(wanted, one) && one.accountId === object.accountId;
}

/** What a late create has made under a former name runs next to the declared one: fans would get both. */
function isUnderItsNewName(wanted: Declared, one: Live, object: Live): boolean {
  return one.name === wanted.name && object.name !== wanted.name && isDeclaredAs(wanted, one);
}

/** The ledger that knows which files were uploaded was lost, or is another operator's. */
function isMediaUntold({ chaos, sent }: Facts): boolean {
  return chaos.actors.length > 1 || sent.process.actor.ledgerLostMs !== null;
}

function problemOfStop(facts: Facts, object: Live, wanted: Declared | undefined): string | null {
  const { live, sent, isCrowded, isDisturbed } = facts;
  const { task, actor, startedMs } = sent.process;
  if (wanted === undefined) {
    if (actor.protectedKeys.has(keyOf(object))) return 'it was protected when it left the files';
    return task.allow.includes('prune') ? null : 'it is no longer declared, and no one allowed a prune';
  }
  const others = live.filter(
    (one) =>
      one.id !== object.id && (isOfOneName(wanted, one, object) || isUnderItsNewName(wanted, one, object)),
  );
  const hasLeft = others.some(({ kind, status }) => kind === 'broadcast' && !WAITING.includes(status));
  const isHeld = isProtected(facts, object, wanted);
  if (hasLeft && !isHeld) return null;
  const twins = others.filter((one) => isRunning(one.status) && sameContent(one.content, wanted.content));
  const isExtra = isRunning(wanted.target) && twins.length > 0;
  if (isHeld && !isExtra) return 'it is protected';
  if (wanted.target === 'paused' && isCutOff(facts, object, wanted))
    return 'it goes out, and no one asked to cut it off half-way';
  // Another operator's may be on its way to run while this one is stopped.
  if (!isRunning(wanted.target) || isCrowded || isDisturbed) return null;
  if (isChangedFrom(object.content, wanted.content)) {
    const earlier = live.filter((one) => !isStoppedWith(object, one, sent.process));
    // The other one stays, so this stop ends a duplicate and replaces nothing.
    const isDuplicate = live.some(
      (one) =>
        one.id !== object.id &&
        isDeclaredAs(wanted, one) &&
        isRunning(one.status) &&
        one.createdMs < startedMs,
    );
    // A copy of the same create that came too late has replaced nothing, either.
    // Of what no line of the ledger calls Herald's own, a person has allowed to take it over.
    const isTakenOver = task.allow.includes('adopt') && !isRecordedAsMade(facts, object.id);
    const replacedNothing = isExtra || isDuplicate || isTakenOver || isTooLate(facts.chaos.simulator, object);
    const isAgain = !isMediaUntold(facts) && !replacedNothing && isLeft(earlier, object, wanted);
    return isAgain ? 'it was replaced for its text before' : null;
  }
  // Another hour is another version.
  if (object.hourMs !== wanted.hourMs) return null;
  // What a person has paused does not stay next to a copy that runs.
  const stays =
    isRunning(object.status) &&
    sameContent(object.content, wanted.content) &&
    twins.every(({ id }) => BigInt(id) > BigInt(object.id));
  if (isExtra) return stays ? 'of its copies it is the one that stays' : null;
  return sameContent(object.content, wanted.content) && !isMediaUntold(facts)
    ? 'it is as declared, and the only one'
    : null;
}

/** Whether the same process stopped another version just now, next to which this one was live: it did not replace it. */
function isStoppedWith(object: Live, other: Live, { requests }: SentWrite['process']): boolean {
  const { lastChange } = other;
  if (lastChange === null || lastChange.request === null || !requests.has(lastChange.request)) return false;
  return object.createdMs + SECOND_MS <= lastChange.atMs;
}

/** The service shows the time of a create without its milliseconds. */
const SECOND_MS = 1_000;

/** No one has agreed to let it go out at once: an apply never does, and a person has agreed to its hour. */
function isResumedTooLate({ chaos, sent }: Facts, { id, name, hourMs: ownMs }: Live): boolean {
  const { process, sentMs } = sent;
  const hourMs = ownMs ?? hourOf(name, chaos.scenario.startMin);
  if (hourMs === null || sentMs < hourMs + CLOCKS_MS || isDeceived(chaos, process.actor)) return false;
  if (process.run.command.kind === 'apply') return true;
  return (
    process.run.command.kind === 'by hand' &&
    process.writes.some(
      ({ write, sentMs: beforeMs }) =>
        write.kind === 'status' && write.id === id && beforeMs < hourMs - CLOCKS_MS,
    )
  );
}

/** What is known of the time of the service is this exact. */
const CLOCKS_MS = 2_000;

/** It had begun to go out before any look that the stop may go by. */
function isCutOff({ sent }: Facts, { kind, status }: Live, { hourMs }: Declared): boolean {
  const isGoing = kind === 'broadcast' && (status === 'queued' || status === 'sending');
  return isGoing && hourMs !== null && hourMs < sent.sentMs - FRESH_MS;
}

/** What a broadcast shows that has not left. */
const WAITING: readonly (string | null)[] = ['scheduled', 'paused'];

function isProtected({ sent }: Facts, object: Live, { protect }: Declared): boolean {
  return (protect || sent.process.actor.protectedKeys.has(keyOf(object))) && isRunning(object.status);
}
