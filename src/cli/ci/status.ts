import { HeraldError } from '../../domain/herald-error.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { deskJob } from '../../ci/desk-job.ts';
import { pullRequestStatus, type FoundStatus } from '../../ci/status.ts';
import type { CiStatus } from '../../ci/status-shape.ts';
import { statusWords } from '../../ci/status-words.ts';
import { LIVE, withState } from '../../library/state-access.ts';
import type { Job, ProviderName } from '../../provider/job.ts';
import type { Provider } from '../../provider/provider.ts';
import { renderJson } from '../../render/json.ts';
import type { Context } from '../context.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { jobOf, providerOf } from './provider.ts';

export interface StatusFlags {
  readonly provider: ProviderName | undefined;
  readonly pullRequest: number | undefined;
}

/** `herald ci status`: where a pull request is on its way to an apply. Only reads. Exit 1 if something is not known. */
export async function ciStatusCommand(context: Context, flags: StatusFlags): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const notes: string[] = [];
  const job = await jobHere(context, flags.provider, notes);
  const provider = await connected(context, job, notes);
  const found = await foundBy(context, { job, provider, asked: flags.pullRequest ?? null });
  const state = await stateOf(context, notes);
  const status: CiStatus = {
    schema: 'herald/ci/1',
    job: {
      provider: job.provider,
      event: job.event,
      repository: job.repository,
      run_url: job.run?.url ?? null,
    },
    ...found,
    state,
    // Without a connection, it is the reason that says what to do.
    notes: notes.length > 0 && provider === null ? notes : [...found.notes, ...notes],
  };
  context.output.result(format === 'json' ? renderJson(status) : statusWords(status));
  return status.notes.length === 0 ? EXIT.done : EXIT.failed;
}

/** The job, or the repository of a person outside of a job. */
async function jobHere(context: Context, asked: ProviderName | undefined, notes: string[]): Promise<Job> {
  const job = await jobOf(context, asked);
  if (job.repository !== null || asked === 'generic') return job;
  // A job names its own event. It only lacks the variable with the repository.
  if (job.eventName !== null) return job;
  const { hosts, paths } = context.repositoryFiles() ?? { hosts: [], paths: [] };
  const desk = deskJob({ hosts, paths, env: context.env, asked });
  if (desk.because !== null) notes.push(desk.because);
  return desk.job;
}

async function connected(context: Context, job: Job, notes: string[]): Promise<Provider | null> {
  try {
    return await providerOf(context, job);
  } catch (error) {
    if (!(error instanceof HeraldError)) throw error;
    notes.push(`${error.message} ${error.hint ?? ''}`);
    return null;
  }
}

async function foundBy(
  context: Context,
  given: { readonly job: Job; readonly provider: Provider | null; readonly asked: number | null },
): Promise<FoundStatus> {
  const repository = await context.repository().catch(() => null);
  return pullRequestStatus({ ...given, repository });
}

async function stateOf({ state }: Context, notes: string[]): Promise<CiStatus['state']> {
  try {
    return await withState(
      state.read(() => LIVE),
      async (opened) => ({ place: opened.name, lease: (await opened.leaseRecord())?.holder ?? null }),
    );
  } catch (error) {
    if (!(error instanceof HeraldError)) throw error;
    notes.push(`${error.message} ${error.hint ?? ''}`);
    return null;
  }
}
