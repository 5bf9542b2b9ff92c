import {
  leftComment,
  leftMarker,
  nothingLeftComment,
  refusedComment,
  withOutcomes,
  type ApplyRun,
} from './outcome-comment.ts';
import type { ApplyReport } from '../domain/change.ts';
import { shown, type Visible, visibleProse } from '../domain/visible.ts';
import type { Provider } from '../provider/provider.ts';
import type { FoundReviews } from './find-reviews.ts';

/** Prints a sentence for the log of the job. */
type Say = (text: Visible) => void;

interface Refusal {
  readonly message: string;
  readonly hint: string | null;
}

/**
 * Tells the outcome on each merged pull request: in the comment of its plan, and in a second one what was not applied. If
 * the provider fails, the apply still counts.
 */
export async function tellOutcome(
  say: Say,
  found: FoundReviews,
  { report, run }: { readonly report: ApplyReport; readonly run: ApplyRun },
): Promise<void> {
  const { workspace } = found;
  await onEach(say, found, async (provider, { number, comment }) => {
    const { bodyMax } = provider;
    await provider.editComment(comment, withOutcomes(comment.body, report, run, bodyMax));
    const left = leftComment(workspace, report, run, bodyMax);
    await replaceLeft(provider, number, workspace, {
      body: left,
      otherwise: nothingLeftComment(workspace, run),
    });
  });
}

/** The same for a run that was refused as a whole. */
export async function tellRefusal(
  say: Say,
  found: FoundReviews,
  { failure, run }: { readonly failure: Refusal; readonly run: ApplyRun },
): Promise<void> {
  const body = refusedComment(found.workspace, failure, run);
  await onEach(say, found, (provider, { number }) =>
    replaceLeft(provider, number, found.workspace, { body, otherwise: body }),
  );
}

interface Place {
  readonly number: number;
  readonly comment: FoundReviews['chosen'][number]['comment'];
}

async function onEach(
  say: Say,
  { provider, chosen }: FoundReviews,
  work: (provider: Provider, place: Place) => Promise<void>,
): Promise<void> {
  if (provider === null) return;
  for (const { pullRequest, comment } of chosen) {
    try {
      await work(provider, { number: pullRequest.number, comment });
    } catch (error) {
      say(
        shown`The outcome could not be posted to pull request ${pullRequest.number}: ${visibleProse((error as Error).message)}`,
      );
    }
  }
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
