import { describe, expect, it } from 'vitest';
import type { Client } from '../../../src/api/client.ts';
import type { UploadRecord } from '../../../src/operations/upload/upload.ts';
import { UploadWatch } from '../../../src/live/uploads.ts';
import { UploadNews } from '../../../src/operations/upload/news.ts';
import { addAll, anEvent } from '../../helpers/event-builders.ts';
import { flowClock } from '../../helpers/flow-clock.ts';
import { memoryEventStore } from '../../helpers/memory-event-store.ts';

const record = (id: string, status: string | null, mediaId: string | null = null): UploadRecord => ({
  id,
  status,
  media_id: mediaId,
});

/** A watch over a list that the test writes, and the seconds at which it was read. */
function aWatch(list: (seconds: number) => readonly UploadRecord[]) {
  const clock = flowClock(0);
  const looks: number[] = [];
  const interrupt = new AbortController();
  const client = {
    callLoosely: async () => {
      const seconds = clock.monotonicMs() / 1000;
      looks.push(seconds);
      const items = list(seconds);
      return { kind: 'done', sentAtMs: 0, reply: { items, total: items.length } };
    },
  } as unknown as Client;
  const events = memoryEventStore();
  const news = new UploadNews({ events, clock });
  const ports = { client, clock, random: () => 0, interrupted: interrupt.signal, news };
  const told = async (afterMs: number, body: object) => {
    await clock.sleep(afterMs);
    await addAll(events, anEvent({ event: 'vault.media_upload.updated', ...body }));
  };
  return { watch: new UploadWatch(ports, '101'), looks, interrupt, clock, events, told };
}

describe('watching uploads', () => {
  // VAULT-14
  it('looks after 2 s, then doubling to 30 s, until the wait is over', async () => {
    const { watch, looks } = aWatch(() => [record('a', 'processing')]);
    const watched = await watch.follow(record('a', 'uploaded'), 150_000);
    expect(watched).toMatchObject({ end: 'timed_out', record: { status: 'processing' } });
    expect(looks).toEqual([2, 6, 14, 30, 60, 90, 120, 150]);
  });

  it('looks at once when an event says that an upload moved, and often again after it', async () => {
    const { watch, looks, told } = aWatch((seconds) => [
      record('a', seconds < 46 ? 'processing' : 'exported', seconds < 46 ? null : '1'),
    ]);
    const watched = watch.follow(record('a', 'uploaded'), 600_000);
    await told(40_500, { account_id: 101, status: 'exported' });
    expect((await watched).end).toBe('exported');
    // The list is behind the event. Without the event it would be read at 60 s.
    expect(looks).toEqual([2, 6, 14, 30, 41, 43, 47]);
  });

  it('takes no event for the truth, and looks as usual when events are about others or cannot be read', async () => {
    const { watch, looks, events, told } = aWatch(() => [record('a', 'processing')]);
    const watched = watch.follow(record('a', 'uploaded'), 60_000);
    const others = [
      told(10_000, { account_id: 102 }),
      told(20_000, { event: 'fans.tip.received', account_id: 101 }),
    ];
    await Promise.all(others);
    events.read = () => Promise.reject(new Error('the disk is gone'));
    await told(15_000, { account_id: 101, id: 'a', status: 'exported', media_id: 7 });
    expect((await watched).end).toBe('timed_out');
    expect(looks).toEqual([2, 6, 14, 30, 60]);
  });

  it('reads the list every two seconds at most, however many events come', async () => {
    const { watch, looks, told } = aWatch((seconds) => [record('a', 'exported', seconds < 9 ? null : '1')]);
    const watched = watch.follow(record('a', 'uploaded'), 600_000);
    for (let number = 0; number < 20; number += 1) await told(400, { account_id: 101, number });
    await watched;
    expect(looks).toEqual([1, 3, 5, 7, 9]);
  });

  it('reads the list once for all that it follows, and sooner for one that is new', async () => {
    const { watch, looks, clock } = aWatch((seconds) => [
      record('a', seconds < 20 ? 'processing' : 'exported', seconds < 20 ? null : '1'),
      record('b', seconds < 20 ? 'processing' : 'exported', seconds < 20 ? null : '2'),
    ]);
    const first = watch.follow(record('a', 'uploaded'), 600_000);
    const second = clock.sleep(15_000).then(() => watch.follow(record('b', 'uploaded'), 600_000));
    expect((await first).end).toBe('exported');
    expect((await second).record.media_id).toBe('2');
    expect(looks).toEqual([2, 6, 14, 17, 21]);
  });

  it.each([
    ['exported without its media', [record('a', 'exported')], 'timed_out'],
    ['a status that no one has heard of', [record('a', 'levitating')], 'timed_out'],
    ['no status', [record('a', null)], 'timed_out'],
    ['a list that does not show it', [], 'timed_out'],
    ['failed', [record('a', 'failed')], 'failed'],
    ['unprocessable', [record('a', 'unprocessable')], 'unprocessable'],
    ['exported with its media', [record('a', 'exported', '7')], 'exported'],
  ] as const)('%s: %#', async (_, list, end) => {
    const { watch } = aWatch(() => list);
    expect((await watch.follow(record('a', 'uploaded'), 60_000)).end).toBe(end);
  });

  it('reports the end of one upload to everyone who follows it', async () => {
    const { watch } = aWatch((seconds) => [record('a', 'exported', seconds < 5 ? null : '7')]);
    const watched = [watch.follow(record('a', null), 600_000), watch.follow(record('a', null), 600_000)];
    expect((await Promise.all(watched)).map(({ end }) => end)).toEqual(['exported', 'exported']);
  });

  it('ends at once for what has ended, without a look', async () => {
    const { watch, looks } = aWatch(() => []);
    expect((await watch.follow(record('a', 'exported', '7'), 60_000)).end).toBe('exported');
    expect(looks).toEqual([]);
  });

  it('ends all watches at an interrupt', async () => {
    const { watch, interrupt, clock } = aWatch(() => [record('a', 'processing')]);
    const watched = [
      watch.follow(record('a', 'uploaded'), 600_000),
      watch.follow(record('b', 'uploaded'), 600_000),
    ];
    await clock.sleep(10_000);
    interrupt.abort(new Error('interrupted'));
    expect((await Promise.all(watched)).map(({ end }) => end)).toEqual(['interrupted', 'interrupted']);
  });
});
