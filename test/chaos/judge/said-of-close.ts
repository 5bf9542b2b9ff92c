import * as z from 'zod';
import { entriesIn, requestsOf } from '../closing.ts';
import type { Line } from '../ledger-lines.ts';
import { WINDOW_MS } from '../live.ts';
import type { Ended } from '../run.ts';
import type { Chaos } from '../state.ts';
import type { Wish } from '../task.ts';
import { hasRightClock, hasWholeLedger, isUndisturbed, isUnhindered } from './calm.ts';

type Close = Extract<Wish, { readonly kind: 'close' }>;
type Entry = ReturnType<typeof entriesIn>[number];

/** No clock can be so wrong that a request of this age is still under way. */
const SURELY_OVER_MS = 200_000;
const DONE = 0;
const FAILED = 1;

/**
 * What `herald ledger close` did and said, against what the service may still do:
 *
 * | end              | is false if                                                                         |
 * |------------------|-------------------------------------------------------------------------------------|
 * | exit 0           | the request may still be carried out, has ended before, or is one that a run resolves |
 * |                  | the ledger does not have the person's words, or the answer names another request    |
 * | exit 1           | the ledger has them all the same                                                    |
 * | under-way        | nothing can be carried out any more, and nothing kept Herald from knowing that      |
 * | settled-by-a-run | no run can resolve it                                                               |
 * | unknown-entry    | it is unconfirmed                                                                   |
 *
 * And no later message or raw create waits for a request that is closed.
 */
export function saidOfClose(chaos: Chaos, ended: Ended): string[] {
  const { process, ran } = ended;
  const { wish } = process.task;
  if (wish?.kind !== 'close') return waitsForNothing(chaos, ended);
  const entry = entriesIn(process.actor.scene.files.tree).find(({ name }) => name === wish.entry);
  if (entry === undefined) return [];
  const problems =
    ran.code === DONE ? closedWrongly(chaos, ended, wish, entry) : refusedWrongly(chaos, ended, wish, entry);
  return problems.map((problem) => `close of ${wordsOf(entry)}, exit ${ran.code}: ${problem}`);
}

function closedWrongly(chaos: Chaos, { process, ran }: Ended, wish: Close, entry: Entry): string[] {
  const ageMs = ageOf(chaos, entry);
  const isOnRecord = entry.closings.some(
    ({ run, because }) => run === process.ledgerRun && because === wish.because,
  );
  const item = closedShape.safeParse(JSON.parse(ran.stdout)).data?.item;
  const isNamed =
    item?.entry === entry.name && item.because === wish.because && item.who === entry.begin['who'];
  return [
    ...(wish.wasOpen ? [] : ['it had ended before']),
    ...(ageMs === null || ageMs >= WINDOW_MS
      ? []
      : [`its request was sent ${Math.round(ageMs / 1000)} s before, and may still be carried out`]),
    ...(isForPerson(entry.begin) || isAway(chaos, entry.begin)
      ? []
      : ['a run finds out what happened to it']),
    ...(isOnRecord ? [] : ['the ledger does not have the words of the person']),
    ...(isNamed ? [] : ['the answer is about another request']),
  ];
}

const closedShape = z.object({
  item: z.object({ entry: z.string(), because: z.string(), who: z.string().nullable() }),
});
const refusedShape = z.object({ code: z.string() });

function refusedWrongly(
  chaos: Chaos,
  { process, ran, interrupted }: Ended,
  wish: Close,
  entry: Entry,
): string[] {
  if (ran.code !== FAILED || interrupted) return [];
  if (entry.closings.some(({ run }) => run === process.ledgerRun)) return ['it was closed all the same'];
  const { actor } = process;
  const isCalm =
    isUnhindered(chaos, process) &&
    isUndisturbed(chaos, process) &&
    hasRightClock(chaos, actor) &&
    hasWholeLedger(chaos, actor) &&
    // If the servers do not agree, no one knows how old a request is.
    chaos.simulator.world.modes.serverClocksSec.every((sec) => sec === 0) &&
    Math.abs(Number(entry.begin['skew_ms'] ?? Number.NaN)) < SAME_TIME_MS;
  const ageMs = ageOf(chaos, entry);
  if (!isCalm || !wish.wasOpen || ageMs === null) return [];
  const code = refusedShape.safeParse(JSON.parse(ran.stdout)).data?.code;
  const isForAPerson = isForPerson(entry.begin) || isAway(chaos, entry.begin);
  switch (code) {
    case 'under-way':
      return ageMs < SURELY_OVER_MS ? [] : [`under-way, ${Math.round(ageMs / 1000)} s after its request`];
    case 'settled-by-a-run':
      return isForAPerson ? ['settled-by-a-run, and no run can find out about it'] : [];
    case 'unknown-entry':
      return isOvertakenByNone(entry.begin) ? ['unknown-entry, and it has no outcome'] : [];
    default:
      return [`${code ?? 'no code'} without a reason`];
  }
}

const SAME_TIME_MS = 2_000;

/** How long ago the last copy of its request was sent; null where none was. */
function ageOf(chaos: Chaos, entry: Entry): number | null {
  const last = requestsOf(chaos, entry).at(-1);
  return last === undefined ? null : chaos.simulator.control.now() - last.sentMs;
}

/** No read and no repeat tells what became of a recall, a message, or a create without a name. */
function isForPerson({ call, operation }: Line): boolean {
  return (
    call === 'unsend' || ['chat.send', 'campaigns.create', 'broadcasts.create'].includes(String(operation))
  );
}

function isAway({ isAway: isFirstAway }: Chaos, { account_id: accountId }: Line): boolean {
  return isFirstAway && (accountId === '101' || accountId === '9101');
}

/** A later status of the same object can be the end of an earlier one; nothing else is. */
function isOvertakenByNone({ type, call }: Line): boolean {
  return type === 'act' || call === 'create';
}

function wordsOf({ name, begin: { call, operation, subject, name: of } }: Entry): string {
  return `${name} (${String(call ?? operation)} of ${String(of ?? subject)})`;
}

const UNKNOWN = 3;

/** Nothing was sent because of an unconfirmed request, and the ledger has none. */
function waitsForNothing(chaos: Chaos, { process, ran, interrupted }: Ended): string[] {
  const { run, writes, actor } = process;
  if (!['chat', 'api create'].includes(run.command.kind) || ran.code !== UNKNOWN || writes.length > 0)
    return [];
  if (interrupted || !isUnhindered(chaos, process) || !isUndisturbed(chaos, process)) return [];
  if (actor.damage !== null || entriesIn(actor.scene.files.tree).some(({ isOpen }) => isOpen)) return [];
  return [`${run.command.kind}, exit 3: nothing was sent, and no request is unconfirmed`];
}
