import type { ApplyReport } from '../../../src/domain/change.ts';
import { accountOf, isDeclaredAs } from '../declare.ts';
import { groupOf, type Live } from '../live.ts';
import type { Chaos, Process } from '../state.ts';
import type { Write } from '../writes.ts';
import { sharesLedger } from './facts.ts';

type Change = Extract<Write, { readonly kind: 'create' | 'status' }>;

/** Writes of an apply about something of which its report has no change. */
export function unplanned(
  chaos: Chaos,
  process: Process,
  report: ApplyReport,
  live: readonly Live[],
): string[] {
  if (process.run.command.kind !== 'apply') return [];
  const changed = new Set(
    report.outcomes
      .filter(({ action }) => !NOTHING.includes(action))
      .map(({ address: { account, kind, name } }) => `${accountOf(account)}/${kind}/${name}`),
  );
  // Next to a block that has its live name, what was renamed is reported under the name that its file gave it.
  const isReported = ({ of, id }: Extract<Write, { readonly kind: 'status' }>) =>
    report.outcomes.some(
      ({ action, address, live_id: liveId }) =>
        address.kind === of && liveId === id && !NOTHING.includes(action),
    );
  return process.writes.flatMap(({ write, request }) => {
    if (write.kind !== 'create' && write.kind !== 'status') return [];
    if (write.kind === 'status' && isReported(write)) return [];
    // What an earlier run left open is asked for again: the plan says so in its notes.
    if (write.kind === 'status' && wasLeftOpen(chaos, process, write)) return [];
    const groups = groupsOf(process, live, write);
    if (groups.length === 0 || groups.some((group) => changed.has(group))) return [];
    return [`request ${request} changed ${groups[0]}, and the report has no change of it`];
  });
}

const NOTHING: readonly string[] = ['keep', 'done', 'missed', 'unmanaged'];

/** The names that a report may have for what a write changes: its own, and the one that the files give it now. */
function groupsOf({ task }: Process, live: readonly Live[], write: Change): readonly string[] {
  if (write.kind === 'create') return [`${write.accountId}/${write.of}/${write.name}`];
  const object = live.find((one) => one.kind === write.of && one.id === write.id);
  if (object === undefined) return [];
  const wanted = task.declared.find((one) => isDeclaredAs(one, object));
  return [groupOf(object), ...(wanted === undefined ? [] : [groupOf(wanted)])];
}

/** Whether an earlier run of the same ledger has asked for the same, and heard no end of it. */
export function wasLeftOpen(
  chaos: Chaos,
  process: Process,
  { id, status }: Extract<Write, { readonly kind: 'status' }>,
): boolean {
  const isIt = (write: Write) => write.kind === 'status' && write.id === id && write.status === status;
  return chaos.processes.some((earlier) => {
    if (!sharesLedger(chaos, earlier.actor, process.actor) || earlier === process) return false;
    // A frozen one gives its request up without knowing whether it has left.
    const couldNotRecord = earlier.dead || ['full_disk', 'freeze'].includes(earlier.run.cut?.how ?? '');
    if (couldNotRecord && earlier.tried.some(isIt)) return true;
    return earlier.writes.some(
      ({ write, answer }) => isIt(write) && answer !== 'done' && answer !== 'refused',
    );
  });
}
