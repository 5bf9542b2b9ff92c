import type { Executed } from '../apply/execute.ts';
import { reportOf } from '../apply/merge-reports.ts';
import type { Change, Outcome } from '../domain/change.ts';
import { compareIds } from '../domain/ids.ts';
import { objectKey } from '../domain/knowledge.ts';
import { formatAddress } from '../domain/resource.ts';
import { campaignStatusOf, isPaused, STATUS_TRAITS } from '../domain/status.ts';
import type { ResolveRun } from './round.ts';
import type { Inspection } from './source.ts';
import { addressesOf } from './verify.ts';

/**
 * Two creates of a replace got no answer, and neither can succeed any more. The old version is activated again rather
 * than nothing (LOST-8). The outcome stays unknown, for a person to check.
 */
export async function reactivateReplaced(
  resolving: ResolveRun,
  fresh: Inspection,
  current: Executed,
  inDoubt: ReadonlySet<string>,
): Promise<Executed> {
  const open = addressesOf(current.report, ['unknown']);
  const old = fresh.plan.changes
    .filter((change) => open.has(formatAddress(change.address)) && isOwed(change))
    // Its pause is not confirmed, or its create may have made what is new there. The next run continues there.
    .filter((change) => !inDoubt.has(formatAddress(change.address)))
    .flatMap((change) => pausedForIt(fresh, change));
  if (old.length === 0 || !resolving.mayGoOn()) return current;
  const next = await resolving.carriedOut({ ...fresh, verdicts: [] }, old);
  const outcomes = current.report.outcomes.map((outcome) => withOld(outcome, next.report.outcomes));
  return { ...current, report: reportOf(outcomes), residue: true };
}

/** Only creates of the current plan are known to be missing. A blocked change has no steps. */
function isOwed({ address, action, steps }: Change): boolean {
  return address.kind === 'campaign' && action === 'replace' && steps.some(({ kind }) => kind === 'create');
}

/**
 * The version that this replace stopped; older ones were stopped before. Only one is activated, and none if another
 * still runs, as after a `create_first`.
 */
function pausedForIt({ observed, knowledge }: Inspection, change: Change): readonly Change[] {
  const { account, name } = change.address;
  const group = observed.filter(
    ({ kind, account: owner, live }) => kind === 'campaign' && owner === account && live.name === name,
  );
  if (group.some(({ live }) => STATUS_TRAITS[campaignStatusOf(live)].runs)) return [];
  const [latest] = group
    .filter(({ live }) => isPaused(live))
    .map(({ accountId, kind, live: { id } }) => ({
      id,
      known: knowledge.objects.get(objectKey(accountId, kind, id)),
    }))
    .filter(({ known }) => known?.pausedFor === 'replace')
    .toSorted(
      (left, right) =>
        (right.known?.pausedAtMs ?? 0) - (left.known?.pausedAtMs ?? 0) || compareIds(right.id, left.id),
    );
  if (latest === undefined) return [];
  const { id } = latest;
  return [{ ...change, action: 'activate', live_id: id, steps: [{ kind: 'activate', live_id: id }] }];
}

function withOld(outcome: Outcome, activated: readonly Outcome[]): Outcome {
  const own = activated.filter(({ address }) => formatAddress(address) === formatAddress(outcome.address));
  if (outcome.outcome !== 'unknown' || own.length === 0) return outcome;
  const words = own.map(({ live_id: id, outcome: end, message }) =>
    end === 'applied'
      ? `The old version ${id ?? ''} is active again, because neither create can succeed any more.`
      : `The old version ${id ?? ''} could not be activated again: ${message}`,
  );
  return { ...outcome, message: [twiceSilent(outcome.message), ...words].join(' ') };
}

function twiceSilent(message: string): string {
  return message.replace(/ The old version \S+ stays paused until then\./, '');
}
