import { WINDOW_MS } from '../live.ts';
import type { Ended } from '../run.ts';
import { writesKnownTo, type Chaos, type Process, type SentWrite } from '../state.ts';
import type { Facts } from './facts.ts';
import { READING_SERVES_MS } from './late-starts.ts';

/** A broadcast of a draft's name on the service. */
interface Sent {
  readonly id: string;
  readonly listedSinceMs: number;
  /** The request that made it; null where it was a person. */
  readonly madeBy: number | null;
  readonly createdMs: number;
}

/** A broadcast that is sent at once next to one of its name: a list has shown that one for long, or the ledger has it. */
export function sentAtOnceAgain({ chaos, sent }: Facts): string[] {
  const { process, write, sentMs } = sent;
  if (process.run.command.kind !== 'send at once' || write.kind !== 'create') return [];
  const knownMs = Math.max(process.startedMs, sentMs - READING_SERVES_MS);
  const listed = broadcastsNamed(chaos, write.name).find(({ listedSinceMs }) => listedSinceMs < knownMs);
  if (listed !== undefined)
    return [`"${write.name}" was sent at once next to ${listed.id}, which has its name`];
  const before = writesKnownTo(chaos, sent).find((one) => one.answer === 'done' && isOfName(one, write.name));
  return before === undefined
    ? []
    : [`"${write.name}" was sent at once after request ${before.request}, which has sent it`];
}

/**
 * What the command said, against what it has sent:
 *
 * | exit | is false if                                                        |
 * |------|--------------------------------------------------------------------|
 * | 0    | no command has made anything of the name                           |
 * | 1, 5 | it has made something, or a request of it may still make something |
 * | 3    | each of its requests, and of the earlier ones, was answered        |
 */
export function saidOfSendAtOnce(chaos: Chaos, { process, ran: { code }, interrupted }: Ended): string[] {
  const { run, task, writes, lockLostMs } = process;
  const { wish } = task;
  if (run.command.kind !== 'send at once' || wish?.kind !== 'create') return [];
  if (interrupted || lockLostMs !== null || run.cut?.how === 'full_disk') return [];
  const problem = problemOf(chaos, { process, code, name: wish.name, writes });
  return problem === null ? [] : [`"${wish.name}" at once, exit ${code}: ${problem}`];
}

function problemOf(
  chaos: Chaos,
  {
    process,
    code,
    name,
    writes,
  }: { process: Process; code: number; name: string; writes: readonly SentWrite[] },
): string | null {
  const made = broadcastsNamed(chaos, name);
  const nowMs = chaos.simulator.control.now();
  switch (code) {
    case 0:
      // Nothing tells what a colleague has made of the same draft from what an unanswered request has made.
      return made.some(({ madeBy }) => madeBy !== null) ? null : 'nothing was sent';
    case 1:
    case 5: {
      const own = made.find(({ madeBy }) => madeBy !== null && process.requests.has(madeBy));
      if (own !== undefined) return `its request ${own.madeBy} has sent ${own.id}`;
      const open = writes.find(({ answer, sentMs }) => isOpen(answer) && nowMs - sentMs < WINDOW_MS);
      return open === undefined ? null : `its request ${open.request} may still send it`;
    }
    case 3:
      return isAllAnswered(chaos, process, name) ? 'each of its requests was answered' : null;
    default:
      return null;
  }
}

function isOpen(answer: SentWrite['answer']): boolean {
  return answer === 'unconfirmed' || answer === 'none yet';
}

/** A process that is frozen may give up before it hears the answer. */
const KEPT_FROM_HEARING: readonly (string | undefined)[] = ['freeze', 'freeze_answer'];

/** Each request for the name was answered, and each that was on record has left. */
function isAllAnswered(chaos: Chaos, process: Process, name: string): boolean {
  const own = chaos.processes.filter(({ actor }) => actor === process.actor || actor.pulledMs.length > 0);
  return own.every(
    ({ dead, run, writes }) =>
      !dead &&
      !KEPT_FROM_HEARING.includes(run.cut?.how) &&
      writes.every((one) => !isOfName(one, name) || !(isOpen(one.answer) || one.answer === 'never left')),
  );
}

/** What one operator has sent twice under one name; two without a common ledger may send the same at the same moment. */
export function atOnceTwice(chaos: Chaos): string[] {
  const names = new Set(
    chaos.processes.flatMap(({ task: { wish }, run }) =>
      run.command.kind === 'send at once' && wish?.kind === 'create' ? [wish.name] : [],
    ),
  );
  const most = chaos.actors.length;
  return [...names].flatMap((name) => {
    const made = broadcastsNamed(chaos, name).filter((one) => one.madeBy !== null && !isTooLate(chaos, one));
    return made.length <= most
      ? []
      : [`"${name}" was sent ${made.length} times: ${made.map(({ id }) => id).join(', ')}`];
  });
}

/** Later than this after its request, Herald has no way to wait for it. */
const LATEST_MS = 71_000;

function isTooLate({ simulator: { world } }: Chaos, { madeBy, createdMs }: Sent): boolean {
  const asked = madeBy === null ? undefined : world.requests[madeBy - 1];
  return asked !== undefined && createdMs - Date.parse(asked.at) > LATEST_MS;
}

function isOfName({ write }: SentWrite, name: string): boolean {
  return write.kind === 'create' && write.name === name;
}

function broadcastsNamed({ simulator: { world } }: Chaos, name: string): readonly Sent[] {
  const makers = new Map(
    world.commits.flatMap(({ change, kind, id, cause }) =>
      change === 'create' && kind === 'broadcast' ? [[id, cause.request]] : [],
    ),
  );
  return Object.values(world.accounts).flatMap(({ broadcasts }) =>
    Object.values(broadcasts)
      .filter(({ live }) => live.name === name)
      .map(({ live, listedFromMs }) => {
        const createdMs = Date.parse(live.created_at);
        const listedSinceMs = Math.max(createdMs, listedFromMs);
        return { id: live.id, listedSinceMs, createdMs, madeBy: makers.get(live.id) ?? null };
      }),
  );
}
