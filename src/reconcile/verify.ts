import type { Ledger } from '../ledger/ledger.ts';
import { reportOf } from '../apply/merge-reports.ts';
import {
  writes,
  type ApplyReport,
  type Change,
  type ChangeKind,
  type Outcome,
  type OutcomeKind,
} from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import type { PrintedDiagnostic } from '../domain/diagnostic.ts';
import type { LiveId } from '../domain/ids.ts';
import { formatAddress, type Declared } from '../domain/resource.ts';
import { DIFFERS_AGAIN } from '../plan/left-as-it-is.ts';
import { isExpected } from './errors.ts';
import { addressesOfDrafts, hiddenCreates, hiddenWords, shownInstead } from './hidden-creates.ts';
import { addressesIn, outcomesWithLive } from './left-live.ts';
import type { ReconcilePorts } from './ports.ts';
import type { Inspection, Source } from './source.ts';
import { stopsOfOthers } from './stop-others.ts';

/** The finished run. */
interface Done {
  readonly ledger: Ledger;
  /** Live state before it. */
  readonly before: Inspection;
  readonly report: ApplyReport;
}

/** The result of the final scan. */
interface Looked {
  readonly after: Inspection;
  readonly report: ApplyReport;
  /** What has to be stopped next to the objects of this run. */
  readonly stops: readonly Change[];
}

/**
 * Verifies an apply: live state must match the report, and a created object must not differ already. A difference was
 * made by the service or a person since, so it is reported as drift. A failed read is a warning and does not change
 * the report. Returns what was read, and the report with these changes, or null.
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
  const reported = new Set(blockedSince(done.before, after, report, source.declared));
  const left = new Set(report.outcomes.filter(({ outcome }) => outcome === 'not_attempted').map(planOf));
  const drafts = addressesOfDrafts(source.declared);
  const hidden = hiddenCreates(report, { before: done.before, after }, source.declared);
  const since = new Map<Outcome, string>();
  const unshown = new Set<Outcome>();
  const say = (address: string, liveId: LiveId | null, words: string) => {
    const own = finished.filter((outcome) => formatAddress(outcome.address) === address);
    const outcome = own.find(({ live_id: id }) => id === liveId) ?? own[0];
    if (outcome !== undefined) since.set(outcome, `${since.get(outcome) ?? ''} ${words}`);
  };
  const stops = stopsOfOthers(after, done.before, report, source.declared);
  for (const change of after.plan.changes) {
    if (reported.has(change) || stops.includes(change) || left.has(planOf(change))) continue;
    if (hidden.block(change)) continue;
    const same = finished.find((outcome) => isSameStatus(outcome, change));
    if (same !== undefined) {
      unshown.add(same);
      continue;
    }
    const address = formatAddress(change.address);
    const words = needsAgain(change, wasBlocked.has(address), finished);
    // What blocks a draft names its next step.
    const next = drafts.has(address) ? '' : ` Run "${formatCommand('plan')}".`;
    if (words !== null) say(address, change.live_id, `It ${words}${next}`);
  }
  for (const { address = '', message } of foundAgain(after, done.before)) say(address, null, message);
  for (const outcome of hidden.outcomes) {
    const address = formatAddress(outcome.address);
    const ids = shownInstead(outcome, after, done.before);
    say(address, outcome.live_id, hiddenWords(outcome, ids, drafts.has(address)));
  }
  return { after, report: withUnshown(withSince(report, since), unshown), stops };
}

const STATUS_CHANGES: readonly ChangeKind[] = ['pause', 'archive', 'activate', 'resume', 'recall'];

/** The service has confirmed a status, and lists that were read after that still ask for it. */
function isSameStatus(outcome: Outcome, change: Change): boolean {
  return STATUS_CHANGES.includes(change.action) && planOf(outcome) === planOf(change);
}

/** What was confirmed and does not show is neither applied nor failed. */
function withUnshown(report: ApplyReport, unshown: ReadonlySet<Outcome>): ApplyReport {
  if (unshown.size === 0) return report;
  return reportOf(
    report.outcomes.map((outcome) =>
      unshown.has(outcome)
        ? {
            ...outcome,
            outcome: 'unknown',
            message: `${outcome.live_id ?? ''} still needs "${outcome.action}", although the service confirmed it. Check it on the service, then run: ${formatCommand('plan')}`,
          }
        : outcome,
    ),
  );
}

function withSince(report: ApplyReport, since: ReadonlyMap<Outcome, string>): ApplyReport {
  if (since.size === 0) return report;
  const outcomes = report.outcomes.map((outcome) => {
    const words = since.get(outcome);
    return words === undefined ? outcome : { ...outcome, message: `${outcome.message}${words}`.trim() };
  });
  return { ...report, outcomes };
}

/** Outcomes of changes that this run made. */
const DONE: readonly OutcomeKind[] = ['applied', 'adopted'];

/** What no plan changes any more: what this run has replaced differs again, or another one of a name goes out as well. */
const FOUND_AGAIN: readonly string[] = [DIFFERS_AGAIN, 'going-out-twice'];

function foundAgain({ plan }: Inspection, before: Inspection): readonly PrintedDiagnostic[] {
  const known = new Set(before.plan.diagnostics.map(({ message }) => message));
  return plan.diagnostics.filter(({ code, message }) => FOUND_AGAIN.includes(code) && !known.has(message));
}

/** The message for a change that a new plan has right after the apply, or null. */
function needsAgain(change: Change, wasBlocked: boolean, finished: readonly Outcome[]): string | null {
  const { action, reasons, fields, live_id: id } = change;
  if (action === 'blocked' && !wasBlocked) return `was changed during this run: ${reasons.join(' ')}`;
  if (!writes(change) || action === 'retire') return null;
  const isOwn = action === 'replace' && finished.some((one) => one.live_id === id && isCreating(one));
  const paths = fields.map(({ path }) => path).join(', ');
  return `already needs "${action}" again${isOwn ? `: the service or a person has changed ${paths} since` : ''}.`;
}

/** A change that the run did not begin needs no second mention. */
function planOf({ action, address, live_id: id }: Pick<Change, 'action' | 'address' | 'live_id'>): string {
  return `${action} ${formatAddress(address)} ${id ?? ''}`;
}

function isCreating({ action }: Outcome): boolean {
  return action === 'create' || action === 'replace';
}

/**
 * A new object with the name and content of a created one is a duplicate. It may be stopped without asking, even if
 * another person made it: two runs that create the same keep the same one.
 */
async function lookWithNewcomers(
  ports: ReconcilePorts,
  source: Source,
  { ledger, before, report }: Done,
): Promise<Inspection | null> {
  const after = await lookOrReport(ports, source);
  if (after === null) return null;
  const copies = blockedSince(before, after, report, source.declared).filter(
    (change) => change.fields.length === 0 && needsAdopt(change),
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

/**
 * Changes that a new plan blocks because others made objects at the run's addresses meanwhile.
 *
 * | the blocked change is of                    | it is blocked since                         |
 * |---------------------------------------------|---------------------------------------------|
 * | what the list shows in place of a draft     | no: it is named next to the sent one        |
 * | an object that is new and not of this run   | yes                                         |
 * | any other, and needs `adopt`                | yes, unless it was blocked for that before: |
 * |                                             | only another one's object needs `adopt`     |
 * | anything else                               | no                                          |
 */
export function blockedSince(
  before: Inspection,
  after: Inspection,
  report: ApplyReport,
  declared: readonly Declared[],
): readonly Change[] {
  const hidden = hiddenCreates(report, { before, after }, declared);
  const touched = addressesIn(outcomesWithLive(report, before));
  const idOf = (account: string, kind: string, id: string) => `${account}/${kind}/${id}`;
  const known = new Set(before.observed.map(({ account, kind, live }) => idOf(account, kind, live.id)));
  const own = new Set(
    report.outcomes.map(({ address, live_id: id }) => idOf(address.account, address.kind, id ?? '')),
  );
  const strangers = new Set(
    before.plan.changes.filter(needsAdopt).map(({ address }) => formatAddress(address)),
  );
  return after.plan.changes.filter((change) => {
    const { action, address, live_id: id } = change;
    if (action !== 'blocked' || id === null || !touched.has(formatAddress(address))) return false;
    if (hidden.block(change)) return false;
    const key = idOf(address.account, address.kind, id);
    const isNew = !known.has(key) && !own.has(key);
    return isNew || (needsAdopt(change) && !strangers.has(formatAddress(address)));
  });
}

function needsAdopt({ needs }: Change): boolean {
  return needs.includes('adopt');
}

/** The addresses with one of these outcomes. */
export function addressesOf(report: ApplyReport, outcomes: readonly OutcomeKind[]): ReadonlySet<string> {
  return addressesIn(report.outcomes.filter(({ outcome }) => outcomes.includes(outcome)));
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
