import { endsOf, isClosedByPerson } from '../closing.ts';
import {
  isChangedFrom,
  isDeclaredAs,
  isRunning,
  sameContent,
  wordsOf,
  type Content,
  type Declared,
} from '../declare.ts';
import { groupOf, keyOf, sends, WINDOW_MS, type Live } from '../live.ts';
import { writesKnownTo, writesOf, type Actor, type SentWrite } from '../state.ts';
import type { Write } from '../writes.ts';
import { isDeceivedOfAge } from './deceived.ts';
import { sharesLedger, type Facts } from './facts.ts';
import { lastListMs } from './still-twice.ts';

type Create = Extract<Write, { readonly kind: 'create' }>;
type Status = Extract<Write, { readonly kind: 'status' }>;

/** A create or a start that makes a second copy, or may make one because an earlier request is still on its way. */
export function repeats(facts: Facts): string[] {
  const { write } = facts.sent;
  if (write.kind === 'status') return startedWhileOpen(facts, write);
  if (write.kind !== 'create') return [];
  return [
    ...whileOpen(facts, write),
    ...besideRunning(facts, write),
    ...thirdTime(facts, write),
    ...onceMore(facts, write),
    ...rawAgain(facts, write),
    ...afterHalfWay(facts, write),
  ];
}

/** Until the window of a request without an answer is over, nothing of the same name or words is created. */
function whileOpen(facts: Facts, write: Create): string[] {
  return openCreates(facts, write)
    .filter(({ create }) => hasNameOf(create, write) || sameContent(create.content, write.content))
    .map(
      ({ sec }) => `${wordsOfCreate(write)} was sent ${sec} s after a request of which no answer was heard`,
    );
}

/** Two without a name have nothing in common by that. */
function hasNameOf({ name }: Create, other: Create): boolean {
  return name !== '' && name === other.name;
}

/** What one command has sent twice without hearing of it is for a person to look at. */
function thirdTime({ sent: { process } }: Facts, write: Create): string[] {
  const silent = process.writes.filter(
    ({ write: other, answer }) =>
      other.kind === 'create' &&
      groupOf({ ...other, kind: other.of }) === groupOf({ ...write, kind: write.of }) &&
      answer === 'unconfirmed',
  );
  return silent.length < 2
    ? []
    : [
        `${wordsOfCreate(write)} was sent by a command that has sent it ${silent.length} times without an answer`,
      ];
}

/** What the first create of a command has made is there for it to find: the second one sends the same again. */
function onceMore({ sent: { process }, live, listedMs }: Facts, write: Create): string[] {
  const made = live.find(
    (one) =>
      one.createdMs < listedMs &&
      process.writes.some(
        ({ request, write: other }) =>
          one.madeBy === request &&
          other.kind === 'create' &&
          groupOf({ ...other, kind: other.of }) === groupOf({ ...write, kind: write.of }) &&
          sameContent(other.content, write.content),
      ),
  );
  return made === undefined
    ? []
    : [`${wordsOfCreate(write)} was sent by the command with a first create that has made ${keyOf(made)}`];
}

/**
 * A raw create of which no answer was heard has made something, and the same is sent again without a word about the first
 * one. An apply in between finds what has a name; without one, only a person can say that it is meant. An apply that records
 * that nothing was made has not found it.
 */
function rawAgain(facts: Facts, write: Create): string[] {
  const { chaos, sent } = facts;
  const { actor, run } = sent.process;
  if (run.command.kind !== 'api create') return [];
  const { commits } = chaos.simulator.world;
  const made = writesOf(chaos, actor).find(
    (earlier) =>
      earlier.process.run.command.kind === 'api create' &&
      earlier.write.kind === 'create' &&
      groupOf({ ...earlier.write, kind: earlier.write.of }) === groupOf({ ...write, kind: write.of }) &&
      sameContent(earlier.write.content, write.content) &&
      isOpen(earlier) &&
      !isClosedByPerson(chaos, actor, earlier) &&
      !(actor.ledgerLostMs !== null && actor.ledgerLostMs > earlier.sentMs) &&
      (write.name === '' || !hasAppliedSince(chaos, earlier) || isCalledAbsent(facts, earlier)) &&
      commits.some(({ change, cause }) => change === 'create' && cause.request === earlier.request),
  );
  return made === undefined
    ? []
    : [
        `${wordsOfCreate(write)} was sent after request ${made.request}, which has made the same without an answer`,
      ];
}

function hasAppliedSince({ processes }: Facts['chaos'], { process: { actor }, sentMs }: SentWrite): boolean {
  return processes.some(
    ({ actor: other, run, startedMs }) =>
      other === actor && run.command.kind === 'apply' && startedMs >= sentMs,
  );
}

/** An apply has recorded that the create made nothing, although lists had long shown what it made, as it was sent. */
function isCalledAbsent({ chaos, live }: Facts, { process, request, write }: SentWrite): boolean {
  const made = live.find(({ madeBy }) => madeBy === request);
  if (made === undefined || write.kind !== 'create') return false;
  if ((made.lastChange?.by ?? 'service') !== 'service') return false;
  if (made.name !== write.name || isAnother(made.content, write.content)) return false;
  const absent = endsOf(process, write).filter(({ outcome }) => outcome === 'absent');
  return chaos.processes.some(
    ({ ledgerRun, startedMs }) =>
      made.listedSinceMs < startedMs && absent.some(({ run }) => run === ledgerRun),
  );
}

/** Some fans have what the command itself has stopped half-way: another version of it would be a second send. */
function afterHalfWay({ sent: { process }, live }: Facts, write: Create): string[] {
  const halted = live.find(
    (one) =>
      groupOf(one) === groupOf({ ...write, kind: write.of }) &&
      one.status === 'paused' &&
      one.reached > 0 &&
      process.requests.has(one.lastChange?.request ?? -1),
  );
  return halted === undefined
    ? []
    : [
        `${wordsOfCreate(write)} was sent by the command that has stopped ${keyOf(halted)}, which has reached ${halted.reached} fans`,
      ];
}

/** Nor is anything of the name switched on: it would run next to what may still be created. */
function startedWhileOpen(facts: Facts, { accountId, of, id, status }: Status): string[] {
  const object = facts.live.find((one) => one.accountId === accountId && one.kind === of && one.id === id);
  const isStart = status === 'active' || status === 'queued';
  // A person who starts it by hand decides about this one alone.
  if (object === undefined || !isStart || sends(object) || facts.sent.process.task.wish !== null) return [];
  return openCreates(facts, { accountId, of })
    .filter(({ create }) => create.name === object.name)
    .map(
      ({ sec }) =>
        `${status} of ${keyOf(object)} was sent ${sec} s after a create of its name of which no answer was heard`,
    );
}

/** Creates of the same ledger that may still be carried out. */
function openCreates(
  { chaos, sent, live }: Facts,
  { accountId, of }: Pick<Create, 'accountId' | 'of'>,
): readonly { readonly create: Create; readonly sec: number }[] {
  const { actor } = sent.process;
  return writesKnownTo(chaos, sent).flatMap((earlier) => {
    const { write: create, sentMs, request } = earlier;
    if (create.kind !== 'create' || create.accountId !== accountId || create.of !== of) return [];
    if (!isOpen(earlier) || sent.sentMs - sentMs >= WINDOW_MS) return [];
    if (isDeceivedOfAge(chaos, earlier, sent)) return [];
    // A ledger that was lost knows nothing of it, and one that has seen its object knows its end.
    if (actor.ledgerLostMs !== null && actor.ledgerLostMs > sentMs) return [];
    if (live.some(({ madeBy }) => madeBy === request)) return [];
    return [{ create, sec: Math.round((sent.sentMs - sentMs) / 1000) }];
  });
}

function isOpen({ answer }: SentWrite): boolean {
  return answer === 'unconfirmed' || answer === 'none yet';
}

/** A fresh list shows what runs: nothing is created next to it, unless the file says to make the new one first. */
function besideRunning(facts: Facts, write: Create): string[] {
  const { sent, live } = facts;
  const { task } = sent.process;
  // A raw call goes by nothing but what it is told.
  if (task.wish !== null) return [];
  const wanted = task.declared.find(
    (one) => one.accountId === write.accountId && one.kind === write.of && one.name === write.name,
  );
  const isFirst = wanted?.slot.replace === 'create_first' && write.of === 'campaign';
  const running = live.find(
    (one) =>
      one.accountId === write.accountId &&
      one.kind === write.of &&
      (isOfItsName(wanted, one, write) || isSameUnderOtherName(facts, one, write)) &&
      (sends(one) || hasLeft(one)) &&
      one.shownSinceMs < knownSinceMs(facts, one, write) &&
      !(isFirst && isAnother(one.content, write.content)),
  );
  if (running === undefined) return [];
  return [
    `${wordsOfCreate(write)} was sent next to ${keyOf(running)}, which is ${running.status ?? 'null'} and says ${wordsOf(running.content)}`,
  ];
}

/** A list serves the creates of an account for so long. */
const LIST_SERVES_MS = 30_000;

/**
 * What shows by then is known to the run. Right before a create its list is asked for names: what someone else has made that
 * says the same under another name is seen by the plan, and by the next one.
 */
function knownSinceMs(facts: Facts, one: Live, { accountId, of, name }: Create): number {
  const { chaos, sent, listedMs } = facts;
  const isOwn = one.madeBy !== null && !isOfAnotherLedger(facts, one);
  if (one.name !== name && !isOwn) return Math.min(listedMs, sent.process.startedMs);
  if (!isOfAnotherLedger(facts, one)) return listedMs;
  const readMs = lastListMs(chaos, sent.process, { accountId, kind: of });
  return Math.min(listedMs, Math.max(readMs, sent.sentMs - LIST_SERVES_MS));
}

function isOfAnotherLedger({ chaos, sent }: Facts, { madeBy }: Live): boolean {
  const maker = chaos.processes.find(({ requests }) => madeBy !== null && requests.has(madeBy));
  return maker !== undefined && !sharesLedger(chaos, maker.actor, sent.process.actor);
}

/** Where the name was taken over from another resource, what that one left has another text. */
function isOfItsName(wanted: Declared | undefined, one: Live, { name }: Create): boolean {
  return one.name === name && (wanted === undefined || isDeclaredAs(wanted, one));
}

/** Other words than those that are sent, or what the service or a person made of them. */
function isAnother(live: Content, sent: Content): boolean {
  return !sameContent(live, sent) || isChangedFrom(live, sent);
}

/** The same words that run under a name which no file has any more: a rename that no one said. */
function isSameUnderOtherName({ chaos, sent: { process } }: Facts, one: Live, write: Create): boolean {
  const { declared } = process.task;
  if (declared.some(({ kind, name }) => kind === one.kind && name === one.name)) return false;
  // Anyone who did not send it cannot know the words that the service has changed since.
  const isOwn = one.madeBy !== null && isOf(chaos, process.actor, one.madeBy);
  return isOwn ? sameContent(one.content, write.content) : one.content.text === write.content.text;
}

function isOf({ processes }: Facts['chaos'], actor: Actor, request: number): boolean {
  return processes.some((process) => process.actor === actor && process.requests.has(request));
}

/** A broadcast of this name has gone out: the next one needs another name. */
function hasLeft({ kind, status }: Live): boolean {
  return (
    kind === 'broadcast' && !isRunning(status) && !['paused', 'archived', 'recalled'].includes(status ?? '')
  );
}

function wordsOfCreate({ accountId, of, name, content }: Create): string {
  return `a create of ${accountId}/${of}/${name} that says ${wordsOf(content)}`;
}
