import pg from 'pg';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/host/clock.ts';
import { postgresState } from '../../src/postgres/state.ts';
import { addAll, anEvent, eventsIn } from '../helpers/event-builders.ts';
import { describeEventStore } from '../helpers/event-store-contract.ts';
import { sharedPostgres } from '../helpers/shared-postgres.ts';

const server = sharedPostgres();

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

/** The search for known keys reads a page of each level of an index, and the rows go to four of them. */
const PAGES_MAX = 100;

it('a session that began with an empty store reads no more pages for a batch when there are many events', async () => {
  const url = server.direct(await server.newDatabase());
  const state = postgresState({
    url,
    workspace: 'w',
    clock: systemClock,
    holder: 'test',
    leaseSec: 60,
    retrySec: 5,
  });
  await state.init();
  await addAll(state.events, anEvent({ event_id: 'first' }));
  const session = new pg.Client({ connectionString: url });
  await session.connect();
  const batchOf = (from: number, length: number) =>
    Array.from({ length }, (_, index) => ({
      place: index + 1,
      key: `id:${from + index}`,
      received_at: '2026-06-01T12:00:00Z',
      kind: 'fans.tip.received',
      is_timed: false,
      event: '{}',
    }));
  const add = 'herald.add_events((SELECT id FROM herald.workspaces), $1, $2, 600000)';
  const send = (text: string, batch: readonly object[]) =>
    session.query<Record<string, unknown>>(text, [JSON.stringify(batch), batch.length]);
  for (let number = 0; number < 10; number += 1) await send(`SELECT ${add}`, batchOf(number, 1));
  for (let from = 10; from < 20_000; from += 1_000) await send(`SELECT ${add}`, batchOf(from, 1_000));
  const explained = await send(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT ${add}`, batchOf(50_000, 2));
  const pages = [...JSON.stringify(explained.rows).matchAll(/"Shared (?:Hit|Read) Blocks":(\d+)/g)];
  // Those of the whole statement come first.
  expect(pages.slice(0, 2).reduce((sum, [, count]) => sum + Number(count), 0)).toBeLessThan(PAGES_MAX);
  expect(pages.length).toBeGreaterThan(1);
  await session.end();
  await state.close();
});
