import { describe, expect, it } from 'vitest';
import type { Client } from '../../../src/api/client.ts';
import {
  kindOfRecord,
  readTraits,
  recordsOfKey,
  warnOfSecondCopy,
  type UploadRecord,
} from '../../../src/acts/upload/records.ts';
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

it.each(['held', '', 'toString', null, undefined])(
  'the status of an upload (VAULT-12): %j does not prove an export',
  (status) => {
    expect(readTraits({ status })).toEqual({ isExport: false, end: null, moves: false });
  },
);

const KEY = 'uploads/a';
const ofKey = (id: string, more: Partial<UploadRecord>): UploadRecord => ({
  id,
  created_at: `2026-06-0${id}T12:00:00Z`,
  metadata: { key: KEY },
  ...more,
});

const aList = (items: readonly UploadRecord[], total = items.length) =>
  ({ prepareRow: () => async () => ({ kind: 'done', reply: { items, total } }) }) as unknown as Client;

it('of several records with one key, one that has failed comes last', async () => {
  const items = [
    ofKey('1', { status: 'failed' }),
    ofKey('3', { status: 'processing' }),
    ofKey('2', { status: 'uploaded' }),
    { ...ofKey('4', {}), metadata: { key: 'another' } },
  ];
  expect((await recordsOfKey(aList(items), '101', KEY)).map(({ id }) => id)).toEqual(['2', '3', '1']);
});

it('a list that is shorter than its total does not tell that it has no record of a key', async () => {
  await expect(recordsOfKey(aList([], 1), '101', KEY)).rejects.toThrow('its total is 1, and it shows 0');
});

it.each<[Partial<UploadRecord>, 'export' | 'start']>([
  [{ media_id: '7' }, 'export'],
  [{ metadata: { key: KEY, export_type: 'post' } }, 'export'],
  [{ status: 'processing' }, 'export'],
  [{ status: 'uploaded' }, 'start'],
])('a record with %j is an %s', (more, kind) => {
  expect(kindOfRecord(ofKey('1', more))).toBe(kind);
});

it('warns of a second copy of a media, and not of one that failed or was only started', () => {
  const warnings: string[] = [];
  const record = ofKey('1', { media_id: '7' });
  const others = [ofKey('2', { status: 'failed' }), ofKey('3', { status: 'uploaded' })];
  warnOfSecondCopy((sentence) => warnings.push(sentence), record, [record, ...others]);
  expect(warnings).toEqual([]);
  warnOfSecondCopy((sentence) => warnings.push(sentence), record, [record, ofKey('4', { media_id: '8' })]);
  expect(warnings).toEqual([expect.stringContaining('Herald waits for 1; 4 may be a second copy')]);
});
