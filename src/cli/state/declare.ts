import type { Command } from 'commander';
import { group, lockTimeout, sub, type Act } from '../sub.ts';

/** Declares `herald state`. */
export function declareState(program: Command, act: Act): void {
  const state = group(program, 'state', 'where the ledger and the lease are kept');
  sub(
    state,
    'init',
    'set up the state database that herald.yaml names; running it again changes nothing',
    ['HERALD_STATE_URL=postgres://herald@db.example/herald herald state init'],
    { formats: null },
  )
    .option('--adopt-state', 'take over the workspace of another repository, which is refused from then on')
    .action((flags: { readonly adoptState?: boolean }, command: Command) =>
      act(command, async (context) =>
        (await import('./init.ts')).stateInitCommand(context, { adoptState: flags.adoptState === true }),
      ),
    );
  sub(state, 'show', 'show where the state is, how large it is, who has the lease, and who wrote last', [
    'herald state show',
    'herald state show --format json',
  ]).action((_flags: unknown, command: Command) =>
    act(command, async (context) => (await import('./show.ts')).stateShowCommand(context)),
  );
  sub(state, 'check', 'check that the ledger can be read and written from here; exit 1 if it needs repair', [
    'herald state check',
  ]).action((_flags: unknown, command: Command) =>
    act(command, async (context) => (await import('./check.ts')).stateCheckCommand(context)),
  );
  sub(state, 'pull <FILE>', 'write a copy of the ledger to a new file', [
    'herald state pull backup.ndjson',
  ]).action((file: string, _flags: unknown, command: Command) =>
    act(command, async (context) => (await import('./pull.ts')).statePullCommand(context, file)),
  );
  sub(state, 'push <FILE>', 'add the lines of a rescue file, a backup or another ledger that are missing', [
    'herald state push rescue.ndjson',
  ])
    .addOption(lockTimeout())
    .action((file: string, _flags: unknown, command: Command) =>
      act(command, async (context) => (await import('./push.ts')).statePushCommand(context, file)),
    );
  declareMigrate(state, act);
  sub(state, 'unlock', 'end the lease of a run that is gone', [
    'herald state unlock',
    'herald state unlock --force --yes',
  ])
    .option('--force', 'also end a lease that may still be in use')
    .option('--yes', 'do not ask')
    .action((flags: UnlockFlags, command: Command) =>
      act(command, async (context) =>
        (await import('./unlock.ts')).stateUnlockCommand(context, {
          force: flags.force === true,
          yes: flags.yes === true,
        }),
      ),
    );
}

interface UnlockFlags {
  readonly force?: boolean;
  readonly yes?: boolean;
}

function declareMigrate(state: Command, act: Act): void {
  sub(state, 'migrate <FROM> <TO>', 'move the ledger to another place, and mark the old one', [
    'herald state migrate .herald HERALD_STATE_URL/agency-eu',
    'herald state migrate HERALD_STATE_URL/agency-eu .herald',
  ])
    .option('--force', 'copy the lines of a place that was moved to a third one')
    .addHelpText(
      'after',
      '\nA place is .herald for the files, or VARIABLE/WORKSPACE for a database: the variable with its address, and the name of the workspace there.',
    )
    .action((from: string, to: string, flags: { readonly force?: boolean }, command: Command) =>
      act(command, async (context) =>
        (await import('./migrate.ts')).stateMigrateCommand(context, {
          from,
          to,
          force: flags.force === true,
        }),
      ),
    );
}
