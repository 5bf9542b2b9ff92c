import { describe, expect, it } from 'vitest';
import type { Client } from '../../../src/api/client.ts';
import { readTraits, type UploadRecord } from '../../../src/acts/upload/records.ts';
import { UploadWatch } from '../../../src/acts/upload/watch.ts';
import { flowClock } from '../../helpers/flow-clock.ts';

const record = (status: string | null, media_id: string | null = null): UploadRecord => ({
  id: 'a',
  status,
  media_id,
});

/** A watch over a list that the test writes, and the seconds at which it was read. */
function aWatch(list: (seconds: number) => readonly UploadRecord[]) {
  const clock = flowClock(0);
  const looks: number[] = [];
  const client = {
    prepareRow: () => async () => {
      const seconds = clock.monotonicMs() / 1_000;
      looks.push(seconds);
      const items = list(seconds);
      return { kind: 'done', reply: { items, total: items.length } };
    },
  } as unknown as Client;
  const interrupted = new AbortController().signal;
  return { watch: new UploadWatch({ client, clock, random: () => 0, interrupted }, '101'), looks };
}

// VAULT-14
describe('a watch over uploads', () => {
  it('looks after 2 s, then less and less often up to 30 s, until the wait is over', async () => {
    const { watch, looks } = aWatch(() => [record('processing')]);
    const watched = await watch.follow(record('uploaded'), 150_000);
    expect(watched).toMatchObject({ end: 'timed_out', record: { status: 'processing' } });
    expect(looks).toEqual([2, 6, 14, 30, 60, 90, 120, 150]);
  });

  it.each([
    ['exported without its media', [record('exported')], 'timed_out'],
    ['with an unknown status', [record('levitating')], 'timed_out'],
    ['that the list does not show', [], 'timed_out'],
    ['failed', [record('failed')], 'failed'],
    ['unprocessable', [record('unprocessable')], 'unprocessable'],
  ] as const)('tells the end of an upload %s', async (_, list, end) => {
    const { watch } = aWatch(() => list);
    expect((await watch.follow(record('uploaded'), 60_000)).end).toBe(end);
  });
});

describe('the status of an upload (VAULT-12)', () => {
  it.each(['held', '', 'toString', null, undefined])('%j does not prove an export', (status) => {
    expect(readTraits({ status })).toEqual({ isExport: false, end: null, moves: false });
  });
});
