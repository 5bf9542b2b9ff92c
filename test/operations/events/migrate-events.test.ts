import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { confinedTo } from '../../../src/host/confined.ts';
import { fileEventStore } from '../../../src/host/file-event-store.ts';
import { migrateEvents } from '../../../src/operations/events/migrate-events.ts';
import { addAll, anEvent, eventsIn } from '../../helpers/event-builders.ts';
import { memoryEventStore } from '../../helpers/memory-event-store.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const many = Array.from({ length: 250 }, (_, number) => anEvent({ event_id: String(number) }, NOON + number));

function inFiles() {
  const directory = mkdtempSync(join(tmpdir(), 'herald-events-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const store = fileEventStore(confinedTo(directory), { now: () => NOON });
  return { store, files: () => readdirSync(join(directory, '.herald/events')) };
}

it('moves all events in their order, and leaves none in the old place', async () => {
  const [{ store: from, files }, { store: to }] = [inFiles(), inFiles()];
  await addAll(from, ...many);
  expect(await migrateEvents(from, to)).toEqual({ moved: many.length, left: 0 });
  expect(await eventsIn(to)).toEqual(many);
  expect(files()).toEqual([]);
  expect(await migrateEvents(from, to)).toEqual({ moved: 0, left: 0 });
});

it('is finished by the same command after it was killed between copying and removing', async () => {
  const [from, to] = [memoryEventStore(), memoryEventStore()];
  await addAll(from, ...many);
  const killed = { ...from, erase: () => Promise.reject(new Error('killed')) };
  await expect(migrateEvents(killed, to)).rejects.toThrow('killed');
  expect(await migrateEvents(from, to)).toEqual({ moved: many.length, left: 0 });
  expect([await eventsIn(from), (await eventsIn(to)).length]).toEqual([[], many.length]);
});

it('keeps in the old place what the new one takes for a repetition', async () => {
  const [from, to] = [memoryEventStore(), memoryEventStore()];
  const bare = (ms: number) => anEvent({ event: 'fans.tip.received', amount: 5 }, NOON + ms);
  await addAll(from, bare(0));
  await addAll(to, bare(60_000));
  expect(await migrateEvents(from, to)).toEqual({ moved: 0, left: 1 });
  expect(await eventsIn(from)).toHaveLength(1);
});

it('removes nothing if a part of the old place cannot be read', async () => {
  const [from, to] = [memoryEventStore(), memoryEventStore()];
  await addAll(from, ...many);
  const damaged: typeof from = {
    ...from,
    read: async (...given) => ({ ...(await from.read(...given)), damaged: 1 }),
  };
  await expect(migrateEvents(damaged, to)).rejects.toThrow('no event was removed');
  expect(await eventsIn(from)).toHaveLength(many.length);
});
