import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { EventStore } from '../../src/events/store.ts';
import type { StateLocation } from '../../src/state/state.ts';
import { addAll, anEvent, eventsIn, eventStoreAt } from '../helpers/event-builders.ts';
import { sharedPostgres } from '../helpers/shared-postgres.ts';
import { stateLocations } from '../helpers/states.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { NOON } from '../helpers/flow-clock.ts';
import { writeFiles } from '../helpers/folders.ts';

const LOCATIONS = stateLocations(sharedPostgres());
const DAY_MS = 86_400_000;

describe.each(Object.entries(LOCATIONS))('events in %s', (_, make) => {
  let location: StateLocation;
  let store: EventStore;
  /** Opens the store as another process does. */
  let other: EventStore;
  beforeEach(async () => {
    location = await make();
    [store, other] = [eventStoreAt(location), eventStoreAt(location)];
  });
  const idsIn = async () => (await eventsIn(other)).map(({ id }) => id);

  it('are read by other processes as they came, in the order of storing', async () => {
    const odd = anEvent({ id: '9007199254740993', text: 'añadido\u0000\ud800 "quoted"\n' });
    const events = [anEvent({ id: 'b' }), odd, anEvent({ id: 'a' })];
    expect(await addAll(store, ...events)).toEqual([true, true, true]);
    expect(await eventsIn(other)).toEqual(events);
  });

  it('with an id of their own are stored once, also after a restart', async () => {
    const event = anEvent({ event_id: 'e1' });
    const later = anEvent({ event_id: 'e1', attempt: 2 }, NOON + DAY_MS);
    expect(await addAll(store, event, event)).toEqual([true, false]);
    expect(await addAll(other, later)).toEqual([false]);
    expect(await eventsIn(store)).toEqual([event]);
  });

  it('that have another id in common and differ are two', async () => {
    const upload = { id: 'upload-1', event: 'vault.media_upload.updated' };
    const events = [anEvent({ ...upload, status: 'processing' }), anEvent({ ...upload, status: 'exported' })];
    expect(await addAll(store, ...events)).toEqual([true, true]);
  });

  it('without an id are stored once in each ten minutes', async () => {
    const at = (minutes: number) =>
      anEvent({ event: 'fans.tip.received', amount: 5 }, NOON + minutes * 60_000);
    expect(await addAll(store, at(0))).toEqual([true]);
    expect(await addAll(store, at(9))).toEqual([false]);
    expect(await addAll(store, at(10))).toEqual([true]);
  });

  it('are read since an instant or of a kind alone', async () => {
    const guard = 'firewall.message_guard.violation';
    const blocked = (id: string, ms: number) => anEvent({ event_id: id, event: `${guard}.user` }, NOON + ms);
    const text = `"kind":"${guard}.user"`;
    const said = anEvent({ event_id: 'said', event: 'fans.x', text }, NOON + DAY_MS);
    await addAll(store, blocked('old', 0), blocked('new', DAY_MS), said, anEvent({ event_id: 'bare' }));
    const ids: (string | null)[] = [];
    const filter = { since: new Date(NOON + 1).toISOString(), kind: guard };
    await store.read(({ id }) => void ids.push(id), filter);
    expect(ids).toEqual(['new']);
  });

  it('may have characters that no text of a database can have', async () => {
    const odd = ['a\u0000b', 'a\ud800b', 'a\u0000b'].map((id) =>
      anEvent({ event_id: id, event: 'odd\u0000kind' }),
    );
    expect(await addAll(store, ...odd)).toEqual([true, true, false]);
    expect(await eventsIn(other)).toEqual(odd.slice(0, 2));
  });

  it('are dropped once they are older than an instant, however many', async () => {
    const old = Array.from({ length: 20 }, (_unused, id) => anEvent({ event_id: String(id) }));
    await addAll(store, ...old, anEvent({ event_id: 'new' }, NOON + DAY_MS));
    await store.dropBefore(new Date(NOON + 1).toISOString());
    expect(await idsIn()).toEqual(['new']);
  });

  it('are erased, and nothing is lost of a receiver that goes on meanwhile', async () => {
    await addAll(store, anEvent({ event_id: 'a', fan_id: '7' }), anEvent({ event_id: 'b', fan_id: '8' }));
    const positions: number[] = [];
    await other.read(({ fan_id: fan }, position) => void (fan === '7' && positions.push(position)));
    const later = [
      store.add(anEvent({ event_id: 'c' })),
      store.erase(positions),
      store.add(anEvent({ event_id: 'd' })),
    ];
    expect(await Promise.all(later)).toEqual([true, 1, true]);
    expect(await other.erase(positions)).toBe(0);
    expect(await idsIn()).toEqual(['b', 'c', 'd']);
  });
});

it('reading creates no file, and a file that is not a database is named', async () => {
  const directory = temporaryFolder();
  const store = eventStoreAt({ kind: 'sqlite', directory });
  expect(await eventsIn(store)).toEqual([]);
  expect(existsSync(join(directory, '.herald'))).toBe(false);
  writeFiles(directory, { '.herald/events.db': 'not a database, and long enough to look like one' });
  await expect(eventsIn(store)).rejects.toThrow('events.db');
  await expect(store.check()).rejects.toThrow('events.db');
});
