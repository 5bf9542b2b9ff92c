import { expect, it } from 'vitest';
import { aClientScene } from '../client-scene.ts';
import { PLATFORM, RANGE } from './reading.ts';
import { readPages, readToShow } from '../../../src/api/pages.ts';

const BIG = '9007199254740993123';

it('an answer for people is as it came, with ids as text', async () => {
  const text = `{"account":{"id":${BIG},"custom_label":5,"seen":[1],"creator_ids":[${BIG},2],"subscribe_price":9.99}}`;
  const { client } = aClientScene(() => new Response(text));
  const params = { account_id: '101' };
  expect(await readToShow(client, 'accounts.get', { params })).toEqual({
    account: { id: BIG, custom_label: 5, seen: [1], creator_ids: [BIG, '2'], subscribe_price: 9.99 },
  });
});

it.each(['null', '[]', '"x"', '17'])('an answer of %s is not shown', async (text) => {
  const { client } = aClientScene(() => new Response(text));
  const read = readToShow(client, 'accounts.get', { params: { account_id: '101' } });
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
