import { expect, it } from 'vitest';
import { parseJson } from '../../../src/api/json.ts';
import { CATALOGUE } from '../../../src/api/catalogue.ts';
import { aVisit, type Json, type Visit } from '../visit.ts';

const CHAT = '/api/v0/accounts/101/chats/101001/messages';

interface Page {
  readonly items: readonly (Json & { readonly id: string | number | bigint })[];
  readonly has_more: boolean;
}

/** Read without losing a digit. */
async function page(visit: Visit, path: string): Promise<Page> {
  const { status, text } = await visit.call('GET', path);
  expect(status, text).toBe(200);
  return parseJson(text) as Page;
}

async function everyId(visit: Visit, query: string, path = CHAT): Promise<string[]> {
  const ids: string[] = [];
  for (let last = ''; ;) {
    const { items, has_more } = await page(visit, `${path}?${query}${last}`);
    const seen = items.map(({ id }) => String(id));
    ids.push(...seen);
    if (!has_more) return ids;
    last = `&message_id=${seen.at(-1) ?? ''}`;
  }
}

it('pages by the last message, which does not come again', async () => {
  const visit = aVisit();
  visit.control.seed({ account_id: '101', kind: 'chat', set: { chat_id: '101001', messages: 25 } });
  const all = await everyId(visit, 'limit=100');
  expect(all).toHaveLength(25);
  expect(await everyId(visit, 'limit=10')).toEqual(all);
  expect(await everyId(visit, 'limit=5'), 'an exact multiple').toEqual(all);
});

it('begins a page with the last message again in the other mode', async () => {
  const visit = aVisit({ modes: { messageIdInclusive: true } });
  visit.control.seed({ account_id: '101', kind: 'chat', set: { chat_id: '101001', messages: 25 } });
  const ids = await everyId(visit, 'limit=10');
  expect(new Set(ids).size).toBe(25);
  expect(ids).toHaveLength(27);
});

it('shows the newest first, and the oldest first when asked', async () => {
  const visit = aVisit();
  const newest = await everyId(visit, 'limit=100');
  expect(await everyId(visit, 'limit=7&order=asc')).toEqual(newest.toReversed());
  expect((await visit.call('GET', `${CHAT}?order=upwards`)).status).toBe(400);
});

it('holds thousands of messages on request, the same at every read and in every world of the seed', async () => {
  const read = async () => {
    const visit = aVisit({ seed: 7 });
    visit.control.seed({ account_id: '101', kind: 'chat', set: { chat_id: '101001', messages: 5000 } });
    return everyId(visit, 'limit=100');
  };
  const ids = await read();
  expect(new Set(ids).size).toBe(5000);
  expect(await read()).toEqual(ids);
});

it('lets message ids pass 2^53 in some chats, as integers with every digit', async () => {
  const visit = aVisit();
  const isBig = (id: string) => BigInt(id) > BigInt(Number.MAX_SAFE_INTEGER);
  const chats: string[][] = [];
  for (const fan of [1, 2, 3, 4, 5])
    chats.push(await everyId(visit, 'limit=3', `/api/v0/accounts/101/chats/10100${fan}/messages`));
  expect(chats.some((ids) => ids.some(isBig) && !ids.every(isBig))).toBe(true);
  expect(chats.some((ids) => !ids.some(isBig))).toBe(true);
  const { text } = await visit.call('GET', CHAT);
  expect(text).toMatch(/"id":\d+/);
  expect(text).not.toContain('"id":"');
});

it('carries nulls, and types that no document names', async () => {
  const visit = aVisit();
  visit.control.seed({ account_id: '101', kind: 'chat', set: { chat_id: '101001', messages: 300 } });
  const items = (
    await Promise.all(['asc', 'desc'].map((order) => page(visit, `${CHAT}?limit=100&order=${order}`)))
  )
    .flatMap((result) => result.items)
    .map((item) => CATALOGUE['chat.messages'].reply.shape.items.element.parse(item));
  expect(items.some(({ price }) => price === null)).toBe(true);
  expect(items.some(({ text }) => text === null)).toBe(true);
  expect(items.some(({ sender }) => sender !== null && sender?.type === null)).toBe(true);
  expect(items.some(({ sender }) => sender?.type === 'concierge')).toBe(true);
  expect(items.some(({ media }) => media?.[0]?.type === 'hologram')).toBe(true);
});

it('has no chat with a stranger', async () => {
  const visit = aVisit();
  expect((await visit.call('GET', '/api/v0/accounts/101/chats/999/messages')).status).toBe(404);
  expect((await visit.call('GET', '/api/v0/accounts/101/chats/__proto__/messages')).status).toBe(404);
});

it('keeps the place of a page when new messages come in between', async () => {
  const visit = aVisit();
  visit.control.seed({ account_id: '101', kind: 'chat', set: { chat_id: '101001', messages: 10 } });
  const all = await everyId(visit, 'limit=100');
  const first = await page(visit, `${CHAT}?limit=4`);
  visit.control.seed({ account_id: '101', kind: 'chat_message', set: { chat_id: '101001', text: 'New!' } });
  const next = await page(visit, `${CHAT}?limit=4&message_id=${String(first.items.at(-1)?.id)}`);
  expect(next.items.map(({ id }) => String(id))).toEqual(all.slice(4, 8));
});
