import { describe, expect, it } from 'vitest';
import { IncompleteScanError } from '../../../src/api/errors.ts';
import { fc, runs } from '../../helpers/properties.ts';
import { ACCOUNT, cut, PLATFORM, reading, upTo, type Answer } from './reading.ts';

const things = (total: number) => upTo(total).map((id) => ({ id }));
const members = (answer: Answer, options?: Parameters<typeof reading>[3]) =>
  reading('team.members', { params: {} }, answer, options);
const folders = (answer: Answer) => reading('vault.folders', { params: ACCOUNT }, answer);
const uploads = (answer: Answer) =>
  reading('vault.uploads', { params: ACCOUNT, query: { expired: true } }, answer);
const numbers = (read: { readonly items: readonly { readonly id: string }[] }) =>
  read.items.map(({ id }) => Number(id));
const offsets = (read: { readonly asked: readonly Readonly<Record<string, string>>[] }) =>
  read.asked.map(({ offset }) => Number(offset));

describe('a list by offset', () => {
  it.each([
    [0, [0]],
    [1, [0]],
    [50, [0, 50]],
    [100, [0, 50, 100]],
    [101, [0, 50, 100]],
  ])('of %i ends at the first page that is not full: offsets %j', async (total, asked) => {
    const read = await members((query) => ({ users: cut(things(total), query) }));
    expect(read.error).toBeNull();
    expect(numbers(read)).toEqual(upTo(total));
    expect(offsets(read)).toEqual(asked);
    expect(read.asked.every(({ limit }) => limit === '50')).toBe(true);
    expect(read.doubt).toBeNull();
  });

  // LIST-2
  it('gives a row that moved onto the next page once, and says that others may be missing', async () => {
    const list = things(80);
    const read = await members((query, nth) => {
      if (nth === 2) list.unshift({ id: 99 });
      return { users: cut(list, query) };
    });
    expect(numbers(read)).toEqual(upTo(80));
    expect(read.doubt).toBe('team.members: the list changed while it was read, so rows may be missing.');
  });

  it('is incomplete where the offset is ignored', async () => {
    const read = await members(() => ({ users: things(50) }));
    expect(read.error).toBeInstanceOf(IncompleteScanError);
    expect(String(read.error)).toContain('team.members: the list goes on, but shows nothing new');
    expect(numbers(read)).toEqual(upTo(50));
  });

  it.each([null, 'x', {}, [{ name: 'no id' }]])('is not read where the rows are %j', async (users) => {
    const read = await members(() => ({ users }));
    expect(String(read.error)).toContain('the body is not what the document says at users');
  });
});

describe('a list by offset with a page that may be capped', () => {
  it.each([
    [0, [0]],
    [10, [0, 10]],
    [25, [0, 10, 20]],
    [30, [0, 10, 20, 30]],
  ])('of %i asks one page further than a first page that is not full: offsets %j', async (total, asked) => {
    const read = await folders((query) => ({ items: cut(things(total), query) }));
    expect(numbers(read)).toEqual(upTo(total));
    expect(offsets(read)).toEqual(asked);
  });

  it.each([1, 4, 9])('is read to its end by a service that gives at most %i', async (cap) => {
    const read = await folders((query) => ({ items: cut(things(23), { ...query, limit: String(cap) }) }));
    expect(read.error).toBeNull();
    expect(numbers(read)).toEqual(upTo(23));
  });
});

describe('a list by offset that has a total', () => {
  const honest =
    (total: number): Answer =>
    (query) => ({ items: cut(uuids(total), query), total });
  const uuids = (total: number) => upTo(total).map((index) => ({ id: String(index) }));

  it.each([
    [0, [0]],
    [100, [0, 100]],
    [250, [0, 100, 200]],
  ])('of %i ends with the total, unless a full page brought it: offsets %j', async (total, asked) => {
    const read = await uploads(honest(total));
    expect(numbers(read)).toEqual(upTo(total));
    expect(offsets(read)).toEqual(asked);
    expect(read.asked.every(({ expired, limit }) => expired === 'true' && limit === '100')).toBe(true);
  });

  // LIST-3
  it('believes no total but that of the page itself', async () => {
    const list = uuids(150);
    const read = await uploads((query, nth) => {
      if (nth === 2) list.push(...uuids(320).slice(150));
      return { items: cut(list, query), total: list.length };
    });
    expect(numbers(read)).toEqual(upTo(320));
  });

  it.each([null, undefined, 0, 5, 100, 200, 1000])(
    'of 250 with a total of %j is read to its end',
    async (total) => {
      const read = await uploads((query) => ({ items: cut(uuids(250), query), total }));
      expect(read.error).toBeNull();
      expect(numbers(read)).toEqual(upTo(250));
    },
  );

  it('says so where the total promises more to the end', async () => {
    const read = await uploads((query) => ({ items: cut(uuids(50), query), total: 60 }));
    expect(numbers(read)).toEqual(upTo(50));
    expect(read.doubt).toContain('60');
  });
});

// LIST-5
describe('a list by offset and marker', () => {
  const payouts = (answer: Answer) => reading('payouts.list', { params: PLATFORM }, answer);
  const requests = (total: number) => upTo(total).map((index) => ({ invoiceId: `i${index}` }));
  const markers = (read: { readonly asked: readonly Readonly<Record<string, string>>[] }) =>
    read.asked.map(({ marker }) => marker ?? null);

  it.each([
    [0, '0'],
    [-3, '-3'],
    ['m1', 'm1'],
    ['', null],
    [null, null],
    [undefined, null],
  ])('with a first marker of %j hands back %j on every later page', async (marker, sent) => {
    const read = await payouts((query, nth) => ({
      list: cut(requests(250), query),
      marker: nth === 1 ? marker : 555,
    }));
    expect(read.error).toBeNull();
    expect(read.items.map(({ invoiceId }) => invoiceId)).toEqual(upTo(250).map((index) => `i${index}`));
    expect(markers(read)).toEqual([null, sent, sent]);
    expect(offsets(read)).toEqual([0, 100, 200]);
  });

  it('hands back a marker of nineteen digits without losing one', async () => {
    const read = await payouts(({ offset }) => {
      const list = JSON.stringify(offset === '0' ? requests(100) : []);
      return new Response(`{"list":${list},"marker":9007199254740993123}`);
    });
    expect(markers(read)).toEqual([null, '9007199254740993123']);
  });
});

it('every list by offset gives each row once and loses none that was there, while rows are added at its head', async () => {
  const growth = fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 240 }), growth, async (total, grown) => {
      for (const read of [members, uploads]) {
        const list = things(total);
        let made = total;
        const { items } = await read((query, nth) => {
          for (let more = grown[nth - 1] ?? 0; more > 0; more -= 1) list.unshift({ id: made++ });
          const rows = cut(list, query).map(({ id }) => ({ id: String(id) }));
          return { users: rows, items: rows, total: list.length };
        });
        const ids = items.map(({ id }) => Number(id));
        expect(new Set(ids).size).toBe(ids.length);
        expect(upTo(total).filter((id) => !ids.includes(id))).toEqual([]);
      }
    }),
    runs(60),
  );
});
