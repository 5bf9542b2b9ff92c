import { reportDrift, type DriftFound, type ReportedDrift } from '../../ci/drift-issue.ts';
import { shown, visibleProse } from '../../domain/visible.ts';
import type { ProviderName } from '../../provider/job.ts';
import { renderDriftIssue } from '../../render/drift-issue.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { driftExit } from '../exit-of.ts';
import { driftOf } from '../resources/plan.ts';
import { zonesOf } from '../resources/zones.ts';
import { writeJobSummary } from './plan-files.ts';
import { jobOf, providerOf } from './provider.ts';
import type { JobFlags } from './job-flags.ts';
import { refuseSimulator, refuseUnsafeEvent } from './safe-job.ts';

export interface CiDriftFlags extends JobFlags {
  readonly provider: ProviderName | undefined;
  readonly detailedExitcode: boolean;
}

/** `herald ci drift`: shows the drift, and keeps one issue about it. Sends only GETs to the service. */
export async function ciDriftCommand(context: Context, flags: CiDriftFlags): Promise<number> {
  const job = await jobOf(context, flags.provider);
  refuseUnsafeEvent(job, { flags, command: 'drift' });
  await refuseSimulator(context, flags);
  const { plan, declared } = await driftOf(context, {
    target: [],
    exclude: [],
    html: undefined,
    expand: false,
  });
  const draw = (limit: number) => renderDriftIssue(plan, { zones: zonesOf(declared), limit });
  await writeJobSummary(context, draw);
  const provider = await providerOf(context, job);
  if (provider === null) context.output.say(shown`No issue: this is neither a job of GitHub nor of GitLab.`);
  else {
    const found: DriftFound = {
      folder: context.repositoryFiles()?.folder ?? '',
      job,
      at: new Date(context.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z'),
      differs: driftExit(plan) !== EXIT.done,
      draw,
    };
    sayReported(context, await reportDrift(provider, found));
  }
  return flags.detailedExitcode ? driftExit(plan) : EXIT.done;
}

const DID = {
  opened: 'Opened',
  edited: 'Edited',
  reopened: 'Opened again',
  closed: 'Closed, because nothing differs any more',
} as const satisfies Record<Exclude<ReportedDrift['did'], 'nothing'>, string>;

function sayReported({ output }: Context, { did, issue }: ReportedDrift): void {
  if (did === 'nothing') output.say(shown`The issue stays as it is.`);
  else output.say(shown`${DID[did]}: ${visibleProse(issue?.url ?? '')}`);
}
