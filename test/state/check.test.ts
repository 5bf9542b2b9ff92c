import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/host/clock.ts';
import { State } from '../../src/state/state.ts';
import { sharedPostgres } from '../helpers/shared-postgres.ts';
import { aRun, begun, CREATE } from '../helpers/state-requests.ts';
import { kept, stateLocations } from '../helpers/states.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const LOCATIONS = stateLocations(sharedPostgres());
const DAY_MS = 86_400_000;

describe.each(Object.entries(LOCATIONS))('the check of a state in %s', (_, make) => {
  it('finds nothing but what is unconfirmed in a state of today', async () => {
    const state = await kept(State.take(aRun(await make()), 0));
    const { entry } = await begun(state, CREATE);
    expect(await state.check()).toEqual({
      damage: [],
      services: [{ service: 'live', rows: 1 }],
      unconfirmed: [expect.objectContaining({ entry, service: 'live' })],
      same_names: [],
    });
  });

  it('finds old unconfirmed requests, other services, and names that several objects run under', async () => {
    const location = await make();
    const clock = { ...systemClock, now: () => Date.now() - 2 * DAY_MS };
    const simulator = await kept(State.take(aRun(location, { clock, service: () => 'world-1' }), 0));
    const { entry } = await begun(simulator, CREATE);
    const state = await kept(State.join(aRun(location)));
    for (const live_id of ['1', '2', '3'])
      await state.learn([
        {
          kind: 'object',
          object: { account_id: '101', kind: 'campaign', live_id, name: 'Welcome', ours: 1 },
        },
      ]);
    const stopped = { account_id: '101', kind: 'campaign', live_id: '3', name: 'Welcome' } as const;
    await state.learn([
      { kind: 'status', object: stopped, status: 'paused', by: 'hand', why: null, seq: null },
    ]);
    expect(await state.check()).toMatchObject({
      services: [
        { service: 'live', rows: 3 },
        { service: 'world-1', rows: 1 },
      ],
      unconfirmed: [{ entry, service: 'world-1', name: 'Welcome' }],
      same_names: [{ service: 'live', account_id: '101', kind: 'campaign', name: 'Welcome', objects: 2 }],
    });
  });
});

it('the check of a file finds damage', async () => {
  const directory = temporaryFolder();
  const path = join(directory, '.herald/state.db');
  const state = await State.take(aRun({ kind: 'sqlite', directory }), 0);
  for (let index = 0; index < 60; index += 1)
    await begun(state, { ...CREATE, name: `Name ${index}`, content: `${index}`, asked: 'x'.repeat(500) });
  await state.close();
  const connection = new DatabaseSync(path);
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  connection.close();
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0x41, bytes.length - 30_000));
  const damaged = await kept(State.openToRead(aRun({ kind: 'sqlite', directory })));
  expect((await damaged.check()).damage.length).toBeGreaterThan(0);
});
