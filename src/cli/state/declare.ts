import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { group, lockTimeout, sub, type Act } from '../sub.ts';

interface CloseFlags {
  readonly because: string;
  readonly yes?: boolean;
}

/** Declares `herald state`. */
export function declareState(program: Command, act: Act): void {
  const state = group(program, 'state', 'the record of what Herald did and knows');
  declareLooks(state, act);
  declareDecisions(state, act);
  sub(state, 'prune', 'delete requests that ended long ago; what is known of objects stays', [
    'herald state prune --before 180d',
    'herald state prune --before 2026-01-01 --format json',
  ])
    .requiredOption('--before <time>', 'a date, a time, or an age such as 180d; at least a week ago')
    .addOption(lockTimeout())
    .action((flags: { readonly before: string }, command: Command) =>
      act(command, async (context) => (await import('./prune.ts')).statePruneCommand(context, flags.before)),
    );
  declareMoves(state, act);
}

function declareLooks(state: Command, act: Act): void {
  sub(state, 'show', 'show where the state is, who has the lease, and what is unconfirmed', [
    'herald state show',
    'herald state show --format json',
  ]).action((_flags: unknown, command: Command) =>
    act(command, async (context) => (await import('./show.ts')).stateShowCommand(context)),
  );
  sub(
    state,
    'check',
    'check the state for damage and old unconfirmed requests; exit 1 if a person must act',
    ['herald state check', 'herald state check --format json'],
  ).action((_flags: unknown, command: Command) =>
    act(command, async (context) => (await import('./check.ts')).stateCheckCommand(context)),
  );
}

function declareDecisions(state: Command, act: Act): void {
  sub(state, 'close <ENTRY>', 'close an unconfirmed request when you know what happened to it', [
    'herald state close 20260601T120000000Z-1a2b3c4d-2 --because "recalled, seen in the service"',
    'herald state close 20260601T120000000Z-1a2b3c4d-2 --because "the fan did not get it" --yes',
  ])
    .requiredOption('--because <text>', 'what you found, and where')
    .option('--yes', 'do not ask')
    .addOption(lockTimeout())
    .addHelpText(
      'after',
      '\nENTRY is shown by herald state show. Herald waits until the request can no longer take effect, and then asks.',
    )
    .action((entry: string, { because, yes }: CloseFlags, command: Command) =>
      act(command, async (context: Context) =>
        (await import('./close.ts')).stateCloseCommand(context, entry, { because, yes: yes === true }),
      ),
    );
}

function declareMoves(state: Command, act: Act): void {
  sub(state, 'export <FILE>', 'write the state to a new file', ['herald state export state.ndjson']).action(
    (file: string, _flags: unknown, command: Command) =>
      act(command, async (context) => (await import('./exchange.ts')).stateExportCommand(context, file)),
  );
  sub(state, 'import <FILE>', 'read an exported file into an empty state: all of it, or nothing', [
    'herald state import state.ndjson',
  ])
    .addOption(lockTimeout())
    .action((file: string, _flags: unknown, command: Command) =>
      act(command, async (context) => (await import('./exchange.ts')).stateImportCommand(context, file)),
    );
  sub(
    state,
    'init',
    'set up the database that herald.yaml names; running it again changes nothing',
    ['HERALD_STATE_URL=postgres://herald@db.example/herald herald state init'],
    { formats: null },
  ).action((_flags: unknown, command: Command) =>
    act(command, async (context) => (await import('./init.ts')).stateInitCommand(context)),
  );
  sub(state, 'unlock', 'end the lease of a run that is gone', [
    'herald state unlock',
    'herald state unlock --yes',
  ])
    .option('--yes', 'do not ask')
    .action((flags: { readonly yes?: boolean }, command: Command) =>
      act(command, async (context) =>
        (await import('./unlock.ts')).stateUnlockCommand(context, { yes: flags.yes === true }),
      ),
    );
}
