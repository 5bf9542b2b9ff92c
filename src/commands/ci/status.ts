import { findJob, findProvider, providerFlag } from '../../cli/ci-job.ts';
import type { Context } from '../../cli/context.ts';
import { defineCommand } from '../../cli/define-command.ts';
import { parsedFlag, parseWholeNumber } from '../../cli/flags.ts';
import { type CiStatus, deskJob, pullRequestStatus, drawStatus } from '../../ci/status.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import { LIVE, withState } from '../../library/state-access.ts';
import { type Job, type ProviderName } from '../../provider/job.ts';

/** Where a pull request is on its way to an apply. Only reads. Exit 1 if something is not known. */
export const status = defineCommand({
  path: 'ci status',
  about: 'show whether the plan of a pull request is valid',
  examples: ['herald ci status', 'herald ci status --pull-request 7 --format json'],
  flags: {
    provider: providerFlag('where the pull request is (default: found from the environment)'),
    pullRequest: parsedFlag(
      '--pull-request <number>',
      'the pull request (default: that of the job, or of the commit)',
      parseWholeNumber(1, Number.MAX_SAFE_INTEGER),
    ),
  },
  needs: 'nothing',
  run: async (context, given) => {
    const notes: string[] = [];
    const job = await findJobHere(context, given.provider, notes);
    const provider = await unlessRefused(notes, () => findProvider(context, job));
    const repository = await context.repository().catch(() => null);
    const asked = given.pullRequest ?? null;
    const found = await pullRequestStatus({ job, provider, repository, asked });
    const state = await unlessRefused(notes, () =>
      withState(
        context.state.read(() => LIVE),
        async (opened) => ({ place: opened.name, lease: (await opened.leaseRecord())?.holder ?? null }),
      ),
    );
    const { event, run } = job;
    const document: CiStatus = {
      schema: 'herald/ci/1',
      job: { provider: job.provider, event, repository: job.repository, run_url: run?.url ?? null },
      ...found,
      state,
      // Without a connection, it is the reason that says what to do.
      notes: notes.length > 0 && provider === null ? notes : [...found.notes, ...notes],
    };
    return {
      exit: document.notes.length === 0 ? EXIT.done : EXIT.failed,
      text: () => drawStatus(document),
      json: () => ({ ...document }),
    };
  },
});

/** The job, or the repository of a person outside of a job. */
async function findJobHere(context: Context, asked: ProviderName | undefined, notes: string[]): Promise<Job> {
  const job = await findJob(context, asked);
  // A job names its own event. It only lacks the variable with the repository.
  if (job.repository !== null || asked === 'generic' || job.eventName !== null) return job;
  const { hosts, paths } = context.repositoryFiles() ?? { hosts: [], paths: [] };
  const desk = deskJob({ hosts, paths, env: context.env, asked });
  if (desk.because !== null) notes.push(desk.because);
  return desk.job;
}

/** What was found out. Null, with a note that says what to do, if that was refused. */
async function unlessRefused<Found>(
  notes: string[],
  find: () => Promise<Found | null>,
): Promise<Found | null> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof HeraldError)) throw error;
    notes.push(`${error.message} ${error.hint ?? ''}`);
    return null;
  }
}
