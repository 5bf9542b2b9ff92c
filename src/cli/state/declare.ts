import type { Command } from 'commander';
import { group, sub, type Act } from '../sub.ts';

/** Declares `herald state`: init and show. */
export function declareState(program: Command, act: Act): void {
  const state = group(program, 'state', 'where the ledger and the lease are kept');
  sub(
    state,
    'init',
    'set up the state database that herald.yaml names; running it again changes nothing',
    ['HERALD_STATE_URL=postgres://herald@db.example/herald herald state init'],
    { formats: null },
  ).action((_flags: unknown, command: Command) =>
    act(command, async (context) => (await import('./init.ts')).stateInitCommand(context)),
  );
  sub(state, 'show', 'show where the state is, how large it is, and who has the lease', [
    'herald state show',
    'herald state show --format json',
  ]).action((_flags: unknown, command: Command) =>
    act(command, async (context) => (await import('./show.ts')).stateShowCommand(context)),
  );
}
