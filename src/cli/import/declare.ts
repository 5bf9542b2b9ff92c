import type { Command } from 'commander';
import { type Act, collect, lockTimeout, sub } from '../sub.ts';

interface Flags {
  readonly account: string[];
  readonly out: string;
  readonly update?: boolean;
}

/** Declares `herald import`. */
export function declareImport(program: Command, act: Act): void {
  sub(program, 'import', 'write files for what is live; sends only reads', [
    'herald import',
    'herald import --account alice --out campaigns/alice',
    'herald import --update',
  ])
    .option('--account <name>', 'alias or group (repeatable; default: all accounts)', collect, [])
    .option('--out <dir>', 'directory for new files', 'campaigns/imported')
    .option('--update', 'also update existing files from live; keeps comments and order')
    .addOption(lockTimeout())
    .action((flags: Flags, command: Command) =>
      act(command, async (context) =>
        (await import('./command.ts')).importCommand(context, {
          accounts: flags.account,
          out: flags.out,
          update: flags.update === true,
        }),
      ),
    );
}
