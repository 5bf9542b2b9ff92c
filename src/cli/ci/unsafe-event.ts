import type { Repository } from '../../domain/git.ts';
import type { Job } from '../../provider/job.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';

/**
 * Refuses a job that has the secrets of the base branch and the files of a pull request checked out. The author of the
 * pull request would decide what a job with the secrets reads and where it connects. Nothing of the files was read yet.
 */
export async function refuseUnsafeEvent(job: Job, repository: () => Promise<Repository>): Promise<void> {
  if (!job.hasSecretsOfBase || !(await hasHead(job, repository))) return;
  throw new CommandError(
    'ci-unsafe-event',
    `This job runs on ${job.eventName ?? 'an event'} with the secrets of the base branch, and the files of the pull request are checked out. Nothing was read.`,
    'Run the job on pull_request instead. If you trust everyone who can open a pull request: --allow-pull-request-target',
    EXIT.blocked,
  );
}

/** True if it is checked out, alone or merged, and also if that is not known. */
async function hasHead({ head }: Job, repository: () => Promise<Repository>): Promise<boolean> {
  if (head === null) return true;
  const here = await repository();
  return (await here.commitOf('HEAD')) === head || (await here.parentsOf('HEAD')).includes(head);
}
