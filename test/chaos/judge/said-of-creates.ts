import type { ApplyReport, Outcome } from '../../../src/domain/change.ts';
import { keyOf, liveOf, sends, type Live } from '../live.ts';
import type { Ended } from '../run.ts';
import type { Chaos, Process, SentWrite } from '../state.ts';
import { accountOf } from '../declare.ts';

const CREATES: readonly string[] = ['create', 'replace'];

/** A process that is frozen may give up before it hears the answer. */
const KEPT_FROM_HEARING: readonly (string | undefined)[] = ['freeze', 'freeze_answer'];

/**
 * How an apply calls what a create made, against the answer to that create:
 *
 * | outcome | is false if                                              |
 * |---------|----------------------------------------------------------|
 * | applied | no create of the run that made it was answered with 2xx,  |
 * |         | and the run has not started it either, because a person   |
 * |         | had paused it, or an expired one could be resumed         |
 * | adopted | one was                                                  |
 */
export function saidOfCreates(chaos: Chaos, { process }: Ended, { outcomes }: ApplyReport): string[] {
  if (process.run.command.kind !== 'apply' || KEPT_FROM_HEARING.includes(process.run.cut?.how)) return [];
  const live = liveOf(chaos.simulator);
  return outcomes
    .filter(({ action }) => CREATES.includes(action))
    .flatMap((outcome) => {
      const object = objectOf(outcome, live);
      const problem = object === undefined ? null : problemOf(process, outcome, object);
      return problem === null || object === undefined
        ? []
        : [`"${outcome.action} ${outcome.outcome}" of ${keyOf(object)} "${object.name}": ${problem}`];
    });
}

function objectOf({ address, live_id: id }: Outcome, live: readonly Live[]): Live | undefined {
  return live.find(
    (one) => one.id === id && one.kind === address.kind && one.accountId === accountOf(address.account),
  );
}

function problemOf({ writes }: Process, { outcome }: Outcome, object: Live): string | null {
  const { madeBy } = object;
  const create = writes.find(({ request, write }) => request === madeBy && write.kind === 'create');
  if (outcome === 'adopted')
    return create?.answer === 'done' ? `its create, request ${create.request}, was answered` : null;
  if (outcome !== 'applied') return null;
  if (create?.answer === 'done' || writes.some((sent) => isStartOf(sent, object))) return null;
  return create === undefined
    ? 'no create of this run made it'
    : `its create, request ${create.request}, got no answer`;
}

/** An answered start, or a resume, of which a read of the broadcast tells what its answer does not. */
function isStartOf({ write, answer }: SentWrite, object: Live): boolean {
  if (write.kind !== 'status' || write.id !== object.id) return false;
  return (write.status === 'active' && answer === 'done') || (write.status === 'queued' && sends(object));
}
