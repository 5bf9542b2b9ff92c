import { accountOf, isDeclaredAs, type Declared } from '../declare.ts';
import { groupOf, liveOf, sends, WINDOW_MS, type Live } from '../live.ts';
import type { Ended } from '../run.ts';
import { atWork, type Chaos, type Process } from '../state.ts';
import { sharesLedger } from './facts.ts';

/** The last list of an apply is at most so old when it ends. What lists showed only later, it could not see. */
const LAST_LOOK_MS = 2_000;

/** What applies said that have ended by themselves. */
const reports = new WeakMap<Process, Ended>();

/**
 * Two operators without a shared ledger may make the same within one window. Once the last of them has ended, one of the two
 * copies is stopped, or one of them has named the copy of the other one.
 */
export function leftByTwo(chaos: Chaos, ended: Ended): string[] {
  const { process, report } = ended;
  if (process.run.command.kind !== 'apply' || report === null) return [];
  reports.set(process, ended);
  if (atWork(chaos).length > 0) return [];
  const both = [process, ...chaos.processes.filter((other) => ranNextTo(chaos, process, other))];
  if (both.length < 2) return [];
  const lastLookMs = chaos.simulator.control.now() - LAST_LOOK_MS;
  const running = liveOf(chaos.simulator).filter((one) => sends(one) && makerIn(both, one) !== undefined);
  return process.task.declared.flatMap((wanted) => {
    const group = running.filter((one) => isDeclaredAs(wanted, one));
    const [first, second] = group;
    if (first === undefined || second === undefined || isDisturbed(both, first)) return [];
    if (second.createdMs - first.createdMs > WINDOW_MS) return [];
    if (makerIn(both, first)?.actor === makerIn(both, second)?.actor) return [];
    if (!group.some((one) => makerIn(both, one) !== process && one.shownSinceMs < lastLookMs)) return [];
    if (both.some((one) => tellsOf(one, wanted, group))) return [];
    const ids = group.map(({ id, status }) => `${id} ${status ?? 'null'}`).join(', ');
    return [`both operators have ended, and no report tells that ${groupOf(wanted)} is live twice: ${ids}`];
  });
}

/** Whether it ran at a time of the other one, by itself to the end, with a ledger that knows nothing of that one. */
function ranNextTo(chaos: Chaos, process: Process, other: Process): boolean {
  const { actor, endedMs, run } = other;
  if (sharesLedger(chaos, actor, process.actor) || run.command.kind !== 'apply') return false;
  return reports.has(other) && endedMs !== null && endedMs >= process.startedMs;
}

function makerIn(processes: readonly Process[], { madeBy }: Live): Process | undefined {
  return processes.find(({ requests }) => madeBy !== null && requests.has(madeBy));
}

/** A person changed something there while one of them was at work. */
function isDisturbed(both: readonly Process[], one: Live): boolean {
  return both.some(({ disturbed }) => disturbed.has(groupOf(one)));
}

/** It names a copy that it has not made, or calls the outcome unknown. */
function tellsOf(process: Process, { alias, kind, name }: Declared, group: readonly Live[]): boolean {
  const { ran, report } = reports.get(process) ?? {};
  const said = `${ran?.stdout ?? ''}${ran?.stderr ?? ''}`;
  const isNamed = group.some(({ id, madeBy }) => !process.requests.has(madeBy ?? -1) && said.includes(id));
  return (
    isNamed ||
    report?.outcomes.some(
      ({ address, outcome }) =>
        outcome === 'unknown' &&
        accountOf(address.account) === accountOf(alias) &&
        address.kind === kind &&
        address.name === name,
    ) === true
  );
}
