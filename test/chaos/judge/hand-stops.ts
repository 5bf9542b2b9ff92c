import { groupOf, type Live } from '../live.ts';
import type { Chaos, SentWrite } from '../state.ts';
import type { Facts } from './facts.ts';

/** A run asks its ledger before each write, so a stop by hand that is this old is known to it. */
const HEARD_MS = 1_000;

/**
 * What a person stops by hand in the same workspace while a run is at work, the run does not start again. A raw call waits
 * for the lock of the run, so it only gets in where that was lost; then it counts like any other.
 */
export function againstHandStop({ chaos, sent, live }: Facts): string[] {
  const { process, write, sentMs } = sent;
  const { task, actor, startedMs } = process;
  if (task.wish !== null || task.allow.includes('resume')) return [];
  const group = startedGroup(sent, live);
  if (group === null) return [];
  const stop = chaos.processes
    .filter((other) => other.actor === actor && BY_A_PERSON.includes(other.run.command.kind))
    .flatMap(({ writes }) => writes)
    .find(
      (other) =>
        other.write.kind === 'status' &&
        STOPS.includes(other.write.status) &&
        other.sentMs > startedMs &&
        other.sentMs < sentMs - HEARD_MS &&
        groupWith(live, other) === group &&
        !isPlannedWith(chaos, sent, other.sentMs),
    );
  return stop === undefined
    ? []
    : [
        `a ${write.kind} of ${group}, which a person stopped by hand ${Math.round((sentMs - stop.sentMs) / 1000)} s before`,
      ];
}

/**
 * Whether the run has made its plan with the stop: it waited for an earlier request and then read everything again. A
 * plan reads a list, and a create reads it once more. Both came after the stop, and before anything was sent.
 */
function isPlannedWith(
  { simulator: { world } }: Chaos,
  { process, write }: SentWrite,
  stopMs: number,
): boolean {
  if (write.kind !== 'create' && write.kind !== 'status') return false;
  const firstMs = Math.min(...process.writes.map(({ sentMs }) => sentMs), Number.POSITIVE_INFINITY);
  const lists = world.requests.filter(
    ({ request, operation, path, at }) =>
      process.requests.has(request) &&
      operation === `${write.of}s.list` &&
      path.includes(`/${write.accountId}/`) &&
      Date.parse(at) > stopMs + HEARD_MS &&
      Date.parse(at) <= firstMs,
  );
  return lists.length >= 2;
}

const BY_A_PERSON: readonly string[] = ['by hand', 'api change'];
const STOPS: readonly string[] = ['paused', 'archived'];
const STARTS: readonly string[] = ['active', 'queued'];

/** The name of what the write starts; null where it starts nothing. */
export function startedGroup(sent: SentWrite, live: readonly Live[]): string | null {
  const { write } = sent;
  if (write.kind === 'create') return groupOf({ ...write, kind: write.of });
  return write.kind === 'status' && STARTS.includes(write.status) ? groupWith(live, sent) : null;
}

function groupWith(live: readonly Live[], { write }: SentWrite): string | null {
  if (write.kind !== 'status') return null;
  const object = live.find(({ kind, id }) => kind === write.of && id === write.id);
  return object === undefined ? null : groupOf(object);
}
