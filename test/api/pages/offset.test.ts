import { describe, expect, it } from 'vitest';
import { IncompleteScanError } from '../../../src/api/errors.ts';
import { ACCOUNT, cut, PLATFORM, reading, upTo, type Answer } from './reading.ts';

const things = (total: number) => upTo(total).map((id) => ({ id }));
const members = (answer: Answer, options?: Parameters<typeof reading>[3]) =>
  reading('team.members', { params: {} }, answer, options);
const folders = (answer: Answer) => reading('vault.folders', { params: ACCOUNT }, answer);
const uploads = (answer: Answer) =>
  reading('vault.uploads', { params: ACCOUNT, query: { expired: true } }, answer);
const numbers = (read: { readonly items: readonly { readonly id: string }[] }) =>
  read.items.map(({ id }) => Number(id));
/** A page of a list as each of the three answers it. */
const page = (list: readonly { readonly id: number }[], query: Parameters<Answer>[0]) => {
  const users = cut(list, query);
  return { users, items: users.map(({ id }) => ({ id: String(id) })), total: list.length };
};

const LISTS = {
  members: [members, { limit: '50' }],
  folders: [folders, { limit: '10' }],
  uploads: [uploads, { limit: '100', expired: 'true' }],
} as const;

it.each<[keyof typeof LISTS, number, readonly number[]]>([
  // They end at the first page that is not full.
  ['members', 0, [0]],
  ['members', 1, [0]],
  ['members', 50, [0, 50]],
  ['members', 100, [0, 50, 100]],
  ['members', 101, [0, 50, 100]],
  // A page may be capped, so they end one page further than a first page that is not full.
  ['folders', 0, [0]],
  ['folders', 10, [0, 10]],
  ['folders', 25, [0, 10, 20]],
  ['folders', 30, [0, 10, 20, 30]],
  // They end with the total, unless a full page brought it.
  ['uploads', 0, [0]],
  ['uploads', 100, [0, 100]],
  ['uploads', 250, [0, 100, 200]],
])('the list of %s, %i in all, is read from the offsets %j', async (name, total, from) => {
  const [read, query] = LISTS[name];
  const { items, asked, error, doubt } = await read((one) => page(things(total), one));
  expect({ error, doubt }).toEqual({ error: null, doubt: null });
  expect(numbers({ items })).toEqual(upTo(total));
  expect(asked).toEqual(from.map((offset) => ({ ...query, offset: String(offset) })));
});

describe('a list by offset', () => {
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

  it.each([1, 4, 9])('with pages capped at %i is read to its end', async (cap) => {
    const read = await folders((query) => ({ items: cut(things(23), { ...query, limit: String(cap) }) }));
    expect(read.error).toBeNull();
    expect(numbers(read)).toEqual(upTo(23));
  });
});

describe('a list by offset that has a total', () => {
  // LIST-3
  it('believes no total but that of the page itself', async () => {
    const list = things(150);
    const read = await uploads((query, nth) => {
      if (nth === 2) list.push(...things(320).slice(150));
      return page(list, query);
    });
    expect(numbers(read)).toEqual(upTo(320));
  });

  it.each([null, undefined, 0, 5, 100, 200, 1000])(
    'of 250 with a total of %j is read to its end',
    async (total) => {
      const read = await uploads((query) => ({ ...page(things(250), query), total }));
      expect(read.error).toBeNull();
      expect(numbers(read)).toEqual(upTo(250));
    },
  );

  it('says so where the total promises more to the end', async () => {
    const read = await uploads((query) => ({ ...page(things(50), query), total: 60 }));
    expect(numbers(read)).toEqual(upTo(50));
    expect(read.doubt).toContain('60');
  });
});

// LIST-5
describe('a list by offset and marker', () => {
  const payouts = (answer: Answer) => reading('payouts.list', { params: PLATFORM }, answer);
  const requests = (total: number) => upTo(total).map((index) => ({ invoiceId: `i${index}` }));
  const markers = (read: Awaited<ReturnType<typeof payouts>>) =>
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
    expect(read.asked.map(({ offset }) => offset)).toEqual(['0', '100', '200']);
  });

  it('hands back a marker of nineteen digits without losing one', async () => {
    const read = await payouts(({ offset }) => {
      const list = JSON.stringify(offset === '0' ? requests(100) : []);
      return new Response(`{"list":${list},"marker":9007199254740993123}`);
    });
    expect(markers(read)).toEqual([null, '9007199254740993123']);
  });
});
