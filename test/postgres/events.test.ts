import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/host/clock.ts';
import { postgresState } from '../../src/postgres/state.ts';
import { addAll, anEvent, eventsIn } from '../helpers/event-builders.ts';
import { describeEventStore } from '../helpers/event-store-contract.ts';
import { startPostgres, type PostgresServer } from '../helpers/postgres.ts';

const SERVER_TIMEOUT_MS = 60_000;
let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
}, SERVER_TIMEOUT_MS);
afterAll(() => server.stop(), SERVER_TIMEOUT_MS);

async function inPostgres() {
  const url = await server.newDatabase();
  const open = () =>
    postgresState({ url, workspace: 'w', clock: systemClock, holder: 'test', leaseSec: 60, retrySec: 5 });
  const [one, two] = [open(), open()];
  await one.init();
  const end = async () => {
    await one.close();
    await two.close();
  };
  return { store: one.events, other: two.events, end };
}

describeEventStore('events in PostgreSQL', inPostgres);

it('two receivers store each event once, and a reader misses none of them', async () => {
  const { store, other, end } = await inPostgres();
  const [one, two] = [await store.openToAdd(), await other.openToAdd()];
  const batches = Array.from({ length: 20 }, (_, batch) =>
    Array.from({ length: 10 }, (__, number) => anEvent({ event_id: `${batch * 5 + number}` })),
  );
  const read: string[] = [];
  let position = '';
  for (const batch of batches) {
    await Promise.all([one.add(batch), two.add(batch.toReversed())]);
    ({ position } = await store.read(position, ({ key }) => void read.push(key)));
  }
  expect(read.length).toBe(new Set(read).size);
  expect(new Set(read)).toEqual(new Set((await eventsIn(other)).map(({ key }) => key)));
  expect(read.length).toBe(105);
  await end();
});

it('another workspace has events of its own', async () => {
  const url = await server.newDatabase();
  const open = (workspace: string) =>
    postgresState({ url, workspace, clock: systemClock, holder: 'test', leaseSec: 60, retrySec: 5 });
  const [one, two] = [open('a'), open('b')];
  await one.init();
  await two.init();
  await addAll(one.events, anEvent({ id: 'a' }));
  expect(await eventsIn(two.events)).toEqual([]);
  await one.close();
  await two.close();
});
