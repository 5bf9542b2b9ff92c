import { findJob, findProvider, providerFlag } from '../../cli/ci-job.ts';
import type { Context } from '../../cli/context.ts';
import { defineCommand } from '../../cli/define-command.ts';
import { parsedFlag, parseWholeNumber } from '../../cli/flags.ts';
import {
  askOrNote,
  type CiStatus,
  describeNoDesk,
  deskJob,
  drawStatus,
  pullRequestStatus,
} from '../../ci/status.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { LIVE, withState } from '../../library/state-access.ts';
import { type Job, NO_JOB, type ProviderName } from '../../provider/job.ts';

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
    const provider = await askOrNote(notes, () => findProvider(context, job));
    if (provider === null && notes.length === 0)
      notes.push(
        'No provider was found here, so nothing is known of pull requests. Name it: --provider github',
      );
    const repository = await context.repository().catch(() => null);
    const asked = given.pullRequest ?? null;
    const found = await pullRequestStatus({ job, provider, repository, asked }, notes);
    const state = await askOrNote(notes, () =>
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
      notes,
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
  if (desk === null) notes.push(describeNoDesk({ hosts, paths }));
  return desk ?? NO_JOB;
}
