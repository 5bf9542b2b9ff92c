import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/host/clock.ts';
import type { NewRequest, StartCheck } from '../../src/state/shapes.ts';
import { State, type StateLocation, type StateOptions } from '../../src/state/state.ts';
import type { SharedPostgres } from './shared-postgres.ts';
import { FROM_START } from './state-requests.ts';

/** A folder for a state, which goes with its test. */
export function stateFolder(): string {
  const directory = mkdtempSync(join(tmpdir(), 'herald-state-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A new, empty state in each kind of database, for one test. */
export function stateLocations(server: SharedPostgres) {
  return {
    sqlite: () => Promise.resolve({ kind: 'sqlite', directory: stateFolder() } as const),
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
  if (location.kind !== 'postgres') return { kind: 'sqlite', directory: stateFolder() };
  const other = { ...location, workspace: `killed-${index}` };
  await State.setUp({ location: other, clock: systemClock });
  return other;
}

let runs = 0;

/** A run of its own. Its holder is `ana, run-N`. */
export function aRun(location: StateLocation, more: Partial<StateOptions> = {}): StateOptions {
  runs += 1;
  const run = `run-${runs}`;
  return {
    location,
    clock: systemClock,
    run,
    who: 'ana',
    holder: `ana, ${run}`,
    service: () => 'live',
    ...more,
  };
}

/** Opens a state for the time of its test. */
export async function kept(opening: Promise<State>): Promise<State> {
  const state = await opening;
  onTestFinished(() => state.close().catch(() => undefined));
  return state;
}

/** Records a request that nothing forbids. */
export async function begun(state: State, request: NewRequest, check: StartCheck | null = FROM_START) {
  const answer = await state.begin(request, check);
  if (answer.kind !== 'begun') throw new Error(`refused: ${answer.hindrance.kind}`);
  return answer;
}
