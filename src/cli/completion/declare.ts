import { Argument, Option, type Command } from 'commander';
import { sub, type Act } from '../sub.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** The completion of every other command, made from their declarations when it is asked for. */
export function declareCompletion(program: Command, act: Act): void {
  sub(program, 'completion', 'print a script that completes commands, options and account names', [
    'source <(herald completion bash)',
    'source <(herald completion zsh)',
    'herald completion fish | source',
  ])
    .addArgument(new Argument('[SHELL]', 'whose').choices(SHELLS))
    .addOption(
      new Option('--accounts', 'print what stands behind --account; the scripts ask for it').hideHelp(),
    )
    .action((shell: (typeof SHELLS)[number] | undefined, flags: { accounts?: boolean }, command: Command) =>
      act(command, async (context) => {
        // A Tab waits for the names: they are printed without the scripts being loaded.
        if (flags.accounts === true) return (await import('./accounts.ts')).completeAccounts(context);
        return (await import('./command.ts')).completionCommand(context, shell, program);
      }),
    );
}
