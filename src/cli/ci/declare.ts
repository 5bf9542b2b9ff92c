import { Option, type Command } from 'commander';
import { PROVIDER_NAMES, type ProviderName } from '../../provider/job.ts';
import { PLAN_FORMATS } from '../formats.ts';
import { ALLOW_HELP } from '../resources/declare.ts';
import { collect, group, lockTimeout, sub, wholeNumber, type Act } from '../sub.ts';
import { declareCiPlan } from './declare-plan.ts';
import type { CiDriftFlags } from './drift.ts';
import { JOB_OPTIONS, type JobFlags } from './job-flags.ts';

/** Declares `herald ci`. */
export function declareCi(program: Command, act: Act): void {
  const ci = group(program, 'ci', 'plan pull requests, apply what was reviewed, and watch for drift, in CI');
  sub(ci, 'init', 'write the jobs for the CI of this repository; running it again updates them', [
    'herald ci init',
    'herald -C ads/eu ci init --provider gitlab',
  ])
    .addOption(
      new Option('--provider <name>', 'where the jobs run (default: found from the repository)').choices(
        PROVIDER_NAMES,
      ),
    )
    .option('--branch <name>', 'the branch that is applied (default: the one that a clone starts with)')
    .action((flags: { readonly provider?: ProviderName; readonly branch?: string }, command: Command) =>
      act(command, async (context) =>
        (await import('./init.ts')).ciInitCommand(context, {
          provider: flags.provider,
          branch: flags.branch,
        }),
      ),
    );
  declareCiPlan(ci, act);
  declareApply(ci, act);
  declareStatus(ci, act);
  declareDrift(ci, act);
}

function declareStatus(ci: Command, act: Act): void {
  sub(ci, 'status', 'show whether the plan of a pull request is valid', [
    'herald ci status',
    'herald ci status --pull-request 7 --format json',
  ])
    .addOption(
      new Option(
        '--provider <name>',
        'where the pull request is (default: found from the environment)',
      ).choices(PROVIDER_NAMES),
    )
    .option(
      '--pull-request <number>',
      'the pull request (default: that of the job, or of the commit)',
      wholeNumber(1, Number.MAX_SAFE_INTEGER),
    )
    .action((flags: { readonly provider?: ProviderName; readonly pullRequest?: number }, command: Command) =>
      act(command, async (context) =>
        (await import('./status.ts')).ciStatusCommand(context, {
          provider: flags.provider,
          pullRequest: flags.pullRequest,
        }),
      ),
    );
}

function declareDrift(ci: Command, act: Act): void {
  sub(
    ci,
    'drift',
    'show drift, and keep one issue about it: open, edit, close',
    ['herald ci drift', 'herald ci drift --detailed-exitcode'],
    { formats: PLAN_FORMATS },
  )
    .addOption(providerOption())
    .addOption(JOB_OPTIONS.unsafeEvent())
    .addOption(JOB_OPTIONS.simulator())
    .option('--detailed-exitcode', 'exit 2 if something differs', false)
    .action((flags: CiDriftFlags, command: Command) =>
      act(command, async (context) => (await import('./drift.ts')).ciDriftCommand(context, flags)),
    );
}

function providerOption(): Option {
  const help = 'where the job runs (default: found from its variables)';
  return new Option('--provider <name>', help).choices(PROVIDER_NAMES);
}
interface ApplyOptions extends JobFlags {
  readonly provider?: ProviderName;
  readonly branch?: string;
  readonly plan?: string;
  readonly allowUnreviewed?: boolean;
  readonly allow: string[];
}

function declareApply(ci: Command, act: Act): void {
  sub(ci, 'apply', 'apply what was reviewed in the merged pull request, and report the outcome there', [
    'herald ci apply',
    'herald ci apply --plan herald-plan.json',
  ])
    .addOption(
      new Option('--provider <name>', 'where the job runs (default: found from the environment)').choices(
        PROVIDER_NAMES,
      ),
    )
    .option(
      '--branch <name>',
      'the branch that is applied: its tip decides (default: that of the job, or the one that is checked out)',
    )
    .option('--plan <file>', 'the reviewed plan, in place of the one that the pull request names')
    .option('--allow-unreviewed', 'apply everything if nothing was reviewed, as after a direct push')
    .option('--allow <name>', ALLOW_HELP, collect, [])
    .addOption(lockTimeout('wait this long for another run to finish (default: 10m)'))
    .addOption(JOB_OPTIONS.unsafeEvent())
    .addOption(JOB_OPTIONS.simulator())
    .action(({ plan, branch, provider, allowUnreviewed = false, ...flags }: ApplyOptions, command: Command) =>
      act(command, async (context) =>
        (await import('./apply.ts')).ciApplyCommand(context, {
          ...flags,
          provider,
          branch,
          plan,
          allowUnreviewed,
        }),
      ),
    );
}
