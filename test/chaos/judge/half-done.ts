import { isClosedByPerson } from '../closing.ts';
import { isDeclaredAs } from '../declare.ts';
import { keyOf, liveOf, type Live } from '../live.ts';
import type { Ended } from '../run.ts';
import type { Chaos, Process, SentWrite } from '../state.ts';
import { FRESH_MS } from './facts.ts';

/** Commands of which the exit code says whether an apply has something to do. */
const TELLS_CHANGES: readonly string[] = ['drift', 'plan --detailed-exitcode'];
const NOTHING_TO_DO = 0;

/**
 * "Nothing to do" next to a declared status change of a campaign that no answer confirmed: the list shows it, and it may be
 * half done until an apply repeats it.
 */
export function halfDoneUntold(chaos: Chaos, { process, ran }: Ended): string[] {
  const { command } = process.run;
  if (ran.code !== NOTHING_TO_DO || command.kind !== 'look' || !TELLS_CHANGES.includes(command.at)) return [];
  return liveOf(chaos.simulator)
    .filter((object) => isHalfDone(chaos, process, object))
    .map(
      (object) =>
        `${command.at}, exit 0, and no answer has confirmed that ${keyOf(object)} is ${object.status}`,
    );
}

function isHalfDone(chaos: Chaos, { actor, startedMs }: Process, object: Live): boolean {
  const { processes } = chaos;
  const { kind, status, lastChange, shownSinceMs } = object;
  if (kind !== 'campaign' || lastChange === null || shownSinceMs >= startedMs - FRESH_MS) return false;
  if (actor.ledgerLostMs !== null && actor.ledgerLostMs > lastChange.atMs) return false;
  if (!actor.declared.some((one) => isDeclaredAs(one, object) && one.target === status)) return false;
  const sets = processes.flatMap(({ writes }) => writes).filter((sent) => isSetOf(sent, object));
  const last = sets.find(({ request }) => request === lastChange.request);
  return (
    last?.process.actor === actor &&
    last.process.run.command.kind === 'apply' &&
    sets.every(({ answer }) => answer === 'unconfirmed' || answer === 'none yet') &&
    // No run repeats what a person has closed: that person answers for it.
    !isClosedByPerson(chaos, actor, last)
  );
}

/** Whether it is a request for the status that the object has. */
function isSetOf({ write }: SentWrite, { accountId, kind, id, status }: Live): boolean {
  return (
    write.kind === 'status' &&
    write.accountId === accountId &&
    write.of === kind &&
    write.id === id &&
    write.status === status
  );
}
