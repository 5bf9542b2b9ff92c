import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EVENTS_BEGIN, SAME_CONTENT_MS, type EventStore } from '../../src/domain/event-store.ts';
import { addAll, anEvent, eventsIn } from './event-builders.ts';

/** A store of events, and the same one as another process sees it. */
export interface EventFixture {
  readonly store: EventStore;
  readonly other: EventStore;
  end(): void | Promise<void>;
}

const NOON = Date.UTC(2026, 5, 1, 12);
const DAY_MS = 86_400_000;

/** What every store of events does. */
export function describeEventStore(name: string, make: () => EventFixture | Promise<EventFixture>): void {
  describe(name, () => {
    let fixture: EventFixture;
    beforeEach(async () => {
      fixture = await make();
    });
    afterEach(() => fixture.end());

    it('is empty at first', async () => {
      expect(await eventsIn(fixture.store)).toEqual([]);
    });

    it('gives events to other processes as they came, in the order of storing', async () => {
      const odd = anEvent({ id: '9007199254740993', text: 'añadido\u0000\ud800 "quoted"\n' });
      const events = [anEvent({ id: 'b' }), odd, anEvent({ id: 'a' })];
      expect(await addAll(fixture.store, ...events)).toEqual([true, true, true]);
      expect(await eventsIn(fixture.other)).toEqual(events);
    });

    it('stores an event with an id once, in one call, in the next one, and after a restart', async () => {
      const event = anEvent({ event_id: 'e1' });
      const later = anEvent({ event_id: 'e1', attempt: 2 }, NOON + DAY_MS);
      expect(await addAll(fixture.store, event, event)).toEqual([true, false]);
      expect(await addAll(fixture.other, later)).toEqual([false]);
      expect(await eventsIn(fixture.store)).toEqual([event]);
    });

    it('keeps two events that have an id in common and differ', async () => {
      const upload = { id: 'upload-1', event: 'vault.media_upload.updated' };
      const events = [
        anEvent({ ...upload, status: 'processing' }),
        anEvent({ ...upload, status: 'exported' }),
      ];
      expect(await addAll(fixture.store, ...events)).toEqual([true, true]);
    });

    it('stores the same content without an id once within ten minutes', async () => {
      const at = (ms: number) => anEvent({ event: 'fans.tip.received', amount: 5 }, NOON + ms);
      expect(await addAll(fixture.store, at(0))).toEqual([true]);
      expect(await addAll(fixture.store, at(SAME_CONTENT_MS - 1))).toEqual([false]);
      expect(await addAll(fixture.store, at(SAME_CONTENT_MS))).toEqual([true]);
    });

    it('goes on from a position', async () => {
      await addAll(fixture.store, anEvent({ id: 'a' }));
      const { position } = await fixture.store.read(EVENTS_BEGIN, () => undefined);
      await addAll(fixture.store, anEvent({ id: 'b' }), anEvent({ id: 'c' }));
      expect((await eventsIn(fixture.store, position)).map(({ id }) => id)).toEqual(['b', 'c']);
    });

    it('goes on from its end, which it finds without reading events', async () => {
      expect(await eventsIn(fixture.store, await fixture.store.end())).toEqual([]);
      await addAll(fixture.store, anEvent({ id: 'a' }), anEvent({ id: 'b' }));
      const end = await fixture.other.end();
      await addAll(fixture.store, anEvent({ id: 'c' }));
      expect((await eventsIn(fixture.other, end)).map(({ id }) => id)).toEqual(['c']);
    });

    it('gives events since an instant or of a kind alone, and goes on after all that it has seen', async () => {
      const guard = 'firewall.message_guard.violation';
      const blocked = (id: string, ms: number) =>
        anEvent({ event_id: id, event: `${guard}.user` }, NOON + ms);
      const said = anEvent(
        { event_id: 'said', event: 'fans.x', text: `"kind":"${guard}.user"` },
        NOON + DAY_MS,
      );
      await addAll(
        fixture.store,
        blocked('old', 0),
        blocked('new', DAY_MS),
        said,
        anEvent({ event_id: 'bare' }),
      );
      const ids: (string | null)[] = [];
      const filter = { since: new Date(NOON + 1).toISOString(), kind: guard };
      const { position } = await fixture.store.read(EVENTS_BEGIN, ({ id }) => void ids.push(id), filter);
      expect(ids).toEqual(['new']);
      expect(await eventsIn(fixture.store, position)).toEqual([]);
    });

    it('ends a reading when it is enough, and goes on until no event comes', async () => {
      const numbers = Array.from({ length: 30 }, (_, number) => String(number));
      await addAll(fixture.store, ...numbers.slice(0, 20).map((id) => anEvent({ event_id: id })));
      await addAll(fixture.other, ...numbers.slice(20).map((id) => anEvent({ event_id: id })));
      const ids: (string | null)[] = [];
      let position = EVENTS_BEGIN;
      for (let before = -1; ids.length > before;) {
        before = ids.length;
        ({ position } = await fixture.store.read(position, ({ id }) => void ids.push(id), { enough: 5 }));
      }
      expect(ids).toEqual(numbers);
    });

    it('stores an event with characters in its id that no text of a database can have', async () => {
      const odd = ['a\u0000b', 'a\ud800b', 'a\u0000b'].map((id) =>
        anEvent({ event_id: id, event: 'odd\u0000kind' }),
      );
      expect(await addAll(fixture.store, ...odd)).toEqual([true, true, false]);
      expect(await addAll(fixture.other, ...odd)).toEqual([false, false, false]);
      expect(await eventsIn(fixture.other)).toEqual(odd.slice(0, 2));
    });

    it('drops what is older than an instant', async () => {
      await addAll(fixture.store, anEvent({ id: 'old' }), anEvent({ id: 'new' }, NOON + DAY_MS));
      expect(await fixture.store.dropBefore(new Date(NOON + 1).toISOString())).toBe(1);
      expect((await eventsIn(fixture.other)).map(({ id }) => id)).toEqual(['new']);
    });

    it('erases some events, and loses nothing of a receiver that goes on meanwhile', async () => {
      const writer = await fixture.store.openToAdd();
      await writer.add([anEvent({ id: 'a', fan_id: '7' }), anEvent({ id: 'b', fan_id: '8' })]);
      expect(await fixture.other.erase(({ fan_id: fan }) => fan === '7')).toBe(1);
      await writer.add([anEvent({ id: 'c', fan_id: '8' })]);
      expect(await fixture.other.erase(({ id }) => id === 'nothing')).toBe(0);
      await writer.close();
      expect((await eventsIn(fixture.other)).map(({ id }) => id)).toEqual(['b', 'c']);
    });
  });
}
