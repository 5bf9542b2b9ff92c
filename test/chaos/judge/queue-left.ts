import { groupOf, liveOf } from '../live.ts';
import type { Ended } from '../run.ts';
import type { Chaos } from '../state.ts';

/** An archived campaign has no queue any more: one that still has is half done, and fans get what waits in it. */
export function queueLeft(chaos: Chaos, { process, ran }: Ended): string[] {
  const { actor, terms, run, disturbed } = process;
  if (run.command.kind !== 'apply' || ran.code !== 0) return [];
  const ownRequests = chaos.processes
    .filter((other) => other.actor === actor)
    .map(({ requests }) => requests);
  return liveOf(chaos.simulator)
    .filter(({ status, queued }) => status === 'archived' && queued > 0)
    .filter(({ lastChange }) => ownRequests.some((requests) => requests.has(lastChange?.request ?? -1)))
    .filter((one) => !disturbed.has(groupOf(one)))
    .filter(({ accountId, kind, name }) =>
      terms.declared.some(
        (wanted) =>
          wanted.accountId === accountId &&
          wanted.kind === kind &&
          wanted.name === name &&
          terms.covers(wanted.alias, kind, name),
      ),
    )
    .map((one) => `exit 0, and ${one.queued} messages wait in the queue of ${one.id}, which is archived`);
}
