import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/host/clock.ts';
import { State, type StateLocation } from '../../src/state/state.ts';
import type { SharedPostgres } from './shared-postgres.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A new, empty state in each kind of database, for one test. */
export function stateLocations(server: SharedPostgres) {
  return {
    sqlite: () => Promise.resolve({ kind: 'sqlite', directory: temporaryFolder() } as const),
    postgres: async () => {
      const url = await server.newDatabase();
      const location = { kind: 'postgres', url, workspace: 'agency-eu', leaseSec: 3, retrySec: 5 } as const;
      await State.setUp({ location, clock: systemClock });
      return location;
    },
  } satisfies Record<string, () => Promise<StateLocation>>;
}

/** One more empty state, without the time that a database takes. */
export async function anotherState(location: StateLocation, index: number): Promise<StateLocation> {
  if (location.kind !== 'postgres') return { kind: 'sqlite', directory: temporaryFolder() };
  const other = { ...location, workspace: `killed-${index}` };
  await State.setUp({ location: other, clock: systemClock });
  return other;
}

/** Opens a state for the time of its test. */
export async function kept(opening: Promise<State>): Promise<State> {
  const state = await opening;
  onTestFinished(() => state.close().catch(() => undefined));
  return state;
}
