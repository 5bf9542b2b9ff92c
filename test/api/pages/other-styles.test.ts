import { describe, expect, it } from 'vitest';
import { IncompleteScanError, ServiceError } from '../../../src/api/errors.ts';
import { listAccounts, readPages, readToShow } from '../../../src/api/pages.ts';
import { aClientScene, json } from '../client-scene.ts';
import { ACCOUNT, PLATFORM, RANGE, reading, upTo, type Answer } from './reading.ts';

type Options = Parameters<typeof reading>[3];
const LONG = '9007199254740993123';
const BIG = 9_007_199_254_740_993_000n;

describe('a chat by message id', () => {
  const messages = (answer: Answer, options?: Options) =>
    reading('chat.messages', { params: { ...ACCOUNT, chat_id: '77' } }, answer, options);
  /** Newest first, with ids that no number holds. */
  const chat = (total: number) =>
    upTo(total)
      .map((index) => String(BIG + BigInt(index)))
      .toReversed();
  /** Answers with numbers, not texts, as the document has it. */
  const wire = (ids: readonly string[], more: unknown) => {
    const items = ids.map((id) => `{"id":${id},"text":"t"}`).join(',');
    const said = more === undefined ? '' : `,"has_more":${JSON.stringify(more)}`;
    return new Response(`{"items":[${items}]${said}}`);
  };
  const serving =
    (ids: readonly string[], inclusive: boolean, more: (rest: number) => unknown): Answer =>
    ({ message_id: from, limit }) => {
      const start = from === undefined ? 0 : ids.indexOf(from) + (inclusive ? 0 : 1);
      const page = ids.slice(start, start + Number(limit));
      return wire(page, more(ids.length - start - page.length));
    };

  for (const inclusive of [true, false]) {
    it.each([0, 1, 99, 100, 101, 199, 200, 201, 450])(
      `${inclusive ? 'inclusive' : 'exclusive'}: %i messages, each once, in the order of the service`,
      async (total) => {
        const ids = chat(total);
        const truthful = await messages(serving(ids, inclusive, (rest) => rest > 0));
        expect(truthful.error).toBeNull();
        expect(truthful.items.map(({ id }) => id)).toEqual(ids);
        const silent = await messages(serving(ids, inclusive, () => undefined));
        expect(silent.error).toBeNull();
        expect(silent.items.map(({ id }) => id)).toEqual(ids);
      },
    );
  }

  // LIST-6
  it('goes on from the last message as it came, not from the lowest, and sends no order of its own', async () => {
    const pages = [['5', '9', '7'], ['6']];
    const { items, asked } = await messages((_, nth) => wire(pages[nth - 1] ?? [], nth < 2));
    expect(items.map(({ id }) => id)).toEqual(['5', '9', '7', '6']);
    expect(asked).toEqual([{ limit: '100' }, { limit: '100', message_id: '7' }]);
  });

  it.each([
    ['is empty', []],
    ['brings only what is known', ['1', '2']],
  ])('is incomplete where there is more, but a page %s', async (_, second) => {
    const { items, error } = await messages((_query, nth) => wire(nth === 1 ? ['1', '2'] : second, true));
    expect(items).toHaveLength(2);
    expect(error).toBeInstanceOf(IncompleteScanError);
    expect(String(error)).toMatch(/the list goes on, but shows nothing new|the next page is unknown/);
  });

  it('ends where it says so, whatever came', async () => {
    expect(await messages(() => wire([], false))).toMatchObject({ items: [], error: null });
    const again = await messages((_, nth) => wire(['1', '2'], nth < 2));
    expect([again.items.length, again.error]).toEqual([2, null]);
  });

  it.each(['yes', 1, {}])('is not read on a has_more of %j', async (more) => {
    const { error } = await messages(() => wire(['1'], more));
    expect(String(error)).toContain('not what the document says at has_more');
  });
});

describe('the fans, who have one page', () => {
  const fans = (answer: Answer, options?: Options) =>
    reading('fans.list', { params: ACCOUNT }, answer, options);
  const ids = (total: number) => upTo(total).map((index) => String(BIG + BigInt(index)));

  it('are asked for at once, as many as the row allows', async () => {
    const { items, asked, doubt } = await fans(() => ({ fan_ids: ids(9999) }));
    expect(items).toEqual(ids(9999));
    expect(asked).toEqual([{ limit: '10000' }]);
    expect(doubt).toBeNull();
  });

  // LIST-7
  it('do not count as complete where the page is full', async () => {
    const { items, error } = await fans(() => ({ fan_ids: ids(10_000) }));
    expect(items).toHaveLength(10_000);
    expect(error).toBeInstanceOf(IncompleteScanError);
    expect(String(error)).toContain('fans.list (101): possibly truncated');
  });

  it.each([null, 'x', [null], [{}]])('are not read from %j', async (fan_ids) => {
    const { error } = await fans(() => ({ fan_ids }));
    expect(String(error)).toContain('not what the document says at fan_ids');
  });
});

// ACCOUNT-4
it('the list of accounts is read by cursor to its end, lapsed subscriptions included, each account once', async () => {
  const account = (id: number) => ({ id, username: `u${id}` });
  const pages = [
    { accounts: [account(1), account(2)], nextCursor: 'a+/=' },
    { accounts: [], nextCursor: 'bb' },
    { accounts: [account(2), account(3)] },
  ];
  const { client, sent } = aClientScene((_, nth) => json(pages[nth - 1]));
  expect((await listAccounts(client)).map(({ id }) => id)).toEqual(['1', '2', '3']);
  const asked = { withExpiredSubscriptions: 'true', limit: '1000' };
  expect(sent.map(({ url }) => Object.fromEntries(new URL(url).searchParams))).toEqual([
    asked,
    { ...asked, cursor: 'a+/=' },
    { ...asked, cursor: 'bb' },
  ]);
});

it.each([
  ['an array', () => json([])],
  ['no rows', () => json({})],
  ['rows that are null', () => json({ items: null })],
  ['an item that is null', () => json({ items: [null] })],
])('every list fails on %s, and never looks empty', async (_, answer) => {
  const read = await reading('campaigns.list', { params: ACCOUNT }, answer);
  expect(read.items).toEqual([]);
  expect(read.error).toBeInstanceOf(ServiceError);
});

it('an answer for people is as it came, with ids as text', async () => {
  const text = `{"account":{"id":${LONG},"custom_label":5,"seen":[1],"creator_ids":[${LONG},2],"subscribe_price":9.99}}`;
  const { client } = aClientScene(() => new Response(text));
  expect(await readToShow(client, 'accounts.get', { params: ACCOUNT })).toEqual({
    account: { id: LONG, custom_label: 5, seen: [1], creator_ids: [LONG, '2'], subscribe_price: 9.99 },
  });
});

it.each(['null', '[]', '"x"', '17'])('an answer of %s is not shown', async (text) => {
  const { client } = aClientScene(() => new Response(text));
  const read = readToShow(client, 'accounts.get', { params: ACCOUNT });
  await expect(read).rejects.toThrow('the body is not what the document says');
});

/** The first page of a list, from an answer with this text. */
async function readList(text: string): Promise<unknown> {
  const { client } = aClientScene(() => new Response(text));
  const list = { params: PLATFORM, query: RANGE };
  return (await readPages(client, 'revenue.transactions', list, { toShow: true }).next()).value;
}

it('a list for people shows its rows as they came', async () => {
  expect(await readList('{"items":[null,{"amount":"12"}]}')).toEqual([null, { amount: '12' }]);
});

it.each(['{}', '{"items":null}', '{"items":[],"cursor":5}'])(
  'a list for people needs rows, and a cursor that can be handed back: %s',
  async (text) => {
    await expect(readList(text)).rejects.toThrow('the body is not what the document says');
  },
);
