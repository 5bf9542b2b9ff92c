import type { Ledger } from '../ledger/ledger.ts';
import { writes, type ApplyReport, type Change, type Outcome, type OutcomeKind } from '../domain/change.ts';
import type { PrintedDiagnostic } from '../domain/diagnostic.ts';
import { formatAddress } from '../domain/resource.ts';
import { DIFFERS_AGAIN } from '../plan/left-as-it-is.ts';
import { isExpected } from './errors.ts';
import type { ReconcilePorts } from './ports.ts';
import type { Inspection, Source } from './source.ts';

/** The run that is looked back on. */
interface Done {
  readonly ledger: Ledger;
  /** What was live before it. */
  readonly before: Inspection;
  readonly report: ApplyReport;
}

/** What the final scan has found. */
interface Looked {
  readonly after: Inspection;
  readonly report: ApplyReport;
}

/**
 * The final scans: what was reported must be what is live, and a created object must not differ at once. Where it
 * does, the service or a person has changed it since its create was answered: that is said, and taken for drift.
 * They cannot take back what is done, so a scan that fails is said and changes nothing about the report.
 * Returns what was read, and the report with what somebody else has changed since; null when it could not be read.
 */
export async function verifyAfterApply(
  ports: ReconcilePorts,
  source: Source,
  done: Done,
): Promise<Looked | null> {
  const { report } = done;
  const after = await lookWithNewcomers(ports, source, done);
  if (after === null) return null;
  const finished = report.outcomes.filter(({ outcome }) => DONE.includes(outcome));
  const wasBlocked = new Set(
    report.outcomes
      .filter(({ action }) => action === 'blocked')
      .map((outcome) => formatAddress(outcome.address)),
  );
  const reported = new Set(blockedSince(done.before, after, report));
  const since = new Map<Outcome, string>();
  const say = (address: string, liveId: string | null, words: string) => {
    const own = finished.filter((outcome) => formatAddress(outcome.address) === address);
    const outcome = own.find(({ live_id: id }) => id === liveId) ?? own[0];
    if (outcome !== undefined) since.set(outcome, `${since.get(outcome) ?? ''} ${words}`);
  };
  for (const change of after.plan.changes) {
    if (reported.has(change)) continue;
    const address = formatAddress(change.address);
    const words = needsAgain(change, wasBlocked.has(address), finished);
    if (words !== null) say(address, change.live_id, `It ${words} Run "herald plan".`);
  }
  for (const { address = '', message } of differAgain(after, done.before)) say(address, null, message);
  return { after, report: withSince(report, since) };
}

function withSince(report: ApplyReport, since: ReadonlyMap<Outcome, string>): ApplyReport {
  if (since.size === 0) return report;
  const outcomes = report.outcomes.map((outcome) => {
    const words = since.get(outcome);
    return words === undefined ? outcome : { ...outcome, message: `${outcome.message}${words}`.trim() };
  });
  return { ...report, outcomes };
}

/** Outcomes after which what is live is the run's own doing. */
const DONE: readonly OutcomeKind[] = ['applied', 'adopted'];

/** What this run has replaced and that differs again already: no plan replaces it any more. */
function differAgain({ plan }: Inspection, before: Inspection): readonly PrintedDiagnostic[] {
  const known = new Set(before.plan.diagnostics.map(({ message }) => message));
  return plan.diagnostics.filter(({ code, message }) => code === DIFFERS_AGAIN && !known.has(message));
}

/** What is to be said of a change that a plan right after the apply has; null for nothing. */
function needsAgain(change: Change, wasBlocked: boolean, finished: readonly Outcome[]): string | null {
  const { action, reasons, fields, live_id: id } = change;
  if (action === 'blocked' && !wasBlocked) return `was changed during this run: ${reasons.join(' ')}`;
  if (!writes(change) || action === 'retire') return null;
  const isOwn = action === 'replace' && finished.some((one) => one.live_id === id && isCreating(one));
  const paths = fields.map(({ path }) => path).join(', ');
  return `already needs "${action}" again${isOwn ? `: the service or a person has changed ${paths} since` : ''}.`;
}

function isCreating({ action }: Outcome): boolean {
  return action === 'create' || action === 'replace';
}

/**
 * What turned up under a name during this run with the content that the run has created is a duplicate that may be
 * stopped without asking, also when another person made it: two runs that create the same keep the same one.
 */
async function lookWithNewcomers(
  ports: ReconcilePorts,
  source: Source,
  { ledger, before, report }: Done,
): Promise<Inspection | null> {
  const after = await lookOrReport(ports, source);
  if (after === null) return null;
  const copies = blockedSince(before, after, report).filter(
    ({ fields, needs }) => fields.length === 0 && needs.includes('adopt'),
  );
  if (copies.length === 0) return after;
  const accountIds = new Map(after.accounts.map(({ alias, accountId }) => [alias, accountId]));
  for (const { address, live_id: id } of copies)
    await ledger.sawAsDeclared({
      ...address,
      account_id: accountIds.get(address.account) ?? '',
      live_id: id ?? '',
    });
  return lookOrReport(ports, source);
}

/** What a plan made after the run blocks because of objects that others made at the run's addresses meanwhile. */
export function blockedSince(before: Inspection, after: Inspection, report: ApplyReport): readonly Change[] {
  const touched = addressesOf(report, DONE);
  const idOf = (account: string, kind: string, id: string) => `${account}/${kind}/${id}`;
  const known = new Set(before.observed.map(({ account, kind, live }) => idOf(account, kind, live.id)));
  const own = new Set(
    report.outcomes.map(({ address, live_id: id }) => idOf(address.account, address.kind, id ?? '')),
  );
  return after.plan.changes.filter(
    ({ action, address, live_id: id }) =>
      action === 'blocked' &&
      id !== null &&
      touched.has(formatAddress(address)) &&
      !known.has(idOf(address.account, address.kind, id)) &&
      !own.has(idOf(address.account, address.kind, id)),
  );
}

/** The addresses with one of these outcomes. */
export function addressesOf(report: ApplyReport, outcomes: readonly OutcomeKind[]): ReadonlySet<string> {
  return new Set(
    report.outcomes
      .filter(({ outcome }) => outcomes.includes(outcome))
      .map(({ address }) => formatAddress(address)),
  );
}

async function lookOrReport({ report }: ReconcilePorts, source: Source): Promise<Inspection | null> {
  try {
    return await source.look();
  } catch (error) {
    if (!isExpected(error)) throw error;
    report({ kind: 'verify-failed', error });
    return null;
  }
}
