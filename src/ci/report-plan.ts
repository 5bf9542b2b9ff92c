import { planComment, type Found, type PlanRun } from './plan-comment.ts';
import { reportOnPullRequest } from './report-on-pull-request.ts';
import { statusContext } from './status-context.ts';
import { shown, type Visible, visibleProse } from '../domain/visible.ts';
import { ProviderError } from '../provider/error.ts';
import type { CommitStatus, Provider } from '../provider/provider.ts';

/** What a report needs from its program. */
export interface ReportPorts {
  readonly say: (text: Visible) => void;
  /** Resolves with null for `generic`. */
  readonly provider: () => Promise<Provider | null>;
  /** Adds to the page of the job. */
  readonly summary: (draw: (bytes: number) => string) => Promise<void>;
}

/** What to report, and how it ended. */
export interface PlanReport {
  readonly found: Found;
  readonly state: CommitStatus['state'];
}

/** The same without a plan. */
export interface FailureReport extends PlanReport {
  /** For the status, which has one line. */
  readonly because: string;
}

/**
 * Reports a plan where people review: in the summary of the job, in the comment of the pull request, and as a status of its
 * commit.
 */
export async function reportPlan(
  ports: ReportPorts,
  run: PlanRun,
  { found, state }: PlanReport,
): Promise<void> {
  await ports.summary((bytes) => [...found.notices, found.draw(bytes - NOTICES_BYTES)].join('\n\n'));
  const provider = await ports.provider();
  if (provider === null) return;
  try {
    await comment(ports, provider, run, found);
  } catch (error) {
    if (isReadOnly(run, error)) {
      ports.say(
        shown`No comment and no status, because the token of a pull request from a fork can only read. The plan is in the files of this job.`,
      );
      return;
    }
    await withoutComment(ports, provider, run, error);
    throw error;
  }
  await setStatus(provider, run, { state, description: found.counts });
}

/** The token of a pull request from a fork can only read. */
function isReadOnly({ job }: PlanRun, error: unknown): boolean {
  return job.isFork && error instanceof ProviderError && error.code === 'provider-denied';
}

/** The comment is still that of an earlier commit, so the status says that this one has none. */
async function withoutComment(
  ports: ReportPorts,
  provider: Provider,
  run: PlanRun,
  error: unknown,
): Promise<void> {
  const description = `the comment could not be written: ${(error as Error).message}`;
  await orSay(ports, 'The status', () => setStatus(provider, run, { state: 'error', description }));
}

/**
 * Reports a failure that ends the command: in the comment, so that an earlier plan is not taken for one of this commit, and
 * as a status. What cannot be reported is left out, because the failure counts.
 */
export async function reportFailure(
  ports: ReportPorts,
  run: PlanRun,
  { found, state, because }: FailureReport,
): Promise<void> {
  await ports.summary((bytes) => found.draw(bytes));
  await orSay(ports, 'The failure', async () => {
    const provider = await ports.provider();
    if (provider === null) return;
    await orSay(ports, 'The status', () => setStatus(provider, run, { state, description: because }));
    if (await isLatest(provider, run)) await comment(ports, provider, run, found);
  });
}

/** A job that fails late must not replace the plan of a newer commit. */
async function isLatest(provider: Provider, { job, head }: PlanRun): Promise<boolean> {
  if (job.pullRequest === null) return false;
  return (await provider.pullRequest(job.pullRequest)).head === head;
}

async function orSay({ say }: ReportPorts, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    say(shown`${what} could not be reported: ${visibleProse((error as Error).message)}`);
  }
}

const NOTICES_BYTES = 10_000;

async function comment({ say }: ReportPorts, provider: Provider, run: PlanRun, found: Found): Promise<void> {
  const { pullRequest: number, baseBranch } = run.job;
  if (number === null) {
    say(shown`Not a job of a pull request, so nothing to comment on.`);
    return;
  }
  const { comment: written, sharedWith } = await reportOnPullRequest(provider, {
    number,
    baseBranch,
    text: planComment(run, found),
    addresses: Object.keys(found.changes),
  });
  say(shown`Comment: ${visibleProse(written.url ?? `written on pull request ${number}`)}`);
  if (sharedWith.length > 0)
    say(shown`Open pull requests that change the same: ${sharedWith.map((one) => `#${one}`).join(', ')}`);
}

async function setStatus(
  provider: Provider,
  { job, folder, head }: PlanRun,
  status: Pick<CommitStatus, 'state' | 'description'>,
): Promise<void> {
  if (job.head === null) return;
  const description = visibleProse(status.description);
  const context = statusContext(folder, 'plan');
  await provider.setStatus(head, { ...status, description, context, url: job.run?.url ?? null });
}
