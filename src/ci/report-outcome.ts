import { markerStart, statusContext, withWithdrawn } from './comment.ts';
import {
  hasOutcomes,
  leftComment,
  leftMarker,
  nothingLeftComment,
  overtakenComment,
  refusedComment,
  withOutcomes,
  type ApplyRun,
} from './outcome-comment.ts';
import type { ApplyReport } from '../domain/change.ts';
import { formatAddress } from '../domain/resource.ts';
import { shown, type Visible, visibleProse } from '../domain/visible.ts';
import { ProviderError } from '../provider/error.ts';
import type { CommitStatus, Provider } from '../provider/provider.ts';
import type { ApplyPlace, FoundReview, FoundReviews } from './reviews.ts';
import { overtakenBy, type Overtaken } from './since-review.ts';

/** Prints a sentence for the log of the job. */
type Say = (text: Visible) => void;

interface Refusal {
  readonly message: string;
  readonly hint: string | null;
}

interface ReportedApply {
  readonly report: ApplyReport;
  readonly run: ApplyRun;
  readonly state: CommitStatus['state'];
  /** What this push has changed without a review. */
  readonly notes: readonly string[];
}

/**
 * Reports the outcome on each merged pull request: in the comment of its plan, and in a second one what was not applied. If
 * the provider fails, the apply still counts.
 */
export async function reportOutcome(
  say: Say,
  found: FoundReviews,
  { report, run, state, notes }: ReportedApply,
): Promise<void> {
  const { workspace, provider } = found;
  await setStatus(say, found, run, { state, description: summarizeOutcomes(report) });
  if (provider === null) return;
  const { bodyMax } = provider;
  const overtaken = overtakenBy(found, report);
  for (const one of found.found) {
    const { pullRequest, comment } = one.of;
    const own = { ...ownPart(report, one, found), notes: [...notes, ...overtaken.map(({ note }) => note)] };
    await orSay(say, pullRequest.number, async () => {
      if (await isReportedByNow(provider, workspace, one)) return;
      await provider.editComment(comment, withOutcomes(comment.body, own, run, bodyMax));
      await replaceLeft(provider, pullRequest.number, workspace, {
        body: leftComment(workspace, own, run, bodyMax),
        otherwise: nothingLeftComment(workspace, run),
      });
    });
  }
  for (const one of overtaken) await reportOvertaken(say, provider, workspace, { one, run });
  for (const { pullRequest, addresses } of found.unapproved) {
    const again = overtaken.find(({ of }) => of.pullRequest.number === pullRequest.number)?.addresses ?? [];
    const left = addresses.filter((address) => !again.includes(address));
    if (left.length > 0)
      say(
        shown`Pull request ${pullRequest.number} still has changes that are not approved: ${left.map((one) => visibleProse(one)).join(', ')}. Get the approvals, then run its apply job again.`,
      );
  }
}

/** The job of an earlier merge may have gone on while this one waited for it, and has reported its own outcome. */
async function isReportedByNow(
  provider: Provider,
  workspace: string,
  { of: { isEarlier, pullRequest } }: FoundReview,
): Promise<boolean> {
  if (!isEarlier) return false;
  const comments = await provider.ownComments(pullRequest.number, markerStart(workspace));
  return hasOutcomes(comments.at(-1)?.body ?? '');
}

async function reportOvertaken(
  say: Say,
  provider: Provider,
  workspace: string,
  { one, run }: { readonly one: Overtaken; readonly run: ApplyRun },
): Promise<void> {
  const { of, addresses, note } = one;
  const { number } = of.pullRequest;
  say(visibleProse(note));
  await orSay(say, number, async () => {
    await provider.editComment(of.comment, withWithdrawn(workspace, of.comment.body, addresses));
    const body = overtakenComment(workspace, note, run);
    await replaceLeft(provider, number, workspace, { body, otherwise: body });
  });
}

/** What is reported on one pull request: what its review names, and what no review names. */
function ownPart(report: ApplyReport, own: FoundReview, { found }: FoundReviews): ApplyReport {
  const names = namesIn(own);
  const ofOthers = new Set(found.flatMap((one) => [...namesIn(one)]));
  const isOwn = ({ address }: Pick<ApplyReport['outcomes'][number], 'address'>) => {
    const name = formatAddress(address);
    return names.has(name) || !ofOthers.has(name);
  };
  const { outcomes, already_done: done = [] } = report;
  return { ...report, outcomes: outcomes.filter(isOwn), already_done: done.filter(isOwn) };
}

function namesIn({ changes, of }: FoundReview): ReadonlySet<string> {
  return new Set([
    ...changes.map(({ address }) => formatAddress(address)),
    ...Object.keys(of.marker.changes ?? {}),
  ]);
}

/** What was refused or failed as a whole, and which pull requests it is about. */
interface Refused {
  readonly numbers: readonly number[];
  readonly failure: Refusal;
  readonly run: ApplyRun;
  readonly state: CommitStatus['state'];
}

/** Reports a run that was refused as a whole. */
export async function reportRefusal(
  say: Say,
  place: ApplyPlace,
  { numbers, failure, run, state }: Refused,
): Promise<void> {
  const { provider, workspace } = place;
  await setStatus(say, place, run, { state, description: `not applied: ${failure.message}` });
  if (provider === null) return;
  const body = refusedComment(workspace, failure, run);
  for (const number of numbers)
    await orSay(say, number, () => replaceLeft(provider, number, workspace, { body, otherwise: body }));
}

async function orSay(say: Say, number: number, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    say(
      shown`The outcome could not be posted to pull request ${number}: ${visibleProse(describeError(error))}`,
    );
  }
}

function describeError(error: unknown): string {
  const { message } = error as Error;
  return error instanceof ProviderError ? `${message} ${error.hint ?? ''}` : message;
}

/** One comment about what is left. A later run edits it; without anything left, none is made. */
async function replaceLeft(
  provider: Provider,
  number: number,
  workspace: string,
  { body, otherwise }: { readonly body: string | null; readonly otherwise: string },
): Promise<void> {
  const earlier = (await provider.ownComments(number, leftMarker(workspace))).at(-1);
  if (earlier !== undefined) await provider.editComment(earlier, body ?? otherwise);
  else if (body !== null) await provider.createComment(number, body);
}

/** The status of the commit that is applied. */
async function setStatus(
  say: Say,
  { provider, commit, folder }: ApplyPlace,
  { url }: ApplyRun,
  { state, description }: Pick<CommitStatus, 'state' | 'description'>,
): Promise<void> {
  if (provider === null) return;
  try {
    const context = statusContext(folder, 'apply');
    await provider.setStatus(commit, { state, description: visibleProse(description), context, url });
  } catch (error) {
    say(shown`The status of the commit could not be set: ${visibleProse((error as Error).message)}`);
  }
}

/** `2 applied, 1 not attempted`. */
function summarizeOutcomes({ summary, already_done: done = [] }: ApplyReport): string {
  const counts = Object.entries(summary)
    .filter(([outcome, count]) => count > 0 && outcome !== 'unchanged')
    .map(([outcome, count]) => `${count} ${outcome.replaceAll('_', ' ')}`);
  const before = done.length > 0 ? [`${done.length} already done`] : [];
  const words = [...counts, ...before].join(', ');
  return words === '' ? 'nothing to do' : words;
}
