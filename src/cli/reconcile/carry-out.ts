import { closeOpenEntries, type Unconfirmed } from '../../apply/close-open.ts';
import { executePlan, type Executed } from '../../apply/execute.ts';
import { Ledger } from '../../ledger/ledger.ts';
import { mergeReports } from '../../apply/merge-reports.ts';
import { RepeatBound } from '../../apply/repeat-bound.ts';
import { rememberKept, rememberProtection } from '../../apply/remember.ts';
import type { Context } from '../context.ts';
import type { Change } from '../../domain/change.ts';
import { formatAddress } from '../../domain/resource.ts';
import { shown, visible, type Visible } from '../../domain/visible.ts';
import { rewritesIn } from '../../plan/answer-rewrites.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError, stackOf } from '../failure.ts';
import { earlierHalfDone } from './half-done.ts';
import type { Inspection, Source } from './inspect.ts';
import { addressesOf, blockedSince, lookAgain } from './look-again.ts';
import type { RoundEnd } from './settle-round.ts';
import { settleUnknown } from './settle-unknown.ts';

/** What every round of one apply shares. */
interface Run {
  readonly context: Context;
  readonly source: Source;
  readonly ledger: Ledger;
  readonly repeats: RepeatBound;
}

/**
 * Carries out what was agreed to, and does not leave before every lost answer is settled: what was made is
 * adopted, what cannot come any more is created once more, and a second silence stays unknown.
 */
export async function carryOut(context: Context, source: Source, inspection: Inspection): Promise<Executed> {
  const { files, clock, identity } = context;
  const { client, ages, reader } = source;
  const ledger = await Ledger.open({
    files,
    clock,
    identity,
    service: client,
    ages,
    reader,
    handStops: inspection.knowledge.handStops,
  });
  const repeats = new RepeatBound(clock);
  const run: Run = { context, source, ledger, repeats };
  try {
    await rememberProtection(ledger, inspection.protection);
    const first = await round(run, inspection, inspection.plan.changes, (all) =>
      refuseUnconfirmed(all, source),
    );
    const carriedOut = (fresh: Inspection, changes: readonly Change[]) => round(run, fresh, changes);
    const mayGoOn = () => ledger.problem === null && !context.interrupted.aborted;
    const settling = { context, source, repeats, carriedOut, mayGoOn };
    let executed = await settleUnknown(settling, inspection, first);
    // What is done by hand reads its own object back, and nothing else is expected to be as declared.
    if (source.byHand === null && addressesOf(executed.report, ['applied', 'adopted']).size > 0 && mayGoOn())
      executed = await finalScan(run, inspection, executed);
    if (ledger.problem !== null) context.output.fail(lostRecord(ledger.problem));
    return executed;
  } finally {
    await ledger.close();
  }
}

/**
 * Reads once more. A duplicate that turned up during the run is stopped at once; what turned up and needs a person is
 * reported as blocked.
 */
async function finalScan(run: Run, before: Inspection, executed: Executed): Promise<Executed> {
  const { context, source, ledger } = run;
  const looked = await lookAgain(context, source, { ledger, before, report: executed.report });
  if (looked === null) return executed;
  const { after, report } = looked;
  const touched = addressesOf(report, ['applied', 'adopted']);
  const copies = after.plan.changes.filter(
    (change) => change.action === 'retire' && touched.has(formatAddress(change.address)),
  );
  const next = [...copies, ...blockedSince(before, after, report)];
  if (next.length === 0) return { ...executed, report };
  return { ...executed, report: mergeReports(report, (await round(run, after, next)).report) };
}

/**
 * Closes open entries as judged and carries out the changes. What could not be confirmed is left out, so that
 * nothing is built on it and nothing is said about it.
 */
async function round(
  { context, source, ledger, repeats }: Run,
  inspection: Inspection,
  changes: readonly Change[],
  onUnconfirmed: (unconfirmed: readonly Unconfirmed[]) => void = () => undefined,
): Promise<RoundEnd> {
  const { plan, observed, accounts, knowledge, verdicts } = inspection;
  const { client, declared, byHand, settleMs } = source;
  const closed = await closeOpenEntries({ client, ledger, repeats, clock: context.clock }, verdicts);
  const { adopted, unconfirmed } = closed;
  onUnconfirmed(unconfirmed);
  if (byHand === null) await rememberKept(ledger, plan, observed, knowledge);
  const unsure = new Set(unconfirmed.map(({ address }) => formatAddress(address)));
  const executed = await executePlan({
    plan: { ...plan, changes: changes.filter(({ address }) => !unsure.has(formatAddress(address))) },
    declared,
    byHand,
    observed,
    accounts,
    client,
    clock: context.clock,
    ledger,
    adopted: new Set(adopted.map(({ liveId }) => liveId)),
    settleMs,
    repeats,
    uploads: source.uploads(ledger),
    rewritesIn,
    stop: context.interrupted,
    onProgress: (done, total, change) =>
      context.output.progress(
        shown`applying ${done}/${total}  ${change.action} ${visible(formatAddress(change.address))}`,
      ),
    onBug: (error) => context.output.fail(stackOf(error)),
  });
  context.output.progress('');
  return { ...executed, closed };
}

/** A change that may be half done comes first: nothing is built on it before it is certain. */
function refuseUnconfirmed(unconfirmed: readonly Unconfirmed[], source: Source): void {
  if (unconfirmed.length === 0) return;
  const words = unconfirmed.map((change) => earlierHalfDone(change, source));
  throw new CommandError(
    'open-entry',
    `A change of an earlier run is not confirmed yet, so nothing else was begun. ${words.join(' ')}`,
    'Look at its status in the service, and run the command again.',
    EXIT.unknown,
    { unconfirmed: words },
  );
}

function lostRecord(problem: string): Visible {
  return shown`error: ${problem}. What this run did is not wholly on record: make room, keep the output above, and run herald plan before anything else.`;
}
