import type { Executed } from '../apply/execute.ts';
import { liveKey, mergeReports, reportOf } from '../apply/merge-reports.ts';
import type { Change, Outcome } from '../domain/change.ts';
import { formatAddress } from '../domain/resource.ts';
import { isExpected } from './errors.ts';
import { halfDoneWords } from './half-done.ts';
import { blockSecondCreate, notAgainWords, addNewIds, type NewIds } from './block-second-create.ts';
import type { Inspection } from './source.ts';
import { addressesOf } from './verify.ts';
import { correctFromLive } from './correct-from-live.ts';
import type { RoundEnd, ResolveRun } from './round.ts';
import { lookUntilResolved } from './look-until-resolved.ts';
import { reactivateReplaced } from './reactivate-replaced.ts';
import { sayAbsent } from './say-absent.ts';
import { stopsMeanwhile } from './stops-meanwhile.ts';
import { isWorthWaiting } from './worth-waiting.ts';

/** The last round only adopts: after two lost answers, a create is not sent a third time. */
const ROUNDS = ['create once more', 'adopt only'] as const;
type Round = (typeof ROUNDS)[number];

/**
 * Resolves the unknown outcomes of the first round: waits until no lost answer can still succeed, adopts what exists,
 * and creates once more what does not. A second lost answer stays unknown, and so does everything that cannot be
 * read.
 */
export async function resolveUnknown(
  resolving: ResolveRun,
  first: Inspection,
  executed: Executed,
): Promise<Executed> {
  let current = executed;
  let newcomers: NewIds = new Map();
  for (const round of ROUNDS) {
    const open = addressesOf(current.report, ['unknown']);
    if (open.size === 0 || !resolving.mayGoOn()) return current;
    const stopCopies = async (look: Inspection) => {
      newcomers = addNewIds(newcomers, look);
      current = await withoutCopies(resolving, first, look, current, open, newcomers);
    };
    const fresh = await lookOrReport(resolving, stopCopies);
    if (fresh === null) return current;
    newcomers = addNewIds(newcomers, fresh);
    const concerned = fresh.plan.changes
      .filter((change) => isConcerned(change, open, round) || isDuplicate(resolving, fresh, change))
      .flatMap((change) => blockSecondCreate(change, newcomers, fresh, resolving.source.declared) ?? []);
    const next = withoutMoved(await resolving.carriedOut(fresh, concerned));
    const merged = together(resolving, first, current, next, fresh, newcomers);
    const residue = merged.residue || leavesResidue(current, merged, { first, fresh });
    const halfDone = next.closed.unconfirmed.map(({ address }) => formatAddress(address));
    const inDoubt = new Set([...halfDone, ...newcomers.keys()]);
    current = correctFromLive({ ...merged, residue }, fresh, {
      planned: concerned,
      declared: resolving.source.declared,
      inDoubt,
    });
    current = await finishRemainingSteps(
      resolving,
      first,
      { ...fresh, verdicts: [] },
      concerned,
      current,
      open,
      newcomers,
    );
    if (round === 'adopt only')
      current = sayAbsent(await reactivateReplaced(resolving, fresh, current, inDoubt), fresh, {
        declared: resolving.source.declared,
        newcomers,
      });
  }
  return current;
}

/** A recall is irreversible. After its few attempts, only a person repeats it (LOST-3). */
function isAllowed({ steps }: Change, round: Round): boolean {
  const kinds = steps.map(({ kind }) => kind);
  if (kinds.includes('recall')) return false;
  return round === 'create once more' || !(kinds.includes('create') || kinds.includes('reactivate'));
}

function isConcerned(change: Change, open: ReadonlySet<string>, round: Round): boolean {
  return open.has(formatAddress(change.address)) && isAllowed(change, round);
}

/** A duplicate at any address of the plan: every fan would get its content twice. */
function isDuplicate({ source }: ResolveRun, look: Inspection, change: Change): boolean {
  return change.action === 'retire' && stopsMeanwhile(look, source.declared).includes(change);
}

/** Duplicates are stopped immediately, wherever they appear while a request is unconfirmed. */
async function withoutCopies(
  resolving: ResolveRun,
  first: Inspection,
  look: Inspection,
  current: Executed,
  open: ReadonlySet<string>,
  newcomers: NewIds,
): Promise<Executed> {
  const copies = look.plan.changes.filter(
    (change) =>
      (change.action === 'retire' && open.has(formatAddress(change.address))) ||
      isDuplicate(resolving, look, change),
  );
  if (copies.length === 0 || !resolving.mayGoOn()) return current;
  return together(resolving, first, current, await resolving.stoppedMeanwhile(look, copies), look, newcomers);
}

async function lookOrReport(
  resolving: ResolveRun,
  meanwhile: (look: Inspection) => Promise<void>,
): Promise<Inspection | null> {
  const { ports, source } = resolving;
  try {
    return await lookUntilResolved(ports, source, {
      meanwhile,
      isWorthWaiting: (entry, look) => isWorthWaiting(resolving, entry, look),
    });
  } catch (error) {
    if (!isExpected(error)) throw error;
    ports.report({ kind: 'resolve-failed', error });
    return null;
  }
}

/** An object that appeared during a second create is the first one's. The next look adopts it. */
function withoutMoved(executed: RoundEnd): RoundEnd {
  const { report, moved } = executed;
  const stays = report.outcomes.filter(({ address }) => !moved.has(formatAddress(address)));
  return { ...executed, report: reportOf(stays) };
}

function together(
  { source }: ResolveRun,
  first: Inspection,
  current: Executed,
  { closed, report, residue }: RoundEnd,
  { knowledge }: Inspection,
  newcomers: NewIds,
): Executed {
  const { adopted, confirmed, unconfirmed } = closed;
  // Inside its window the create may still make another one: the words for that stay.
  const coming = new Set(
    knowledge.open
      .filter((entry) => entry.call === 'create' && entry.maybeMade === null)
      .map(({ address }) => formatAddress(address)),
  );
  const found = {
    adopted: new Map(adopted.map(({ address, liveId }) => [formatAddress(address), liveId])),
    before: new Set(first.observed.map(({ kind, live }) => liveKey(kind, live.id))),
    open: new Set(knowledge.open.map(({ address }) => formatAddress(address))),
    confirmed: new Set(confirmed.map(({ address, liveId }) => `${formatAddress(address)} ${liveId}`)),
    halfDone: new Map(
      unconfirmed.map((change) => [formatAddress(change.address), halfDoneWords(change, source)]),
    ),
    newcomers: new Map(
      [...newcomers].flatMap(([address, ids]) =>
        coming.has(address) ? [] : [[address, notAgainWords(address, ids, source.declared)]],
      ),
    ),
  };
  return {
    report: mergeReports(current.report, report, found),
    residue: current.residue || residue,
    moved: current.moved,
  };
}

/**
 * A failed change left nothing behind if its objects are as they were before the run, or if live state shows that it
 * was never carried out.
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

/** The object and all others with its name, as `id status`. */
function liveOf({ address, live_id: id }: Outcome, { observed }: Inspection): string {
  const { account, kind, name } = address;
  return observed
    .filter((object) => object.account === account && object.kind === kind)
    .filter(({ live }) => live.name === name || live.id === id)
    .map(({ live }) => `${live.id} ${live.status ?? ''}`)
    .toSorted()
    .join();
}

/** After its create was resolved, a replace still has to clear the old queue. */
async function finishRemainingSteps(
  resolving: ResolveRun,
  first: Inspection,
  fresh: Inspection,
  done: readonly Change[],
  current: Executed,
  open: ReadonlySet<string>,
  newcomers: NewIds,
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
  if (owed.length === 0 || !resolving.mayGoOn()) return current;
  return together(resolving, first, current, await resolving.carriedOut(fresh, owed), fresh, newcomers);
}
