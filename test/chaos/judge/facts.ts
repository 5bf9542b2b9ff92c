import { isRunning } from '../declare.ts';
import { keyOf, lastChangeAfter, lastChangeBefore, type Live } from '../live.ts';
import { atWork, type Actor, type Chaos, type SentWrite } from '../state.ts';
import { callsStop } from './stops.ts';
import type { Write } from '../writes.ts';

/** Everything that the judges of a write go by. */
export interface Facts {
  readonly chaos: Chaos;
  readonly sent: SentWrite;
  readonly live: readonly Live[];
  /** What a process decides goes by lists that are not older than this. */
  readonly listedMs: number;
  /** Another operator's run is under way. */
  readonly isCrowded: boolean;
  /** A person changed something there while this run was under way. */
  readonly isDisturbed: boolean;
}

/** A list that a write goes by may be so old. */
export const FRESH_MS = 6_000;

export function factsAt(chaos: Chaos, sent: SentWrite, live: readonly Live[]): Facts {
  const others = atWork(chaos).filter(({ actor }) => actor !== sent.process.actor);
  return {
    chaos,
    sent,
    live,
    listedMs: sent.sentMs - FRESH_MS,
    isCrowded: others.length > 0,
    isDisturbed: sent.process.disturbed.size > 0,
  };
}

/** Whether this ledger's operator has ever asked for this status of an object: an open request is repeated. */
export function hasAskedFor({ chaos, sent }: Facts, object: Live, status: string): boolean {
  const isIt = (write: Write) =>
    write.kind === 'status' &&
    write.status === status &&
    keyOf({ accountId: write.accountId, kind: write.of, id: write.id }) === keyOf(object);
  return chaos.processes.some(
    ({ actor, dead, tried, writes }) =>
      sharesLedger(chaos, actor, sent.process.actor) &&
      // What a killed process was about to send is on record, whether it left or not.
      (writes.some(({ write }) => isIt(write)) || (dead && tried.some(isIt))),
  );
}

/** Whether the lines of one are in the ledger of the other one. */
export function sharesLedger({ scenario }: Chaos, one: Actor, other: Actor): boolean {
  return one === other || scenario.steps.some(({ kind }) => kind === 'ledgers joined');
}

/** The person who stopped an object last, where it has not been started since; null where no person did. */
export function stoppedBy(facts: Facts, object: Live): 'by hand' | 'outside' | null {
  const { lastChange } = object;
  if (lastChange === null || lastChange.atMs > facts.listedMs) return null;
  const stop = callsStop(facts.chaos, lastChange);
  const { chaos, sent } = facts;
  const isOnRecord = chaos.processes.some(
    ({ actor, requests }) =>
      actor === sent.process.actor && lastChange.request !== null && requests.has(lastChange.request),
  );
  const isUnseen = isAsItWas(facts, object) || hasRunUnseen(facts, object) || hasNotBeenSeen(facts, object);
  return !isOnRecord && isUnseen ? null : stop;
}

/**
 * It was started by a request of this ledger that got no answer, and no look of this ledger came before the stop: so it
 * looks as if that request was never carried out.
 */
function hasRunUnseen({ chaos, sent }: Facts, object: Live): boolean {
  const { processes, simulator } = chaos;
  const stoppedMs = object.lastChange?.atMs ?? 0;
  const start = lastChangeBefore(simulator, object, stoppedMs - 1);
  if (start === null) return false;
  const own = processes.filter(({ actor }) => actor === sent.process.actor);
  const write = own.flatMap(({ writes }) => writes).find(({ request }) => request === start.request);
  if (write?.answer !== 'unconfirmed' || !isRunning(start.status)) return false;
  return !simulator.world.requests.some(
    ({ request, operation, at }) =>
      LOOKS_AT[object.kind].includes(operation ?? '') &&
      request > (start.request ?? 0) &&
      Date.parse(at) <= stoppedMs &&
      own.some(({ requests }) => requests.has(request)),
  );
}

/**
 * A person started what an apply had stopped, and stopped it again. No command that keeps a record has read it in between: a
 * drift and a plan keep none.
 */
function hasNotBeenSeen({ chaos, sent }: Facts, object: Live): boolean {
  const { processes, simulator } = chaos;
  const stoppedMs = object.lastChange?.atMs ?? 0;
  const start = lastChangeBefore(simulator, object, stoppedMs - 1);
  if (start === null || !isRunning(start.status)) return false;
  const before = lastChangeBefore(simulator, object, start.atMs - 1);
  if (before === null || before.status !== object.status || callsStop(chaos, before) !== null) return false;
  const own = processes.filter(
    ({ actor, run }) => actor === sent.process.actor && run.command.kind !== 'look',
  );
  return !simulator.world.requests.some(
    ({ request, operation, at }) =>
      LOOKS_AT[object.kind].includes(operation ?? '') &&
      Date.parse(at) >= start.atMs &&
      Date.parse(at) <= stoppedMs &&
      own.some(({ requests }) => requests.has(request)),
  );
}

/** The reads that show an object. */
const LOOKS_AT: Readonly<Record<Live['kind'], readonly string[]>> = {
  campaign: ['campaigns.list', 'campaigns.get'],
  broadcast: ['broadcasts.list', 'broadcasts.get'],
};

/** What runs for less than this hardly shows in any list. */
const SHOWN_MS = 1_000;

/**
 * A person switched it on and off again while the run waited, or within a moment. Each look shows what an apply had stopped
 * before.
 */
function isAsItWas({ chaos, sent }: Facts, object: Live): boolean {
  const stoppedMs = object.lastChange?.atMs ?? 0;
  const { startedMs, startedAfter } = sent.process;
  const before =
    startedMs < stoppedMs
      ? lastChangeAfter(chaos.simulator, object, startedAfter)
      : lastChangeBefore(chaos.simulator, object, stoppedMs - SHOWN_MS);
  if (before === null || before.status !== object.status || isRunning(before.status)) return false;
  return callsStop(chaos, before) === null;
}
