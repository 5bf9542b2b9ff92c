import { Argument, Option, type Command } from 'commander';
import { sub, type Act } from '../sub.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** The completion script, generated from the declarations of all commands. */
export function declareCompletion(program: Command, act: Act): void {
  sub(
    program,
    'completion',
    'print a script that completes commands, options and account names',
    [
      'source <(herald completion bash)',
      'source <(herald completion zsh)',
      'herald completion fish | source',
    ],
    { formats: ['text'] },
  )
    .addArgument(new Argument('[SHELL]', 'the shell to complete in').choices(SHELLS))
    .addOption(new Option('--accounts', 'print the values for --account, for the scripts').hideHelp())
    .action((shell: (typeof SHELLS)[number] | undefined, flags: { accounts?: boolean }, command: Command) =>
      act(command, async (context) => {
        // Do not load the scripts for this: the user waits after a Tab.
        if (flags.accounts === true) return (await import('./accounts.ts')).completeAccounts(context);
        return (await import('./command.ts')).completionCommand(context, shell, program);
      }),
    );
}
