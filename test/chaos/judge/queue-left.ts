import { isRunning, sameContent, type Declared } from '../declare.ts';
import type { Simulator } from '../../../src/simulator/simulator.ts';
import { groupOf, isTooLate, liveOf, type Live } from '../live.ts';
import type { Ended } from '../run.ts';
import type { Chaos } from '../state.ts';

/**
 * An archived campaign has no queue any more: one that still has is half done, and fans get what waits in it. Nor has one
 * that was replaced where the file says that the old queue is cleared.
 */
export function queueLeft(chaos: Chaos, { process, ran }: Ended): string[] {
  const { actor, task, run, disturbed } = process;
  if (run.command.kind !== 'apply' || ran.code !== 0) return [];
  const live = liveOf(chaos.simulator);
  const ownRequests = chaos.processes
    .filter((other) => other.actor === actor)
    .map(({ requests }) => requests);
  const isOwn = (request: number | null | undefined) =>
    request != null && ownRequests.some((requests) => requests.has(request));
  return live
    .filter(({ queued, lastChange }) => queued > 0 && isOwn(lastChange?.request))
    .filter((one) => !disturbed.has(groupOf(one)) && !isOfTwoCutRuns(chaos, one, live))
    .flatMap((one) => {
      const wanted = task.declared.find((each) => groupOf(each) === groupOf(one));
      if (wanted === undefined || !task.covers(wanted.alias, wanted.kind, wanted.name)) return [];
      // The oldest comes first.
      const next = live.slice(live.indexOf(one) + 1).find((other) => groupOf(other) === groupOf(one));
      const isReplaced =
        (next !== undefined && isOwn(next.madeBy) && isInItsPlace(chaos.simulator, next, wanted)) ||
        live.some(
          (other) =>
            isOwn(other.madeBy) &&
            isPausedFor(chaos, one, other) &&
            isInItsPlace(chaos.simulator, other, wanted),
        );
      const isDone = one.status === 'archived' || (one.status === 'paused' && isReplaced);
      return isDone
        ? [
            `exit 0, and ${one.queued} messages wait in the queue of ${one.id}, which is ${one.status ?? 'null'}`,
          ]
        : [];
    });
}

/**
 * One run that was cut short had made the next version, and another one paused this one for the version after that. By then
 * the ledger calls it replaced, and nothing tells that its queue is still to be cleared.
 */
function isOfTwoCutRuns({ processes }: Chaos, one: Live, live: readonly Live[]): boolean {
  const cutShort = processes.filter(
    ({ dead, lockLostMs, run }) => dead || lockLostMs !== null || run.cut?.how === 'full_disk',
  );
  const next = live.slice(live.indexOf(one) + 1).find((other) => groupOf(other) === groupOf(one));
  const hasMade = cutShort.some(({ requests }) => next?.madeBy != null && requests.has(next.madeBy));
  // A later run repeats a stop that got no answer.
  const hasStopped = cutShort.some(({ writes }) =>
    writes.some(({ write }) => write.kind === 'status' && write.of === one.kind && write.id === one.id),
  );
  return hasMade && hasStopped;
}

/** What the files want runs in the place of the version before it, of which the queue was to be cleared. */
function isInItsPlace(simulator: Simulator, next: Live, { slot, target }: Declared): boolean {
  // What came long after its window belongs to no replace any more.
  return slot.clears && isRunning(target) && isRunning(next.status) && !isTooLate(simulator, next);
}

/** The run that paused it was to replace it by what the other one says, and that was made after the pause. */
function isPausedFor({ processes }: Chaos, { lastChange, ...one }: Live, other: Live): boolean {
  if (lastChange === null || groupOf(other) !== groupOf(one)) return false;
  const pausing = processes.find(({ requests }) => requests.has(lastChange.request ?? NO_REQUEST));
  const wanted = pausing?.task.declared.find((each) => groupOf(each) === groupOf(one));
  return (
    wanted !== undefined &&
    isRunning(wanted.target) &&
    sameContent(wanted.content, other.content) &&
    other.createdMs + SECOND_MS >= lastChange.atMs
  );
}

/** The service counts its requests from 1. */
const NO_REQUEST = 0;
/** It shows the time of a create without its milliseconds. */
const SECOND_MS = 1_000;
