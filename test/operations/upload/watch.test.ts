import { describe, expect, it } from 'vitest';
import type { Client } from '../../../src/api/client.ts';
import type { UploadRecord } from '../../../src/operations/upload/upload.ts';
import { UploadWatch } from '../../../src/operations/upload/watch.ts';
import { flowClock } from '../../helpers/flow-clock.ts';

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
  const ports = { client, clock, random: () => 0, interrupted: interrupt.signal };
  return { watch: new UploadWatch(ports, '101'), looks, interrupt, clock };
}

describe('watching uploads', () => {
  // VAULT-14
  it('looks after 2 s, then doubling to 30 s, until the wait is over', async () => {
    const { watch, looks } = aWatch(() => [record('a', 'processing')]);
    const watched = await watch.follow(record('a', 'uploaded'), 150_000);
    expect(watched).toMatchObject({ end: 'timed_out', record: { status: 'processing' } });
    expect(looks).toEqual([2, 6, 14, 30, 60, 90, 120, 150]);
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

  it('tells the end of one upload to everybody who follows it', async () => {
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
