import { shown, visibleProse } from '../domain/visible.ts';
import { ProviderError } from '../provider/error.ts';
import type { Provider } from '../provider/provider.ts';
import { markerStart, planComment, type PlanReport, type PlanRun, workspaceDigest } from './comment.ts';
import { keepComment, type Say, setStatus, tryToReport } from './post.ts';

/** What a report needs from its program. */
export interface ReportPorts {
  readonly say: Say;
  /** Resolves with null for `generic`. */
  readonly provider: () => Promise<Provider | null>;
  /** Adds to the page of the job. */
  readonly summary: (draw: (bytes: number) => string) => Promise<void>;
}

const NOTICES_BYTES = 10_000;

/**
 * Reports a plan, or why there is none, where people review: in the summary of the job, in the comment of the pull request, and as
 * a status of its commit.
 */
export async function reportPlan(ports: ReportPorts, run: PlanRun, report: PlanReport): Promise<void> {
  const { job, folder, head } = run;
  await ports.summary((bytes) => [...report.notices, report.draw(bytes - NOTICES_BYTES)].join('\n\n'));
  const provider = await ports.provider();
  if (provider === null) return;
  const place = { commit: head, folder, job: 'plan', url: job.run?.url ?? null } as const;
  const set = async (status: Parameters<typeof setStatus>[2]) =>
    job.head === null ? undefined : setStatus(provider, place, status);
  try {
    await comment(ports.say, provider, run, report);
  } catch (error) {
    if (job.isFork && error instanceof ProviderError && error.code === 'provider-denied') {
      ports.say(
        shown`No comment and no status, because the token of a pull request from a fork can only read. The plan is in the files of this job.`,
      );
      return;
    }
    // The comment is still that of an earlier commit, so the status says that this one has none.
    const description = `the comment could not be written: ${(error as Error).message}`;
    await tryToReport(ports.say, 'The status', () => set({ state: 'error', description }));
    throw error;
  }
  await set({ state: report.state, description: report.counts });
}

async function comment(say: Say, provider: Provider, run: PlanRun, report: PlanReport): Promise<void> {
  const { pullRequest: number } = run.job;
  if (number === null) {
    say(shown`Not a job of a pull request, so nothing to comment on.`);
    return;
  }
  const pull = await provider.pullRequest(number);
  if (pull.state === 'open' && pull.head !== run.head) {
    say(shown`No comment, because pull request ${number} has a newer commit by now.`);
    return;
  }
  const body = planComment(run, report, provider.bodyMax);
  const { url } = await keepComment(provider, number, markerStart(workspaceDigest(run.folder)), body);
  say(shown`Comment: ${visibleProse(url ?? `written on pull request ${number}`)}`);
}
