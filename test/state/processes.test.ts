import { describe, expect, it, vi } from 'vitest';
import { State } from '../../src/state/state.ts';
import { sharedPostgres } from '../helpers/shared-postgres.ts';
import { stateProcesses } from '../helpers/state-process.ts';
import { aRun, CREATE, FROM_START } from '../helpers/state-requests.ts';
import { anotherState, kept, stateLocations } from '../helpers/states.ts';

const LOCATIONS = stateLocations(sharedPostgres());
const start = stateProcesses();

/** Statements of a create and its end, at the least. */
const STATEMENTS_MIN = 12;
const MANY_PROCESSES_MS = 150_000;

describe.each(Object.entries(LOCATIONS))('processes on a state in %s', (kind, make) => {
  it(
    'killed before any statement, it has what was sent, and nothing half',
    { timeout: MANY_PROCESSES_MS },
    async () => {
      const place = await make();
      let statement = 1;
      for (; ; statement += 1) {
        const location = await anotherState(place, statement);
        const script = { location, run: 'killed', does: 'requests', count: 1, killAt: statement } as const;
        const { signal, stdout } = await start(script).ran;
        const state = await kept(State.join(aRun(location)));
        const recorded = await state.history({ limit: 10 });
        const sent = stdout.split('\n').filter((name) => name !== '');
        expect(recorded.map(({ name }) => name)).toEqual(expect.arrayContaining(sent));
        const done = recorded.filter(({ outcome }) => outcome === 'done').map(({ name }) => name);
        const { objects } = await state.known(['101']);
        expect(objects.map(({ name }) => name).toSorted()).toEqual(done.toSorted());
        expect(objects.every(({ status_set }) => status_set === 'active')).toBe(true);
        expect(await state.check()).toMatchObject({ damage: [] });
        if (signal === null) break;
      }
      expect(statement).toBeGreaterThan(STATEMENTS_MIN);
    },
  );

  it('waits for the run that has the lease, names it, and has it at once or at the end of the lease after a kill', async () => {
    const location = await make();
    const first = start({ location, run: 'first', does: 'hold' });
    await first.says('held');
    const waitsFor: string[] = [];
    const waiting = kept(State.take(aRun(location), 20_000, (holder) => waitsFor.push(holder)));
    await vi.waitUntil(() => waitsFor.length > 0, 20_000);
    first.kill('SIGKILL');
    const second = await waiting;
    expect(waitsFor).toEqual(['process first']);
    expect(await second.begin(CREATE, FROM_START)).toMatchObject({ kind: 'begun' });
  });

  it(
    kind === 'sqlite'
      ? 'keeps the lease of a stopped process'
      : 'ends the lease of a stopped process, which can begin nothing more',
    async () => {
      const location = await make();
      const stopped = start({ location, run: 'stopped', does: 'hold' });
      await stopped.says('held');
      stopped.kill('SIGSTOP');
      const other = State.take(aRun(location), 5_000);
      if (kind === 'sqlite') await expect(other).rejects.toThrow('process stopped');
      else await kept(other);
      stopped.kill('SIGCONT');
      stopped.kill('SIGUSR2');
      const { stdout } = await stopped.ran;
      expect(JSON.parse(stdout)).toMatchObject(
        kind === 'sqlite' ? { kind: 'begun' } : { kind: 'refused', hindrance: { kind: 'lease-lost' } },
      );
    },
  );
});

it('a process that cannot take the lease of a file leaves the lock of the run in the same process alone', async () => {
  const location = await LOCATIONS.sqlite();
  await kept(State.take(aRun(location), 0));
  await expect(State.take(aRun(location), 0)).rejects.toThrow('Another herald run is active');
  await kept(State.join(aRun(location)));
  const { stderr } = await start({ location, run: 'other', does: 'hold' }).ran;
  expect(stderr).toContain('Another herald run is active');
});
