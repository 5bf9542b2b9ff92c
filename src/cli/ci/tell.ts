import { planComment, type Found, type PlanRun } from '../../ci/plan-comment.ts';
import { reportOnPullRequest } from '../../ci/report-on-pull-request.ts';
import { shown, visibleProse } from '../../domain/visible.ts';
import { ProviderError } from '../../provider/error.ts';
import type { CommitStatus, Provider } from '../../provider/provider.ts';
import type { Context } from '../context.ts';
import { writeJobSummary } from './plan-files.ts';
import { providerOf } from './provider.ts';

/** What to tell, and how it ended. */
export interface Telling {
  readonly found: Found;
  readonly state: CommitStatus['state'];
}

/**
 * Tells a plan where people review: in the summary of the job, in the comment of the pull request, and as a status of its
 * commit.
 */
export async function tell(context: Context, run: PlanRun, { found, state }: Telling): Promise<void> {
  await writeJobSummary(context, (bytes) =>
    [...found.notices, found.draw(bytes - NOTICES_BYTES)].join('\n\n'),
  );
  const provider = await providerOf(context, run.job);
  if (provider === null) return;
  try {
    await comment(context, provider, run, found);
    await setStatus(provider, run, { state, description: found.counts });
  } catch (error) {
    // The token of a pull request from a fork can only read.
    if (!run.job.isFork || !(error instanceof ProviderError) || error.code !== 'provider-denied') throw error;
    context.output.say(
      shown`No comment and no status, because the token of a pull request from a fork can only read. The plan is in the files of this job.`,
    );
  }
}

/** The same for a failure that ends the command. If this also fails, only a message says so, because the first failure counts. */
export async function tellFailure(context: Context, run: PlanRun, found: Found): Promise<void> {
  try {
    await tell(context, run, { found, state: 'failure' });
  } catch (error) {
    context.output.say(
      shown`This could not be posted to the pull request: ${visibleProse((error as Error).message)}`,
    );
  }
}

const NOTICES_BYTES = 10_000;

async function comment({ output }: Context, provider: Provider, run: PlanRun, found: Found): Promise<void> {
  const { pullRequest: number, baseBranch } = run.job;
  if (number === null) {
    output.say(shown`This job was not started for a pull request, so Herald wrote no comment.`);
    return;
  }
  const { comment: written, sharedWith } = await reportOnPullRequest(provider, {
    number,
    baseBranch,
    text: planComment(run, found),
    addresses: Object.keys(found.changes),
  });
  output.say(shown`Comment: ${visibleProse(written.url)}`);
  if (sharedWith.length > 0)
    output.say(
      shown`Open pull requests that change the same: ${sharedWith.map((one) => `#${one}`).join(', ')}`,
    );
}

async function setStatus(
  provider: Provider,
  { job, folder, head }: PlanRun,
  status: Pick<CommitStatus, 'state' | 'description'>,
): Promise<void> {
  const context = folder === '' ? 'herald' : `herald/${folder}`;
  if (job.head !== null) await provider.setStatus(head, { ...status, context, url: job.run?.url ?? null });
}
