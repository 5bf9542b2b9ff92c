import { describe, expect, it } from 'vitest';
import type { Client } from '../../../src/api/client.ts';
import { kindOfRecord, recordsOfKey } from '../../../src/live/uploads.ts';

describe('a record of our key', () => {
  const record = { id: 'u', metadata: { key: 'k' } };
  it.each([
    ['a media', { ...record, media_id: '7' }, 'export'],
    ['an export type', { ...record, status: null, metadata: { key: 'k', export_type: 'post' } }, 'export'],
    ['a later state', { ...record, status: 'exporting' }, 'export'],
    ['only the state that an export begins with', { ...record, status: 'uploaded' }, 'start'],
    ['no status', { ...record, status: null }, 'start'],
    ['a status that no one named', { ...record, status: 'lapsed' }, 'start'],
  ] as const)('with %s is known for what it is', (_, one, kind) => {
    expect(kindOfRecord(one)).toBe(kind);
  });
});

describe('several records of one key', () => {
  it('stand in the order of their ages, behind them those that failed', async () => {
    const record = (id: string, status: string, key = 'k') => ({
      id,
      status,
      metadata: { key },
      created_at: `2026-06-01T12:00:0${id}.000Z`,
    });
    const items = [
      record('4', 'processing'),
      record('1', 'failed'),
      record('3', 'exported'),
      record('2', 'unprocessable'),
      record('0', 'exported', 'of another key'),
    ];
    const reply = { items, total: items.length };
    // Nothing else is used of it.
    const client = { callLoosely: () => Promise.resolve({ kind: 'done', reply }) } as unknown as Client;
    const found = await recordsOfKey(client, '101', 'k');
    expect(found.map(({ id }) => id)).toEqual(['3', '4', '1', '2']);
  });
});
