import { writes, type Change, type ChangeKind, type Plan } from '../domain/change.ts';
import { canonical } from '../domain/digest.ts';
import { formatAddress } from '../domain/resource.ts';

/** Same files and same live state, yet another decision, each with its reason: time has passed a schedule or a window. */
export function otherDecisions(saved: Plan, fresh: Plan): readonly string[] {
  const [was, is] = [byObject(saved), byObject(fresh)];
  const keys = [...new Set([...was.keys(), ...is.keys()])].toSorted();
  return keys.flatMap((key) => {
    const [before, after] = [was.get(key), is.get(key)];
    if (canonical(comparable(before)) === canonical(comparable(after))) return [];
    const planned =
      before === undefined ? 'the plan leaves it as it is' : `the plan would ${before.action} it`;
    return [
      `${key}: ${planned}, and now ${before === undefined ? '' : reasonIn(fresh, before)}${would(before, after)}`,
    ];
  });
}

function would(before: Change | undefined, after: Change | undefined): string {
  if (after === undefined) return 'Herald would leave it as it is';
  return before?.action === after.action
    ? `Herald would ${after.action} it in another way`
    : `Herald would ${after.action} it`;
}

const NOTHING_SENT: readonly ChangeKind[] = ['missed', 'blocked', 'done'];

/** Why nothing would be sent for it. Empty where something else is decided. */
function reasonIn(fresh: Plan, { address }: Change): string {
  const key = formatAddress(address);
  const found = fresh.changes.find(
    (change) => formatAddress(change.address) === key && NOTHING_SENT.includes(change.action),
  );
  if (found === undefined) return '';
  const warning = fresh.diagnostics.find((one) => one.address === key && one.severity === 'warning');
  const why = (found.reasons[0] ?? warning?.message ?? '').replace(/\.$/, '');
  return `it is ${found.action}${why === '' ? '' : ` (${why})`}, so `;
}

function byObject(plan: Plan): ReadonlyMap<string, Change> {
  return new Map(
    plan.changes
      .filter(writes)
      .map((change) => [
        `${formatAddress(change.address)}${change.live_id === null ? '' : ` (${change.live_id})`}`,
        change,
      ]),
  );
}

function comparable(change: Change | undefined): unknown {
  if (change === undefined) return null;
  // What was uploaded meanwhile need not be uploaded any more: nothing else is decided otherwise for it.
  const steps = change.steps.filter(({ kind }) => kind !== 'upload');
  return { action: change.action, steps, fields: change.fields };
}
