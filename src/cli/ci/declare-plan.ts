import { Option, type Command } from 'commander';
import { CI_SCOPES, type CiScope } from '../../domain/workspace.ts';
import { PROVIDER_NAMES, type ProviderName } from '../../provider/job.ts';
import { PLAN_FORMATS } from '../formats.ts';
import { ALLOW_HELP } from '../resources/declare.ts';
import { collect, sub, type Act } from '../sub.ts';
import { JOB_OPTIONS, type JobFlags } from './job-flags.ts';

interface CiPlanOptions extends JobFlags {
  readonly provider?: ProviderName;
  readonly outDir: string;
  readonly scope?: CiScope;
  readonly base?: string;
  readonly allow: string[];
  readonly detailedExitcode?: boolean;
}

/** Declares `herald ci plan`. */
export function declareCiPlan(ci: Command, act: Act): void {
  sub(
    ci,
    'plan',
    'plan a pull request, and show the result in its comment and as a status',
    ['herald ci plan --out-dir herald-out', 'herald ci plan --provider generic --scope changed --base main'],
    { formats: PLAN_FORMATS },
  )
    .addOption(
      new Option('--provider <name>', 'where the job runs (default: found from the environment)').choices(
        PROVIDER_NAMES,
      ),
    )
    .option('--out-dir <dir>', 'write the plan as JSON, Markdown and a page into this folder', 'herald-out')
    .addOption(
      new Option(
        '--scope <which>',
        'plan all resources, or only those that the pull request changes (default: ci.scope of herald.yaml)',
      ).choices(CI_SCOPES),
    )
    .option('--base <commit>', 'commit or branch to compare with (default: that of the pull request)')
    .option('--allow <name>', ALLOW_HELP, collect, [])
    .addOption(JOB_OPTIONS.unsafeEvent())
    .addOption(JOB_OPTIONS.simulator())
    .option('--detailed-exitcode', 'exit 2 if there are changes')
    .action((flags: CiPlanOptions, command: Command) =>
      act(command, async (context) =>
        (await import('./plan.ts')).ciPlanCommand(context, {
          provider: flags.provider,
          outDir: flags.outDir,
          scope: flags.scope,
          base: flags.base,
          allow: flags.allow,
          allowUnsafeEvent: flags.allowUnsafeEvent,
          simulator: flags.simulator,
          detailedExitcode: flags.detailedExitcode === true,
        }),
      ),
    );
}
