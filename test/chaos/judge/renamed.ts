import type { Kind } from '../../../src/domain/resource.ts';
import { isDeclaredAs, isRunning, sameContent, wordsOf, type Content, type Declared } from '../declare.ts';
import { isTooLate, keyOf, sends, WINDOW_MS, type Live } from '../live.ts';
import { writesOf, type SentWrite } from '../state.ts';
import { isRenamed } from './carried-out-rename.ts';
import { hasAskedFor, sharesLedger, type Facts } from './facts.ts';

/** What a create or a status makes run. */
interface Start {
  readonly accountId: string;
  readonly kind: Kind;
  readonly name: string;
  readonly content: Content;
  /** Null of a create. */
  readonly id: string | null;
}

/** What starts next to what fans get already, under another name: the same text, or the version that replaced it. */
export function besideOtherNames(facts: Facts): string[] {
  const start = startOf(facts);
  // A person who starts it by hand decides about this one alone, and of what another operator does no ledger tells.
  if (start === null || facts.sent.process.task.wish !== null) return [];
  return [
    ...sameElsewhere(facts, start),
    ...besideItsReplacement(facts, start),
    ...whileReplacementIsOpen(facts, start),
  ];
}

function startOf({ sent: { write }, live }: Facts): Start | null {
  if (write.kind === 'create') return { ...write, kind: write.of, id: null };
  if (write.kind !== 'status' || !['active', 'queued'].includes(write.status)) return null;
  const object = live.find(({ kind, id }) => kind === write.of && id === write.id);
  return object === undefined || sends(object) ? null : object;
}

/** The same text sends under another name, although the files have it once: they moved it from one to the other. */
function sameElsewhere(facts: Facts, start: Start): string[] {
  const { declared } = facts.sent.process.task;
  const other = shownBeside(facts, start).find(
    (one) =>
      one.name !== start.name &&
      sameContent(one.content, start.content) &&
      isOwn(facts, one) &&
      !isOfOneResource(declared, one, start) &&
      !declared.some(
        (wanted) =>
          isDeclaredAs(wanted, one) && isRunning(wanted.target) && sameContent(wanted.content, one.content),
      ),
  );
  return other === undefined ? [] : [`${wordsOfStart(start)} next to ${wordsOfLive(other)}: the same text`];
}

/** Two versions of one resource under its two names are judged by their resource. */
function isOfOneResource(declared: readonly Declared[], one: Live, start: Start): boolean {
  return declared.some((wanted) => wanted.name === start.name && isDeclaredAs(wanted, one));
}

/** A version starts, or a third one, next to the one that replaced it: a file renamed it, and no file has that name now. */
function besideItsReplacement(facts: Facts, start: Start): string[] {
  const { declared } = facts.sent.process.task;
  const by = shownBeside(facts, start).find((one) => {
    if (declared.some((wanted) => isDeclaredAs(wanted, one)) || isTooLate(facts.chaos.simulator, one))
      return false;
    const made = ownWrites(facts).find(({ request }) => request === one.madeBy);
    return made !== undefined && replacedBy(facts, start, made) !== null;
  });
  return by === undefined ? [] : [`${wordsOfStart(start)} next to ${wordsOfLive(by)}, which replaced it`];
}

/** The same while the create of what replaces it may still be carried out. */
function whileReplacementIsOpen(facts: Facts, start: Start): string[] {
  const { sent, live } = facts;
  const { actor } = sent.process;
  return ownWrites(facts).flatMap((made) => {
    const { answer, sentMs, request } = made;
    const isOpen = answer === 'unconfirmed' || answer === 'none yet';
    if (!isOpen || sent.sentMs - sentMs >= WINDOW_MS) return [];
    if (actor.ledgerLostMs !== null && actor.ledgerLostMs > sentMs) return [];
    if (live.some(({ madeBy }) => madeBy === request) || replacedBy(facts, start, made) === null) return [];
    const sec = Math.round((sent.sentMs - sentMs) / 1000);
    return [
      `${wordsOfStart(start)} ${sec} s after a create of what replaces it, of which no answer was heard`,
    ];
  });
}

/** What the create replaced under another name, where that is a version of what starts; null where it is none. */
function replacedBy(facts: Facts, start: Start, { process, write, sentMs }: SentWrite): Live | null {
  if (write.kind !== 'create' || write.name === start.name) return null;
  if (write.accountId !== start.accountId || write.of !== start.kind) return null;
  const renamed = process.task.declared.find(
    ({ accountId, kind, name }) =>
      accountId === start.accountId && kind === start.kind && name === write.name,
  );
  const wanted = facts.sent.process.task.declared.find(
    ({ accountId, kind, name }) =>
      accountId === start.accountId && kind === start.kind && name === start.name,
  );
  if (renamed === undefined || wanted === undefined) return null;
  return (
    facts.live.find(
      (old) =>
        old.name !== write.name &&
        isDeclaredAs(renamed, old) &&
        isDeclaredAs(wanted, old) &&
        (old.name === wanted.name || isRenamed(facts.chaos, facts.sent.process.actor, wanted, facts.live)) &&
        old.createdMs < sentMs &&
        (start.id === null || start.id === old.id) &&
        hasAskedFor(facts, old, 'paused') &&
        wasPausedBefore(facts, old, start.id === null ? facts.sent.process.startedMs : facts.sent.sentMs),
    ) ?? null
  );
}

/** A pause that a killed process had only on record replaces nothing: the next run sees that it was never carried out. */
function wasPausedBefore({ chaos }: Facts, { kind, id }: Live, ms: number): boolean {
  return chaos.simulator.world.commits.some(
    ({ at, ...commit }) =>
      commit.kind === kind && commit.id === id && commit.status === 'paused' && Date.parse(at) < ms,
  );
}

/** What sends on the account, and did so in every list that the write may go by. */
function shownBeside({ live, listedMs }: Facts, start: Start): readonly Live[] {
  return live.filter(
    (one) =>
      one.accountId === start.accountId &&
      one.kind === start.kind &&
      one.id !== start.id &&
      sends(one) &&
      one.shownSinceMs < listedMs,
  );
}

function ownWrites({ chaos, sent }: Facts): readonly SentWrite[] {
  return chaos.actors
    .filter((actor) => sharesLedger(chaos, actor, sent.process.actor))
    .flatMap((actor) => writesOf(chaos, actor));
}

function isOwn(facts: Facts, { madeBy }: Live): boolean {
  return madeBy !== null && ownWrites(facts).some(({ request }) => request === madeBy);
}

function wordsOfStart(start: Start): string {
  const what = start.id === null ? 'a create' : `a start of ${start.id}`;
  return `${what} of ${start.accountId}/${start.kind}/${start.name} that says ${wordsOf(start.content)} was sent`;
}

function wordsOfLive(one: Live): string {
  return `${keyOf(one)} "${one.name}", which is ${one.status ?? 'null'} and says ${wordsOf(one.content)}`;
}
