import { describe, expect, it } from 'vitest';
import { IncompleteScanError, ServiceError } from '../../../src/api/errors.ts';
import type { ItemOf } from '../../../src/api/pages.ts';
import { json } from '../client-scene.ts';
import { PLATFORM, RANGE, reading, upTo, type Answer } from './reading.ts';

type Options = Parameters<typeof reading>[3];
const input = { params: PLATFORM, query: RANGE };
const transactions = (answer: Answer, options?: Options) =>
  reading('revenue.transactions', input, answer, options);
const idsOf = (items: readonly ItemOf<'revenue.transactions'>[]) => items.map(({ id }) => Number(id));
const rows = (from: number, to: number) => upTo(to - from).map((index) => ({ id: String(from + index) }));

/** A list of so many rows in pages of the limit that is asked for; cursors are offsets. */
const honest =
  (total: number): Answer =>
  ({ cursor = '0', limit }) => {
    const end = Math.min(total, Number(cursor) + Number(limit));
    return { items: rows(Number(cursor), end), ...(end < total ? { cursor: String(end) } : {}) };
  };

describe('a list by cursor', () => {
  it.each([0, 1, 999, 1000, 1001, 2000, 3500])(
    'of %i rows costs one request a thousand and keeps every other parameter',
    async (total) => {
      const { items, asked, error } = await transactions(honest(total));
      expect(error).toBeNull();
      expect(idsOf(items)).toEqual(upTo(total));
      expect(asked).toHaveLength(Math.max(1, Math.ceil(total / 1000)));
      for (const { cursor: _, ...others } of asked) expect(others).toEqual({ ...RANGE, limit: '1000' });
    },
  );

  it.each([null, '', undefined])('ends at a cursor of %j', async (cursor) => {
    const { items, asked, error } = await transactions(() => ({ items: rows(0, 1000), cursor }));
    expect([items.length, asked.length, error]).toEqual([1000, 1, null]);
  });

  it.each([5, true, {}])('is not read on a cursor of the wrong type: %j', async (cursor) => {
    const { items, error } = await transactions(() => ({ items: rows(0, 3), cursor }));
    expect(items).toEqual([]);
    expect(error).toBeInstanceOf(ServiceError);
    expect(String(error)).toContain('the body is not what the document says at cursor');
  });

  it.each(['x', '+/=&?#%', 'c'.repeat(4000), '😀'])('hands back the cursor %s as it came', async (cursor) => {
    const { items, asked, error } = await transactions((query) =>
      query['cursor'] === undefined ? { items: rows(0, 2), cursor } : { items: rows(2, 4) },
    );
    expect(error).toBeNull();
    expect(idsOf(items)).toEqual(upTo(4));
    expect(asked[1]?.['cursor']).toBe(cursor);
  });

  // LIST-1
  it('goes on behind an empty page that has a cursor, twenty times in a row and no more', async () => {
    const gap = (empty: number) =>
      transactions((_, nth) => (nth <= empty ? { items: [], cursor: `c${nth}` } : { items: rows(0, 5) }));
    expect((await gap(20)).items).toHaveLength(5);
    const { error } = await gap(21);
    expect(error).toBeInstanceOf(IncompleteScanError);
    expect(String(error)).toContain(
      'revenue.transactions (platform_a, 555): the list goes on, but shows nothing new',
    );
  });

  it.each([1, 2, 7])('is incomplete where it runs in a circle of %i cursors', async (round) => {
    const { items, error } = await transactions((_, nth) => ({
      items: rows(nth, nth + 1),
      cursor: `c${nth % round}`,
    }));
    expect(error).toBeInstanceOf(IncompleteScanError);
    expect(String(error)).toContain('the list repeats its cursor');
    expect(items).toHaveLength(round + 1);
  });

  it('is incomplete where it has no end', async () => {
    const { error } = await transactions((_, nth) => ({ items: rows(nth, nth + 1), cursor: `c${nth}` }), {
      pagesMax: 50,
    });
    expect(String(error)).toContain('the list has no end after 50 pages');
  });

  it('gives what came before a page that fails, then fails with it', async () => {
    const list = honest(5000);
    const { items, error } = await transactions((query, nth) =>
      nth <= 2 ? list(query, nth) : json({ message: 'oops' }, 500),
    );
    expect(idsOf(items)).toEqual(upTo(2000));
    expect(error).toBeInstanceOf(ServiceError);
    expect(String(error)).toContain('answered 500: oops');
  });

  it.each([
    [250, ['250']],
    // The row allows no less than ten.
    [3, ['10']],
    [2500, ['1000', '1000', '1000']],
    [0, []],
  ])('of which %i are wanted asks for pages of %j', async (limit, pages) => {
    const { items, asked } = await transactions(honest(5000), { limit });
    expect([items.length, asked.map((query) => query['limit'])]).toEqual([limit, pages]);
  });
});

// READ-6
it('rows without an id that are alike are all given', async () => {
  const sale = { fan: { id: '1' }, price_gross: 5, subscribed_at: 'a' };
  const { items } = await reading('traffic.subscriptions', input, ({ cursor }) =>
    cursor === undefined ? { items: [sale, sale], cursor: 'next' } : { items: [sale] },
  );
  expect(items).toHaveLength(3);
});
