import { appendFileSync, mkdtempSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { EVENTS_BEGIN } from '../../src/domain/event-store.ts';
import { confinedTo } from '../../src/host/confined.ts';
import { fileEventStore } from '../../src/host/file-event-store.ts';
import { addAll, anEvent, eventsIn } from '../helpers/event-builders.ts';
import { describeEventStore } from '../helpers/event-store-contract.ts';
import { memoryEventStore } from '../helpers/memory-event-store.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const DAY_MS = 86_400_000;

function inFiles() {
  const directory = mkdtempSync(join(tmpdir(), 'herald-events-'));
  const clock = { ms: NOON, now: () => clock.ms };
  const store = () => fileEventStore(confinedTo(directory), clock);
  const end = () => rmSync(directory, { recursive: true, force: true });
  return { directory, clock, store: store(), other: store(), end };
}

describeEventStore('events in files', inFiles);
describeEventStore('events in memory', () => {
  const store = memoryEventStore();
  return { store, other: store, end: () => undefined };
});

it('a line that a crash cut off is not an event, and the next receiver does not add to it', async () => {
  const { directory, store, end } = inFiles();
  onTestFinished(end);
  await addAll(store, anEvent({ id: 'a' }));
  const [file = ''] = readdirSync(join(directory, '.herald/events'));
  appendFileSync(join(directory, '.herald/events', file), '{"key":"id:b","bo');
  await addAll(store, anEvent({ id: 'b' }));
  expect((await eventsIn(store)).map(({ id }) => id)).toEqual(['a', 'b']);
});

it('a damaged line is counted, and the others are given', async () => {
  const { directory, store, end } = inFiles();
  onTestFinished(end);
  await addAll(store, anEvent({ id: 'a' }));
  const [file = ''] = readdirSync(join(directory, '.herald/events'));
  appendFileSync(join(directory, '.herald/events', file), 'not an event\n');
  const ids: (string | null)[] = [];
  const { damaged } = await store.read(EVENTS_BEGIN, ({ id }) => void ids.push(id));
  expect([ids, damaged]).toEqual([['a'], 1]);
});

it('each day has a file of its own, so that old days can be removed', async () => {
  const { directory, clock, store, end } = inFiles();
  onTestFinished(end);
  const writer = await store.openToAdd();
  await writer.add([anEvent({ id: 'a' })]);
  clock.ms += DAY_MS;
  await writer.add([anEvent({ id: 'b' }, NOON + DAY_MS)]);
  await writer.close();
  expect(readdirSync(join(directory, '.herald/events'))).toHaveLength(2);
  await store.dropBefore(new Date(NOON + DAY_MS).toISOString());
  expect(readdirSync(join(directory, '.herald/events'))).toHaveLength(1);
});

it('looking for old events does not read the files of later days', async () => {
  const { directory, store, end } = inFiles();
  onTestFinished(end);
  await addAll(store, anEvent({ id: 'a' }));
  // It cannot be read, and it sorts after the other file.
  mkdirSync(join(directory, '.herald/events/20260603T000000000-later.jsonl'));
  expect(await store.dropBefore(new Date(NOON + 60_000).toISOString())).toBe(1);
});
