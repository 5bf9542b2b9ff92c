import type { World } from '../../../src/simulator/world.ts';
import { liveOf, WINDOW_MS, type Live } from '../live.ts';
import type { Ended } from '../run.ts';
import type { Chaos, Process, SentWrite } from '../state.ts';
import { onTheWay } from './on-the-way.ts';

const UNKNOWN = 3;
const INTERRUPTED = 130;

/** Requests that the service carries out only after the command has ended and has called nothing unknown. */
export function afterwards({ simulator }: Chaos, { process, ran }: Ended): string[] {
  if (ran.code === UNKNOWN || ran.code === INTERRUPTED) return [];
  const { world } = simulator;
  const live = liveOf(simulator);
  return onTheWay(world, process.writes).flatMap(({ sent, dueMs }) => {
    if (sent.write.kind === 'upload') return [];
    if (dueMs - sent.sentMs > WINDOW_MS || isConfirmed(process, sent)) return [];
    if (isRecalledAlready(live, sent) || isFollowedAlready(world, process, sent)) return [];
    if (isSetAlready(live, process, sent)) return [];
    const sec = Math.round((dueMs - world.nowMs) / 1000);
    return [
      `exit ${ran.code}, and ${sec} s later its request ${sent.request} (${sent.write.kind}) is carried out`,
    ];
  });
}

/** A status that a later request has set as well is the same once more. */
function isConfirmed({ writes }: Process, { write }: SentWrite): boolean {
  return (
    write.kind === 'status' &&
    writes.some(
      ({ write: other, answer }) =>
        other.kind === 'status' &&
        other.id === write.id &&
        other.status === write.status &&
        answer === 'done',
    )
  );
}

/**
 * A broadcast changes in one step, so a list that shows its status is proof enough (decision 21). A later copy of the same
 * request sets it once more; the next start waits for that, as the ledger knows when the copy was sent.
 */
function isSetAlready(live: readonly Live[], { requests }: Process, { write }: SentWrite): boolean {
  if (write.kind !== 'status' || write.of !== 'broadcast') return false;
  const object = live.find(({ kind, id }) => kind === write.of && id === write.id);
  const change = object?.lastChange ?? null;
  return change?.request != null && requests.has(change.request) && change.status === SHOWN[write.status];
}

const SHOWN: Readonly<Record<string, string>> = {
  paused: 'paused',
  archived: 'archived',
  queued: 'scheduled',
};

/** A fan who was followed once is followed, even if the body of that answer was lost. */
function isFollowedAlready({ requests }: World, { writes }: Process, { write, request }: SentWrite): boolean {
  return (
    write.kind === 'follow' &&
    writes.some(
      ({ write: other, request: earlier }) =>
        other.kind === 'follow' &&
        other.fan === write.fan &&
        earlier < request &&
        requests[earlier - 1]?.status === 200,
    )
  );
}

/** A recall of what another run or a person has recalled meanwhile is refused when it comes. */
function isRecalledAlready(live: readonly Live[], { write }: SentWrite): boolean {
  if (write.kind !== 'status' || write.status !== 'unsend') return false;
  const object = live.find(
    ({ accountId, kind, id }) => accountId === write.accountId && kind === write.of && id === write.id,
  );
  return object !== undefined && RECALLED.includes(object.status ?? '');
}

const RECALLED: readonly string[] = ['recalled', 'recalling', 'unsent', 'unsending'];
