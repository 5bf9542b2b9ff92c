import { describe, expect, it } from 'vitest';
import { aVisit, SECOND, type Visit } from '../visit.ts';

const CHAT = '/api/v0/accounts/101/chats/101001/messages';
const PAID_PHOTO = { id: '55', type: 'photo', is_paid: true };
const PHOTO = { id: '56', type: 'photo' };

function sends(visit: Visit) {
  return visit.control.oracle().chats['101']?.sends['101001'] ?? [];
}

async function texts(visit: Visit): Promise<unknown[]> {
  const { body } = await visit.call('GET', CHAT);
  return (body['items'] as { text: unknown }[]).map(({ text }) => text);
}

it('queues a message, names its send, and shows it a little later', async () => {
  const visit = aVisit();
  const before = await texts(visit);
  const { status, body } = await visit.call('POST', CHAT, { text: 'A word' });
  expect(status).toBe(202);
  expect(body['send_id']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(await texts(visit)).toEqual(before);
  visit.clock.move(3 * SECOND);
  expect(await texts(visit)).toEqual(['A word', ...before]);
  expect(sends(visit)).toMatchObject([{ send_id: body['send_id'], text: 'A word', blocked: false }]);
});

it('counts every send, also of the same words', async () => {
  const visit = aVisit();
  await visit.call('POST', CHAT, { text: 'A word' });
  await visit.call('POST', CHAT, { text: 'A word' });
  expect(sends(visit).map(({ text }) => text)).toEqual(['A word', 'A word']);
  expect(new Set(sends(visit).map(({ send_id }) => send_id)).size).toBe(2);
});

describe('what must agree', () => {
  it.each([
    ['plain text', { text: 'Hi' }],
    ['media alone', { media: [PHOTO] }],
    ['text of null next to media', { text: null, media: [PHOTO] }],
    ['locked text with a price', { text: 'Hi', price: 9.99, locked_text: true }],
    ['paid media with a price', { media: [PAID_PHOTO, PHOTO], price: 5 }],
    ['a price of nothing', { text: 'Hi', price: 0, locked_text: false, media: [PHOTO] }],
  ])('%s passes', async (_title, body) => {
    const visit = aVisit();
    expect((await visit.call('POST', CHAT, body)).status).toBe(202);
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
  ])('%s is refused', async (_title, body, words) => {
    const visit = aVisit();
    const answer = await visit.call('POST', CHAT, body);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(words);
    expect(sends(visit)).toEqual([]);
  });
});

it('refuses restricted words and names them in the details', async () => {
  const visit = aVisit({ modes: { restrictedWords: ['casino', 'dice'] } });
  const { status, body } = await visit.call('POST', CHAT, { text: 'To the CASINO, with DICE!' });
  expect(status).toBe(400);
  expect(body).toMatchObject({ code: 'RESTRICTED_WORDS_DETECTED', details: { words: ['casino', 'dice'] } });
  visit.control.setModes({ restrictedDetails: 'list' });
  expect((await visit.call('POST', CHAT, { text: 'casino' })).body['details']).toEqual(['casino']);
  expect(sends(visit)).toEqual([]);
});

it('answers 202 for what the message guard stops, and never shows it', async () => {
  const visit = aVisit({ modes: { guardedWords: ['psst'] } });
  const before = await texts(visit);
  expect((await visit.call('POST', CHAT, { text: 'Psst, you' })).status).toBe(202);
  visit.clock.move(3600 * SECOND);
  expect(await texts(visit)).toEqual(before);
  expect(sends(visit)).toMatchObject([{ blocked: true }]);
});
