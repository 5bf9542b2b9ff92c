import { isRunning, sameContent } from '../declare.ts';
import { groupOf, lastChangeBefore, type Live } from '../live.ts';
import { hasAskedFor, type Facts } from './facts.ts';

/**
 * A replace clears the queues of what was stopped for it. A version that an apply had paused before, next to another one
 * that ran, keeps its queue.
 */
export function clearsAnotherQueue(facts: Facts): string[] {
  const { chaos, sent, live } = facts;
  const { write, process } = sent;
  if (write.kind !== 'status' || write.status !== 'archived' || process.task.wish !== null) return [];
  const object = live.find(({ kind, id }) => kind === write.of && id === write.id);
  if (object?.status !== 'paused' || object.kind !== 'campaign' || hasAskedFor(facts, object, 'archived'))
    return [];
  const wanted = process.task.declared.find((one) => groupOf(one) === groupOf(object));
  if (wanted === undefined || !isRunning(wanted.target)) return [];
  const pausing = chaos.processes.find(
    ({ actor, requests }) =>
      actor === process.actor && requests.has(object.lastChange?.request ?? NO_REQUEST),
  );
  const before = pausing?.task.declared.find((one) => groupOf(one) === groupOf(object));
  if (before === undefined || sameContent(before.content, wanted.content)) return [];
  const other = live.find(
    (one) =>
      sameContent(one.content, before.content) &&
      ranNextTo(facts, one, object) &&
      wasLeft(facts, one, process.startedMs),
  );
  return other === undefined
    ? []
    : [`${object.id} is archived with its queue, although it was paused before, when ${other.id} ran`];
}

/** The service counts its requests from 1. */
const NO_REQUEST = 0;
/** It shows the time of a create without its milliseconds. */
const SECOND_MS = 1_000;

/** False if it was archived before: the paused version is then the last one, and the one that is replaced. */
function wasLeft({ chaos }: Facts, one: Live, atMs: number): boolean {
  const status = lastChangeBefore(chaos.simulator, one, atMs)?.status;
  return status !== 'archived' && status !== 'recalled';
}

function ranNextTo({ chaos }: Facts, one: Live, { lastChange, ...paused }: Live): boolean {
  const atMs = lastChange?.atMs ?? 0;
  if (one.id === paused.id || groupOf(one) !== groupOf(paused) || one.createdMs + SECOND_MS > atMs)
    return false;
  return isRunning(lastChangeBefore(chaos.simulator, one, atMs)?.status ?? 'active');
}
