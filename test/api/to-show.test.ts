import { expect, it } from 'vitest';
import { rowOf } from '../../src/api/catalogue.ts';
import { parseJson } from '../../src/api/json.ts';
import { readToShow, rowToShow } from '../../src/api/to-show.ts';
import { aScene } from './client-scene.ts';

const BIG = '9007199254740993123';

it('an answer for people is as it came, with ids as text', async () => {
  const text = `{"account":{"id":${BIG},"custom_label":5,"seen":[1],"creator_ids":[${BIG},2],"subscribe_price":9.99}}`;
  const { client } = aScene(() => new Response(text));
  const params = { account_id: '101' };
  expect(await readToShow(client, 'accounts.get', { params })).toEqual({
    account: { id: BIG, custom_label: 5, seen: [1], creator_ids: [BIG, '2'], subscribe_price: 9.99 },
  });
});

it.each(['null', '[]', '"x"', '17'])('an answer of %s is not shown', async (text) => {
  const { client } = aScene(() => new Response(text));
  const read = readToShow(client, 'accounts.get', { params: { account_id: '101' } });
  await expect(read).rejects.toThrow('the body is not what the document says');
});

it('a list for people needs rows and a cursor that can be handed back, and no more', () => {
  const { reply } = rowToShow(rowOf('revenue.transactions'));
  const parse = (text: string) =>
    reply === null || reply === 'binary' ? null : reply.safeParse(parseJson(text));
  expect(parse('{"items":[null,{"amount":"12"}]}')?.success).toBe(true);
  for (const bad of ['{}', '{"items":null}', '{"items":[],"cursor":5}'])
    expect(parse(bad)?.success).toBe(false);
});
