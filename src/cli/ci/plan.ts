import type { PlanRun } from '../../ci/plan-comment.ts';
import { isHeldBack, writes } from '../../domain/change.ts';
import { InvalidFilesError } from '../../library/errors.ts';
import type { Job } from '../../provider/job.ts';
import { VERSION } from '../../version.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { chooseFormat, PLAN_FORMATS } from '../formats.ts';
import { comparedFiles } from './compared-files.ts';
import { invalidFiles } from './invalid-files.ts';
import type { CiPlanFlags } from './plan-flags.ts';
import { refuseLinks } from './out-dir.ts';
import { plannedChanges } from './planned-changes.ts';
import { jobOf } from './provider.ts';
import { tell, tellFailure } from './tell.ts';
import { refuseUnsafeEvent } from './unsafe-event.ts';

/** `herald ci plan`: plans a pull request, writes files, and tells the result where people review. Sends only GETs. */
export async function ciPlanCommand(context: Context, flags: CiPlanFlags): Promise<number> {
  const format = chooseFormat(context, PLAN_FORMATS);
  const job = await jobOf(context, flags.provider);
  await refuseLinks(context, flags.outDir);
  if (!flags.allowPullRequestTarget) await refuseUnsafeEvent(job, context.repository);
  const run: PlanRun = {
    job,
    folder: await folderOf(context),
    version: VERSION,
    head: await headOf(context, job),
  };
  if (isWithoutKey(context, job)) {
    const compared = await comparedFiles(context, flags, run);
    await tell(context, run, { ...compared, state: compared.isRefused ? 'failure' : 'success' });
    return compared.isRefused ? EXIT.blocked : EXIT.done;
  }
  try {
    const { plan, found } = await plannedChanges(context, { ...flags, format }, run);
    const isRefused = isHeldBack(plan);
    await tell(context, run, { found, state: isRefused ? 'failure' : 'success' });
    if (isRefused) return EXIT.blocked;
    return flags.detailedExitcode && plan.changes.some(writes) ? EXIT.differences : EXIT.done;
  } catch (error) {
    // The command ends with this error, whatever becomes of telling it.
    if (error instanceof InvalidFilesError) await tellFailure(context, run, invalidFiles(error.diagnostics));
    throw error;
  }
}

/** A pull request from a fork gets no secrets. */
function isWithoutKey({ env, flags }: Context, { isFork }: Job): boolean {
  return isFork && (env['HERALD_API_KEY'] ?? '') === '' && flags.apiKeyFile === undefined;
}

/** Empty without git or a repository, because only a comparison needs them. */
async function folderOf(context: Context): Promise<string> {
  return (await context.repository().catch(() => null))?.folder ?? '';
}

/** The commit that is planned. On a person's machine it may have changes that are not committed. */
async function headOf(context: Context, job: Job): Promise<string> {
  if (job.head !== null) return job.head;
  const repository = await context.repository().catch(() => null);
  return (await repository?.commitOf('HEAD')) ?? 'unknown';
}
