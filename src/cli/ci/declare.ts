import { Option, type Command } from 'commander';
import { INIT_PROVIDERS, type InitProvider } from '../../ci/init/provider-of.ts';
import { group, sub, type Act } from '../sub.ts';

/** Declares `herald ci`. */
export function declareCi(program: Command, act: Act): void {
  const ci = group(program, 'ci', 'plan pull requests, apply what was reviewed, and watch for drift, in CI');
  sub(ci, 'init', 'write the jobs for the CI of this repository; running it again updates them', [
    'herald ci init',
    'herald -C ads/eu ci init --provider gitlab',
  ])
    .addOption(
      new Option('--provider <name>', 'where the jobs run (default: found from the repository)').choices(
        INIT_PROVIDERS,
      ),
    )
    .option('--branch <name>', 'the branch that is applied (default: the one that a clone starts with)')
    .action((flags: { readonly provider?: InitProvider; readonly branch?: string }, command: Command) =>
      act(command, async (context) =>
        (await import('./init.ts')).ciInitCommand(context, {
          provider: flags.provider,
          branch: flags.branch,
        }),
      ),
    );
}
