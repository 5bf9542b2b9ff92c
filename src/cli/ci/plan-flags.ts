import type { CiScope } from '../../domain/workspace.ts';
import type { ProviderName } from '../../provider/job.ts';
import type { JobFlags } from './job-flags.ts';

/** The flags of `herald ci plan`. */
export interface CiPlanFlags extends JobFlags {
  readonly provider: ProviderName | undefined;
  readonly outDir: string;
  /** Undefined takes that of `herald.yaml`, or what fits the event. */
  readonly scope: CiScope | undefined;
  /** Commit or branch to compare with, in place of that of the pull request. */
  readonly base: string | undefined;
  readonly allow: readonly string[];
  readonly detailedExitcode: boolean;
}
