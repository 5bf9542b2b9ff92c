import type { Executed } from '../apply/execute.ts';
import { mergeReports, reportOf } from '../apply/merge-reports.ts';
import type { Context } from '../context.ts';
import type { Change, Outcome } from '../domain/change.ts';
import { compareIds } from '../domain/ids.ts';
import { objectKey } from '../domain/knowledge.ts';
import { formatAddress } from '../domain/resource.ts';
import { failureOf } from './failure-of.ts';
import type { Inspection, Source } from './inspect.ts';
import { addressesOf } from './look-again.ts';
import { asLive } from './settle-as-live.ts';
import { inspectSettled } from './settling.ts';

/** What the settling needs of the run whose lost answers it settles. */
interface Settling {
  readonly context: Context;
  readonly source: Source;
  /** Carries out these changes of a plan. */
  readonly carriedOut: (inspection: Inspection, changes: readonly Change[]) => Promise<Executed>;
  /** False once the run was interrupted or its record cannot be written any more. */
  readonly mayGoOn: () => boolean;
}

/** The last round may only adopt: a create that stays silent twice is not sent a third time. */
const ROUNDS = ['create once more', 'adopt only'] as const;
type Round = (typeof ROUNDS)[number];

/**
 * Settles what a first round left unknown: waits until no lost answer can still be carried out, adopts what
 * turned up, creates once more what did not. A second silence stays unknown, and so does everything that
 * cannot be looked at.
 */
export async function settleUnknown(
  settling: Settling,
  first: Inspection,
  executed: Executed,
): Promise<Executed> {
  let current = executed;
  for (const round of ROUNDS) {
    const open = addressesOf(current.report, ['unknown']);
    if (open.size === 0 || !settling.mayGoOn()) return current;
    const fresh = await inspectOrSay(settling);
    if (fresh === null) return current;
    const concerned = fresh.plan.changes.filter(
      (change) => open.has(formatAddress(change.address)) && isAllowed(change, round),
    );
    const next = withoutMoved(await settling.carriedOut(fresh, concerned));
    const merged = together(current, next);
    const residue = merged.residue || leavesResidue(current, merged, { first, fresh });
    current = asLive({ ...merged, residue }, fresh, concerned);
    current = await finishOwed(settling, first, { ...fresh, verdicts: [] }, concerned, current, open);
    if (round === 'adopt only') current = await switchOldOn(settling, fresh, current);
  }
  return current;
}

/** A recall is irreversible: after its own few attempts only a person asks for it again (rulebook M3). */
function isAllowed({ steps }: Change, round: Round): boolean {
  const kinds = steps.map(({ kind }) => kind);
  if (kinds.includes('recall')) return false;
  return round === 'create once more' || !(kinds.includes('create') || kinds.includes('reactivate'));
}

async function inspectOrSay({ context, source }: Settling): Promise<Inspection | null> {
  try {
    return await inspectSettled(context, source);
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    context.output.say(
      `warning: what became of the lost answers could not be looked at: ${failure.message}. Run it again.`,
    );
    return null;
  }
}

/** What turned up while a second create was on its way is the first one's: the next look takes it over. */
function withoutMoved(executed: Executed): Executed {
  const { report, moved } = executed;
  const stays = report.outcomes.filter(({ address }) => !moved.has(formatAddress(address)));
  return { ...executed, report: reportOf(stays) };
}

function together(current: Executed, next: Executed): Executed {
  return {
    report: mergeReports(current.report, next.report),
    residue: current.residue || next.residue,
    moved: current.moved,
  };
}

/**
 * What failed after its answer was lost has changed nothing when the same is live as before the run. What live state
 * shows was never carried out left nothing either, whatever became of its object by itself.
 */
function leavesResidue(
  before: Executed,
  after: Executed,
  { first, fresh }: { readonly first: Inspection; readonly fresh: Inspection },
): boolean {
  const doubtful = addressesOf(before.report, ['unknown']);
  return after.report.outcomes
    .filter(({ outcome, address }) => outcome === 'failed' && doubtful.has(formatAddress(address)))
    .some((outcome) => liveOf(outcome, first) !== liveOf(outcome, fresh));
}

/** The object and everything of its name, as `id status` each. */
function liveOf({ address, live_id: id }: Outcome, { observed }: Inspection): string {
  const { account, kind, name } = address;
  return observed
    .filter((object) => object.account === account && object.kind === kind)
    .filter(({ live }) => live.name === name || live.id === id)
    .map(({ live }) => `${live.id} ${live.status ?? ''}`)
    .toSorted()
    .join();
}

/** A replace whose create was settled still owes what was to follow it: the clearing of the old queue. */
async function finishOwed(
  settling: Settling,
  first: Inspection,
  fresh: Inspection,
  done: readonly Change[],
  current: Executed,
  open: ReadonlySet<string>,
): Promise<Executed> {
  const settled = addressesOf(current.report, ['adopted', 'applied']);
  const cleared = new Set(
    done.flatMap(({ steps }) => steps.map(({ kind, live_id: id }) => `${kind} ${id ?? ''}`)),
  );
  const owed = first.plan.changes
    .filter(({ action, address }) => action === 'replace' && open.has(formatAddress(address)))
    .filter(({ address }) => settled.has(formatAddress(address)))
    .flatMap((change) =>
      change.steps
        .filter(({ kind, live_id: id }) => kind === 'archive' && !cleared.has(`archive ${id ?? ''}`))
        .map((step): Change => ({ ...change, action: 'archive', live_id: step.live_id, steps: [step] })),
    );
  if (owed.length === 0 || !settling.mayGoOn()) return current;
  return together(current, await settling.carriedOut(fresh, owed));
}

/**
 * Two creates of a replace stayed silent, and neither can come any more: the old version runs again rather
 * than nothing (rulebook M8). The outcome stays unknown, for a person to look at.
 */
async function switchOldOn(settling: Settling, fresh: Inspection, current: Executed): Promise<Executed> {
  const open = addressesOf(current.report, ['unknown']);
  const old = fresh.plan.changes
    .filter((change) => open.has(formatAddress(change.address)) && isOwed(change))
    .flatMap((change) => pausedForIt(fresh, change));
  if (old.length === 0 || !settling.mayGoOn()) return current;
  const next = await settling.carriedOut({ ...fresh, verdicts: [] }, old);
  const outcomes = current.report.outcomes.map((outcome) => withOld(outcome, next.report.outcomes));
  return { ...current, report: reportOf(outcomes), residue: true };
}

/** Only what the plan would create now is known to be absent; a blocked change has no steps. */
function isOwed({ address, action, steps }: Change): boolean {
  return address.kind === 'campaign' && action === 'replace' && steps.some(({ kind }) => kind === 'create');
}

/**
 * The version that this replace stopped: those that earlier ones left behind were stopped before it. One runs again,
 * never two, and none beside one that still runs, as before a `create_first`.
 */
function pausedForIt({ observed, knowledge }: Inspection, change: Change): readonly Change[] {
  const { account, name } = change.address;
  const group = observed.filter(
    ({ kind, account: owner, live }) => kind === 'campaign' && owner === account && live.name === name,
  );
  if (group.some(({ live }) => live.status === 'active')) return [];
  const [latest] = group
    .filter(({ live }) => live.status === 'paused')
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
      ? `The old version ${id ?? ''} is switched on again, because neither create can come any more.`
      : `The old version ${id ?? ''} could not be switched on again: ${message}`,
  );
  return { ...outcome, message: [twiceSilent(outcome.message), ...words].join(' ') };
}

function twiceSilent(message: string): string {
  return message.replace(/ The old version \S+ stays paused until then\./, '');
}
