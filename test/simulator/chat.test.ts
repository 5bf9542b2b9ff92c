import { expect, it } from 'vitest';
import { parseJson } from '../../src/api/json.ts';
import { aVisit, itemsOf, SECOND, type Visit } from './visit.ts';

const CHAT = '/api/v0/accounts/101/chats/101001/messages';
const PAID_PHOTO = { id: '55', type: 'photo', is_paid: true };
const PHOTO = { id: '56', type: 'photo' };

const sends = (visit: Visit) => visit.control.oracle().chats['101']?.sends['101001'] ?? [];
const texts = async (visit: Visit) => itemsOf(await visit.call('GET', CHAT)).map(({ text }) => text);

it('queues a message, names its send, and shows it a little later', async () => {
  const visit = aVisit();
  const before = await texts(visit);
  const { status, body } = await visit.call('POST', CHAT, { text: 'A word' });
  expect(status).toBe(202);
  expect(body['send_id']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(await texts(visit)).toEqual(before);
  visit.clock.move(3 * SECOND);
  expect(await texts(visit)).toEqual(['A word', ...before]);
  await visit.call('POST', CHAT, { text: 'A word' });
  const sent = { text: 'A word', blocked: false };
  expect(sends(visit)).toMatchObject([{ ...sent, send_id: body['send_id'] }, sent]);
});

it.each([
  ['nothing at all', {}, 'text or media'],
  ['spaces', { text: ' \n' }, 'text or media'],
  ['a price for nothing', { text: 'Hi', price: 5, media: [PHOTO] }, 'a price needs'],
  ['locked text for free', { text: 'Hi', locked_text: true }, 'locked text needs a price'],
  ['paid media for free', { media: [PAID_PHOTO] }, 'paid media needs a price'],
  [
    'locked text without text',
    { media: [PAID_PHOTO], price: 5, locked_text: true },
    'locked text needs text',
  ],
  ['three decimals', { text: 'Hi', price: 1.005, locked_text: true }, 'two decimals'],
  ['a media id that is a number', { media: [{ id: 55, type: 'photo' }] }, ''],
])('a message is refused with %s', async (_title, body, words) => {
  const visit = aVisit();
  const answer = await visit.call('POST', CHAT, body);
  expect(answer.status).toBe(400);
  expect(answer.text).toContain(words);
  expect(sends(visit)).toEqual([]);
});

interface Page {
  readonly items: readonly { readonly id: string | number | bigint }[];
  readonly has_more: boolean;
}

/** Read without losing a digit. */
async function everyId(visit: Visit, query: string, path = CHAT): Promise<string[]> {
  const ids: string[] = [];
  for (let last = ''; ;) {
    const { status, text } = await visit.call('GET', `${path}?${query}${last}`);
    expect(status, text).toBe(200);
    const { items, has_more } = parseJson(text) as Page;
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
