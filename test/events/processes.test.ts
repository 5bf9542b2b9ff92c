import { describe, expect, it } from 'vitest';
import { addAll, anEvent, eventsIn, eventStoreAt } from '../helpers/event-builders.ts';
import { sharedPostgres } from '../helpers/shared-postgres.ts';
import { stateProcesses } from '../helpers/state-process.ts';
import { anotherState, stateLocations } from '../helpers/states.ts';

const LOCATIONS = stateLocations(sharedPostgres());
const start = stateProcesses();

/** Statements of two events, at the least. */
const STATEMENTS_MIN = 8;
const MANY = 10_000;
const MANY_MS = 120_000;

const lines = (text: string) => text.split('\n').filter((line) => line !== '');

describe.each(Object.entries(LOCATIONS))('processes that add events in %s', (_kind, make) => {
  it('killed before any statement, one leaves all that it acknowledged', { timeout: MANY_MS }, async () => {
    const place = await make();
    let statement = 1;
    for (; ; statement += 1) {
      const location = await anotherState(place, statement);
      const script = { location, run: 'killed', does: 'events', count: 2, killAt: statement } as const;
      const { signal, stdout } = await start(script).ran;
      const store = eventStoreAt(location);
      const ids = (await eventsIn(store)).map(({ id }) => id);
      expect(ids).toEqual(expect.arrayContaining(lines(stdout)));
      expect(await addAll(store, anEvent({ event_id: 'after' }))).toEqual([true]);
      if (signal === null) break;
    }
    expect(statement).toBeGreaterThan(STATEMENTS_MIN);
  });

  it('at the same time keep each event once', { timeout: MANY_MS }, async () => {
    const location = await make();
    const runs = ['a', 'b', 'c'].map((run) => start({ location, run, does: 'events', count: 100 }));
    for (const { stderr } of await Promise.all(runs.map(({ ran }) => ran))) expect(stderr).toBe('');
    const seen = (await eventsIn(eventStoreAt(location))).map(({ id }) => id);
    expect(seen).toHaveLength(400);
    expect(new Set(seen).size).toBe(400);
  });
});

it('a full disk refuses events by name, and keeps what was stored', async () => {
  const location = await LOCATIONS.sqlite();
  const script = { location, run: 'full', does: 'events', count: 1_000, pagesMax: 60 } as const;
  const { stdout, stderr } = await start(script).ran;
  expect(JSON.parse(stderr)).toMatchObject({
    message: expect.stringContaining('events.db cannot be used: the disk is full'),
  });
  const ids = (await eventsIn(eventStoreAt(location))).map(({ id }) => id);
  expect(lines(stdout).length).toBeGreaterThan(10);
  expect(ids).toEqual(expect.arrayContaining(lines(stdout)));
});

it(`${MANY} events are read with flat memory, and few of them quickly`, { timeout: MANY_MS }, async () => {
  const location = await LOCATIONS.sqlite();
  const store = eventStoreAt(location);
  const body = 'x'.repeat(6_000);
  for (let from = 0; from < MANY; from += 5_000)
    await Promise.all(
      Array.from({ length: 5_000 }, (_unused, index) =>
        store.add(anEvent({ event: index === 0 ? 'rare.kind' : 'other.kind', event_id: from + index, body })),
      ),
    );
  const before = process.memoryUsage().rss;
  let [count, peak] = [0, 0];
  await eventStoreAt(location).read(() => {
    count += 1;
    if (count % 1_000 === 0) peak = Math.max(peak, process.memoryUsage().rss);
  });
  expect(count).toBe(MANY);
  // All of them have more than 65 MB.
  expect((peak - before) / 1e6).toBeLessThan(50);
  const rare: (string | null)[] = [];
  await store.read(({ id }) => void rare.push(id), { kind: 'rare.' });
  expect(rare).toHaveLength(MANY / 5_000);
});
