import { formatCommand } from '../../domain/command-line.ts';
import type { Job } from '../../provider/job.ts';
import { readOrigin } from '../../workspace/written-origin.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import type { JobFlags } from './job-flags.ts';
import { HeraldError } from '../../domain/herald-error.ts';

interface Asked {
  readonly flags: JobFlags;
  readonly command: 'plan' | 'apply' | 'drift';
  /** The branch that is applied, if a flag names it. */
  readonly branch?: string | undefined;
}

/**
 * Refuses a job that may have the key and the files of a person who may not use it. Those files decide what is read and where
 * Herald connects. Nothing of them was read yet.
 *
 * | the job runs on                                                   | plan    | apply, drift |
 * |-------------------------------------------------------------------|---------|--------------|
 * | a pull request or its queue                                       | runs    | refused      |
 * | a push to the default branch, or a schedule there                 | runs    | runs         |
 * | a push to the branch of --branch, or a schedule there             |         | runs         |
 * | any other event, such as a comment, by hand, or another workflow  | refused | refused      |
 * | no job that Herald knows, such as a shell                         | runs    | runs         |
 */
export function refuseUnsafeEvent(job: Job, { flags, command, branch }: Asked): void {
  if (flags.allowUnsafeEvent || job.eventName === null || isSafe(job, command, branch)) return;
  const where = job.branch === null ? '' : ` of the branch ${job.branch}`;
  throw new HeraldError(
    'ci-unsafe-event',
    `${formatCommand('ci', command)} does not run on ${job.eventName}${where}, because the files may be those of a change that is not merged. Nothing was read or sent.`,
    command === 'plan'
      ? `Run the job on pull_request, merge_group, or a push to the default branch. If you trust everyone who can open a pull request: ${formatCommand('ci', 'plan', '--allow-unsafe-event')}`
      : `Run the job on a push to the default branch or on a schedule. If that job applies another branch: --branch NAME. If you trust the files that are checked out: ${formatCommand('ci', command, '--allow-unsafe-event')}`,
    { exit: EXIT.blocked },
  );
}

/** A `pull_request_target` has the secrets of the base branch, also if a stranger wrote the head. */
const PULL_REQUESTS = ['pull_request', 'merge_request_event'];

function isSafe({ event, eventName, ...job }: Job, command: Asked['command'], branch?: string): boolean {
  if (event === 'push' || event === 'schedule')
    return job.branch !== null && job.branch === (branch ?? job.defaultBranch);
  return command === 'plan' && (event === 'merge-queue' || PULL_REQUESTS.includes(eventName ?? ''));
}

/** A job that is green although it sent nothing to anyone would hide that the address of the service is missing. */
export async function refuseSimulator({ files, env }: Context, { simulator }: JobFlags): Promise<void> {
  if (simulator || (env['HERALD_BASE_URL'] ?? '') !== '') return;
  const text = await files.readText('herald.yaml').catch(() => '');
  if (readOrigin(text).kind !== 'simulator') return;
  throw new HeraldError(
    'ci-simulator',
    'herald.yaml names the embedded simulator, so this job would send nothing to anyone. Nothing was planned or applied.',
    'Replace simulator: by base_url: in herald.yaml, or set the variable HERALD_BASE_URL in the job. To try the job with the simulator: --simulator',
    { exit: EXIT.blocked },
  );
}
