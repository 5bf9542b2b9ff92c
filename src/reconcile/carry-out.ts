import { executePlan, type Executed } from '../apply/execute.ts';
import { EntryNumbers } from '../ledger/entry-numbers.ts';
import { Ledger } from '../ledger/ledger.ts';
import { mergeReports } from '../apply/merge-reports.ts';
import { RepeatBound } from '../apply/repeat-bound.ts';
import { rememberProtection } from '../apply/remember.ts';
import type { Change } from '../domain/change.ts';
import type { Lease } from '../domain/lease.ts';
import { rewritesIn } from '../plan/answer-rewrites.ts';
import { stopsBefore } from '../plan/same-content.ts';
import { Closing } from './closing.ts';
import { withHalfDone } from './half-done.ts';
import { outcomesWithLive } from './left-live.ts';
import { mayBeUndone } from './may-be-undone.ts';
import type { ReconcilePorts } from './ports.ts';
import type { Inspection, Source } from './source.ts';
import { blockedSince, verifyAfterApply } from './verify.ts';
import type { Run, RoundEnd, WhichRound } from './round.ts';
import { resolveUnknown } from './resolve-unknown.ts';

/** What one run has once, however often it sends. */
export interface OfRun {
  readonly repeats: RepeatBound;
  readonly numbers: EntryNumbers;
}

export function ofRun({ clock }: Pick<ReconcilePorts, 'clock'>): OfRun {
  return { repeats: new RepeatBound(clock), numbers: new EntryNumbers() };
}

/**
 * Applies the agreed changes, and resolves every lost answer before it returns: existing objects are adopted, missing
 * ones are created once more, and a second lost answer stays unknown.
 */
export async function carryOut(
  ports: ReconcilePorts,
  source: Source,
  inspection: Inspection,
  lease: Lease,
  { repeats, numbers }: OfRun = ofRun(ports),
): Promise<Executed> {
  const ledger = await openLedger(ports, source, inspection, { lease, numbers });
  const run: Run = { ports, source, ledger, repeats, unconfirmed: [] };
  try {
    await rememberProtection(ledger, inspection.protection);
    const first = await round(run, inspection, inspection.plan.changes, 'first');
    const carriedOut = (fresh: Inspection, changes: readonly Change[]) => round(run, fresh, changes);
    const mayGoOn = () => ledger.problem === null && ledger.leaseLost === null && !ports.interrupted.aborted;
    const stoppedMeanwhile = (look: Inspection, stops: readonly Change[]) => roundMeanwhile(run, look, stops);
    const resolving = { ports, source, repeats, carriedOut, stoppedMeanwhile, mayGoOn };
    let executed = await resolveUnknown(resolving, inspection, first);
    // A change by hand verifies its own object only.
    if (source.byHand === null && outcomesWithLive(executed.report, inspection).length > 0 && mayGoOn())
      executed = await finalScan(run, inspection, executed);
    executed = { ...executed, report: withHalfDone(executed.report, run.unconfirmed, source) };
    await ledger.keepWritten();
    return { ...executed, ...reportRecord(ports, ledger) };
  } finally {
    await ledger.close();
  }
}

/** Sends stops of a look while the run still waits, and nothing else. */
export async function stopMeanwhile(
  ports: ReconcilePorts,
  source: Source,
  look: Inspection,
  { stops, lease, repeats, numbers }: OfRun & { readonly stops: readonly Change[]; readonly lease: Lease },
): Promise<Executed> {
  const ledger = await openLedger(ports, source, look, { lease, numbers });
  try {
    const executed = await roundMeanwhile({ ports, source, ledger, repeats, unconfirmed: [] }, look, stops);
    await ledger.keepWritten();
    return { ...executed, ...reportRecord(ports, ledger) };
  } finally {
    await ledger.close();
  }
}

/** The stops that can be sent now. The others are planned again at the next look. */
function roundMeanwhile(run: Run, look: Inspection, stops: readonly Change[]): Promise<RoundEnd> {
  const now = stops.filter((stop) => !mayBeUndone(run, look, stop));
  return round(run, look, now, 'meanwhile');
}

function openLedger(
  { state, clock, identity }: ReconcilePorts,
  { client, ages, reader }: Source,
  { knowledge, entries }: Inspection,
  own: { readonly lease: Lease; readonly numbers: EntryNumbers },
): Promise<Ledger> {
  const { handStops } = knowledge;
  const service = { service: client, ages, reader, handStops, entries };
  return Ledger.open({ store: state.ledger, rescue: state.rescue, clock, identity, ...service, ...own });
}

/** Reports what is wrong with the record of a run, for its exit code as well. */
export function reportRecord(
  { report }: Pick<ReconcilePorts, 'report'>,
  { problem, rescuedIn, leaseLost }: Pick<Ledger, 'problem' | 'rescuedIn' | 'leaseLost'>,
): Pick<Executed, 'unrecorded' | 'leaseLost'> {
  if (leaseLost !== null) report({ kind: 'lease-lost', reason: leaseLost });
  if (problem !== null) report({ kind: 'ledger-incomplete', problem, rescuedIn });
  return { unrecorded: problem !== null, leaseLost: leaseLost !== null };
}

/**
 * Reads once more. A duplicate or another version that appeared during the run is stopped immediately. A new object
 * that needs a person is reported as blocked.
 */
async function finalScan(run: Run, before: Inspection, executed: Executed): Promise<Executed> {
  const { ports, source, ledger } = run;
  const looked = await verifyAfterApply(ports, source, { ledger, before, report: executed.report });
  if (looked === null) return executed;
  const { after, report, stops } = looked;
  const next = [...stops, ...blockedSince(before, after, report, source.declared)];
  if (next.length === 0) return { ...executed, report };
  return { ...executed, report: mergeReports(report, (await round(run, after, next)).report) };
}

/**
 * Closes entries by their verdicts and applies the changes. What may be half done is repeated between the stops and the
 * starts: a repeat can take two minutes, and a start may depend on it. Unconfirmed objects are left out of later steps and
 * checks.
 */
async function round(
  run: Run,
  inspection: Inspection,
  changes: readonly Change[],
  which: WhichRound = 'later',
): Promise<RoundEnd> {
  const { ports, source, ledger, repeats } = run;
  const { plan, observed, accounts, knowledge } = inspection;
  const { client, declared, byHand, settleMs } = source;
  const closing = new Closing(run, inspection, which);
  await closing.begin();
  const ofNow = new Set(changes);
  const rest = plan.changes.filter((change) => !ofNow.has(change));
  const executed = await executePlan({
    plan: { ...plan, changes: [...changes] },
    stopsFirst: stopsBefore({ changes, rest }, declared, observed, knowledge),
    isOurs: (key) => knowledge.objects.get(key)?.ours === true,
    declared,
    byHand,
    observed,
    accounts,
    client,
    clock: ports.clock,
    ledger,
    adopted: new Set(closing.closed.adopted.map(({ liveId }) => liveId)),
    beforeStarts: closing.beforeStarts,
    settleMs,
    repeats,
    uploads: source.uploads(ledger),
    rewritesIn,
    deniedNow: source.deniedNow,
    stop: ports.interrupted,
    onProgress: (done, total, change) => ports.report({ kind: 'applying', done, total, change }),
    onWait: (requests, leftMs) => ports.report({ kind: 'resolving', requests, leftMs, isFirst: true }),
    onBug: (error) => ports.report({ kind: 'bug', error }),
  });
  ports.report({ kind: 'idle' });
  return { ...executed, closed: closing.closed };
}
