import { accountOf, isDeclaredAs, isRunning } from '../declare.ts';
import { groupOf, type Live } from '../live.ts';
import type { ShownPlan, Task } from '../task.ts';
import type { Write } from '../writes.ts';
import { FRESH_MS, type Facts } from './facts.ts';
import { wasLeftOpen } from './unplanned.ts';

type Status = Extract<Write, { readonly kind: 'status' }>;

/**
 * Writes of an apply of a saved plan that the plan did not show:
 *
 * | write    | is shown by                                                                            |
 * |----------|----------------------------------------------------------------------------------------|
 * | a create | a change of its name with a create, or that activates an archived one again           |
 * | a status | a change with a step for the object                                                    |
 * |          | an earlier request for the same without an answer: the plan tells of it in its notes   |
 * | a stop   | a change of its name, or another copy that runs, where it began to run after the plan  |
 */
export function beyondPlan({ chaos, sent, live }: Facts): string[] {
  const { process, write } = sent;
  const plan = process.task.shown?.();
  if (plan === undefined) return [];
  if (write.kind === 'create') {
    const group = groupOf({ ...write, kind: write.of });
    const isShown = plan.changes.some((change) => groupIn(change) === group && mayCreate(change));
    return isShown ? [] : [`a create of ${group}, which the saved plan does not show`];
  }
  if (write.kind !== 'status') return [];
  if (isStepOf(plan, write) || wasLeftOpen(chaos, process, write)) return [];
  const object = live.find(({ kind, id }) => kind === write.of && id === write.id);
  // The plan has the time of the machine.
  const plannedMs = Date.parse(plan.created_at) - sent.machineOffMs;
  if (object === undefined || isStopMeanwhile(object, { write, plan, plannedMs, task: process.task, live }))
    return [];
  return [`${write.status} of ${object.id} (${groupOf(object)}), which the saved plan does not show`];
}

type Shown = ShownPlan['changes'][number];

/** If the service refuses to activate what is archived, it is created. The plan says so. */
function mayCreate({ steps }: Shown): boolean {
  return steps.some(({ kind }) => kind === 'create' || kind === 'reactivate');
}

function groupIn({ address: { account, kind, name } }: Shown): string {
  return groupOf({ accountId: accountOf(account), kind, name });
}

function isStepOf({ changes }: ShownPlan, { accountId, of, id }: Status): boolean {
  return changes.some(
    ({ address, steps }) =>
      accountOf(address.account) === accountId &&
      address.kind === of &&
      steps.some(({ live_id: liveId }) => liveId === id),
  );
}

const STOPS: readonly string[] = ['paused', 'archived'];

/** Fans would get both: what began to run since the plan next to what the files declare. */
function isStopMeanwhile(
  object: Live,
  {
    write,
    plan,
    plannedMs,
    task,
    live,
  }: {
    readonly write: Status;
    readonly plan: ShownPlan;
    readonly plannedMs: number;
    readonly task: Task;
    readonly live: readonly Live[];
  },
): boolean {
  if (!STOPS.includes(write.status)) return false;
  if (object.shownSinceMs < plannedMs - FRESH_MS) return false;
  const wanted = task.declared.find((one) => isDeclaredAs(one, object));
  const groups = [groupOf(object), ...(wanted === undefined ? [] : [groupOf(wanted)])];
  const isChanged = plan.changes.some(
    (change) => change.steps.length > 0 && groups.includes(groupIn(change)),
  );
  const hasTwin = live.some(
    (one) =>
      one.id !== object.id && isRunning(one.status) && wanted !== undefined && isDeclaredAs(wanted, one),
  );
  return isChanged || hasTwin;
}
