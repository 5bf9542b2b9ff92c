import type { Command } from 'commander';
import { collect, sub, type Act } from '../sub.ts';

interface Flags {
  readonly account: string[];
  readonly out: string;
  readonly update?: boolean;
}

/** The command that turns live state into files. */
export function declareImport(program: Command, act: Act): void {
  sub(program, 'import', 'write files that say what is live; sends only reads', [
    'herald import',
    'herald import --account alice --out campaigns/alice',
    'herald import --update',
  ])
    .option(
      '--account <name>',
      'alias or group; all accounts of the workspace unless said (repeatable)',
      collect,
      [],
    )
    .option('--out <dir>', 'where new files go', 'campaigns/imported')
    .option('--update', 'also refresh existing files from what is live, keeping comments and order')
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
