import { describe, expect, it } from 'vitest';
import type { Client } from '../../../src/api/client.ts';
import {
  readRecordsOfKey,
  retryUpload,
  warnOfSecondCopy,
  type UploadRecord,
  followExports,
} from '../../../src/acts/upload/records.ts';
import { flowClock } from '../../helpers/flow-clock.ts';

const record = (status: string | null, media_id: string | null = null): UploadRecord => ({
  id: 'a',
  status,
  media_id,
});

/** Follows an export over a list that the test writes. Gives the result, and the seconds at which the list was read. */
async function follow(list: (seconds: number) => readonly UploadRecord[], waitMs: number) {
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
  const state = { learn: async () => undefined };
  const followExport = followExports({ client, clock, random: () => 0, interrupted, state, waitMs });
  const exported = { outcome: null, record: record('uploaded'), key: KEY, mediaFacts: () => [] } as const;
  const flags = { isEarlier: false, isRepeated: false, unrecorded: null };
  const result = await followExport('101', { ...exported, ...flags }, () => undefined);
  return { result, looks };
}

// VAULT-14
describe('an export that is followed', () => {
  it('is looked for after 2 s, then less and less often up to 30 s, until the wait is over', async () => {
    const { result, looks } = await follow(() => [record('processing')], 150_000);
    expect(result).toMatchObject({ outcome: 'pending', status: 'processing' });
    expect(looks).toEqual([2, 6, 14, 30, 60, 90, 120, 150]);
  });

  it.each([
    ['exported without its media', [record('exported')], 'pending'],
    ['exported with its media', [record('exported', '7')], 'exported'],
    ['with an unknown status', [record('levitating')], 'pending'],
    ['that the list does not show', [], 'pending'],
    ['failed', [record('failed')], 'failed'],
    ['unprocessable', [record('unprocessable')], 'unprocessable'],
  ] as const)('ends as the list tells: %s', async (_, list, outcome) => {
    expect((await follow(() => list, 60_000)).result.outcome).toBe(outcome);
  });
});

it.each(['held', '', 'toString', null, undefined])(
  'the status of an upload (VAULT-12): %j proves neither an export, nor an end, nor that it goes on',
  async (status) => {
    const unnamed = ofKey('1', { status });
    expect(await read(unnamed)).toMatchObject([{ kind: 'start', end: null }]);
    const refused = { kind: 'refused', problem: { status: 409, what: 'no', method: 'POST', url: '' } };
    const client = { ...aList([unnamed]), prepare: () => async () => refused } as unknown as Client;
    await expect(retryUpload(client, '101', '1')).rejects.toThrow('Upload 1 was not queued again.');
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

const read = (...items: readonly UploadRecord[]) => readRecordsOfKey(aList(items), '101', KEY);

it('of several records with one key, one that has failed comes last', async () => {
  const items = [
    ofKey('1', { status: 'failed' }),
    ofKey('3', { status: 'processing' }),
    ofKey('2', { status: 'uploaded' }),
    { ...ofKey('4', {}), metadata: { key: 'another' } },
  ];
  expect((await read(...items)).map(({ record: { id } }) => id)).toEqual(['2', '3', '1']);
});

it('a list that is shorter than its total does not tell that it has no record of a key', async () => {
  await expect(readRecordsOfKey(aList([], 1), '101', KEY)).rejects.toThrow('its total is 1, and it shows 0');
});

it.each<[Partial<UploadRecord>, 'export' | 'start']>([
  [{ media_id: '7' }, 'export'],
  [{ metadata: { key: KEY, export_type: 'post' } }, 'export'],
  [{ status: 'processing' }, 'export'],
  [{ status: 'uploaded' }, 'start'],
])('a record with %j is an %s', async (more, kind) => {
  expect(await read(ofKey('1', more))).toMatchObject([{ kind }]);
});

it('warns of a second copy of a media, and not of one that failed or was only started', async () => {
  const warnings: string[] = [];
  const record = ofKey('1', { media_id: '7' });
  const others = [ofKey('2', { status: 'failed' }), ofKey('3', { status: 'uploaded' })];
  const warn = async (...more: readonly UploadRecord[]) =>
    warnOfSecondCopy((sentence) => warnings.push(sentence), record, await read(record, ...more));
  await warn(...others);
  expect(warnings).toEqual([]);
  await warn(ofKey('4', { media_id: '8' }));
  expect(warnings).toEqual([expect.stringContaining('Herald waits for 1; 4 may be a second copy')]);
});
