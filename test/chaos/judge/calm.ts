import type { Live } from '../live.ts';
import type { Actor, Chaos, Process } from '../state.ts';

/** Whether no one else ran a command at any time of this one, and no person changed anything meanwhile. */
export function isUndisturbed({ processes }: Chaos, process: Process): boolean {
  const first = Math.min(...process.requests);
  const isBeside = ({ endedMs, dead, requests }: Process) =>
    (endedMs === null && !dead) ||
    (endedMs ?? 0) > process.startedMs ||
    [...requests].some((request) => request > first);
  return process.disturbed.size === 0 && !processes.some((one) => one !== process && isBeside(one));
}

/**
 * Whether each of its requests was answered as the service means it, and nothing kept it from its lock or its ledger. A
 * refusal of a write is an answer as well, where that is asked for.
 */
export function isUnhindered(
  { simulator: { world } }: Chaos,
  process: Process,
  how: 'done' | 'or refused' = 'done',
): boolean {
  const { requests, writes, run, lockLostMs } = process;
  if (run.cut !== null || lockLostMs !== null) return false;
  const isRefused = (request: number) =>
    how === 'or refused' &&
    writes.some(({ request: sent, answer }) => sent === request && answer === 'refused');
  return [...requests].every((request) => {
    const record = world.requests[request - 1];
    if (isRefused(request)) return true;
    return record?.status != null && record.status < 300 && record.fault === null;
  });
}

/** Whether its ledger has every line that it wrote, and only those. */
export function hasWholeLedger({ scenario }: Chaos, actor: Actor): boolean {
  return actor.ledgerLostMs === null && !scenario.steps.some(({ kind }) => kind.startsWith('ledger'));
}

const CLOCK_IS_RIGHT_MS = 1_000;

/** Whether the clock of its machine was right all the time. */
export function hasRightClock({ clock, scenario, processes }: Chaos, actor: Actor): boolean {
  return (
    Math.abs(actor.clock.now() - clock.now()) < CLOCK_IS_RIGHT_MS &&
    !scenario.steps.some((step) => step.kind === 'clock' && step.operator === actor.place) &&
    !processes.some(({ run }) => run.cut?.how === 'clock')
  );
}

/**
 * Whether the ledger of the process has the last change of the object's status as answered: by a command of its operator that
 * ended by itself, or on a Ctrl-C. A list that shows another status is read again.
 */
export function isStatusOnRecord(chaos: Chaos, { actor }: Process, { lastChange }: Live): boolean {
  if (!hasWholeLedger(chaos, actor)) return false;
  return chaos.processes.some(
    ({ actor: other, run: { cut }, endedMs, writes }) =>
      other === actor &&
      endedMs !== null &&
      (cut === null || cut.how === 'interrupt') &&
      writes.some(({ request, answer }) => request === lastChange?.request && answer === 'done'),
  );
}
