import type { EventStore } from '../../domain/event-store.ts';
import type { SharedState } from '../../domain/ledger-store.ts';
import { readSecret } from '../../domain/secret.ts';
import { StateError } from '../../domain/state-error.ts';
import { configuredState, databaseState, type ConfiguredState } from '../../library/configured-state.ts';
import { databaseSettings } from '../../workspace/state.ts';
import type { Context } from '../context.ts';
import { CommandError } from '../failure.ts';
import { statePorts } from '../with-configured-state.ts';

/** A state as the commands about it need it: also one that other commands must not use. */
interface OpenedState {
  readonly state: SharedState;
  readonly events: EventStore;
  /** Null for files. */
  readonly postgres: ConfiguredState['postgres'];
}

/** Opens the state that `herald.yaml` names, whatever stands in the way of its use. */
export async function openState<Result>(
  context: Context,
  work: (opened: OpenedState) => Promise<Result>,
): Promise<Result> {
  const opened = await configuredState(statePorts(context));
  const { state, events, postgres } = opened;
  try {
    return await work({ state: postgres ?? state, events, postgres });
  } finally {
    await opened.close();
  }
}

/** `.herald`, or `HERALD_STATE_URL/agency-eu`: the variable that has the address, and the workspace in the database. */
const DATABASE_PLACE = /^(HERALD_\w+)\/(.*\S.*)$/;

/** Opens the state at a place of the command line. */
export async function openPlace(
  context: Context,
  place: string,
): Promise<OpenedState & Pick<ConfiguredState, 'close'>> {
  if (place === context.fileState.ledger.transfer.place.as)
    return {
      state: context.fileState,
      events: context.fileEvents,
      postgres: null,
      close: () => Promise.resolve(),
    };
  const [, variable, workspace] = DATABASE_PLACE.exec(place) ?? [];
  if (variable === undefined || workspace === undefined)
    throw new CommandError(
      'bad-flag',
      `"${place}" is not a place of a ledger.`,
      'Write .herald for the files, or VARIABLE/WORKSPACE for a database, such as HERALD_STATE_URL/agency-eu.',
    );
  if (readSecret(context.env, variable) === null)
    throw new StateError(
      'state-url',
      `${variable} is not set.`,
      `Set ${variable} to postgres://USER:PASSWORD@HOST/DATABASE.`,
    );
  const postgres = await databaseState(statePorts(context), databaseSettings(variable, workspace));
  return { state: postgres, events: postgres.events, postgres, close: () => postgres.close() };
}
