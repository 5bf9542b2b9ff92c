import { describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../src/api/catalogue.ts';
import {
  chatBody,
  draftProblems,
  parseMedia,
  priceProblem,
  type ChatDraft,
} from '../../src/domain/chat-draft.ts';
import { fc } from '../helpers/properties.ts';
import { aVisit } from '../simulator/visit.ts';

const aDraft = (more: Partial<ChatDraft> = {}): ChatDraft => ({
  text: 'Hi',
  price: null,
  lockedText: false,
  media: [],
  ...more,
});
const PAID = { id: '7', type: 'photo', isPaid: true };
const FREE = { id: '8', type: 'photo', isPaid: false };

describe('the rules of a chat message', () => {
  it.each<[string, Partial<ChatDraft>]>([
    ['a text', {}],
    ['media alone', { text: null, media: [FREE] }],
    ['a price of nothing', { price: '0.00' }],
    ['locked text with a price', { price: '0.01', lockedText: true }],
    ['paid media among free ones', { price: '5', media: [FREE, PAID] }],
    ['both, with a price', { price: '5.5', lockedText: true, media: [PAID] }],
  ])('%s holds', (_title, more) => {
    expect(draftProblems(aDraft(more))).toEqual([]);
  });

  it.each<[string, Partial<ChatDraft>, string]>([
    ['nothing', { text: null }, 'needs a text with more than spaces'],
    ['spaces', { text: ' \n\u00a0' }, 'needs a text with more than spaces'],
    ['a price for nothing', { price: '5', media: [FREE] }, 'The price 5 unlocks nothing'],
    ['three decimals', { price: '1.005', lockedText: true }, 'The price 1.005 has more than two decimals'],
    ['a third decimal that is zero', { price: '1.000', lockedText: true }, 'more than two decimals'],
    ['locked text for free', { lockedText: true }, 'Locked text (--locked) needs a --price'],
    ['paid media for free', { media: [PAID], price: '0' }, 'Paid media (7) needs a --price'],
    ['locked text without text', { text: null, price: '5', lockedText: true, media: [PAID] }, 'needs a text'],
  ])('%s does not, with words for it', (_title, more, words) => {
    expect(draftProblems(aDraft(more)).join(' ')).toContain(words);
  });

  // CHAT-5
  it('are the ones of the simulator, cell by cell', async () => {
    const visit = aVisit();
    for (const text of [null, '  ', 'Hi'])
      for (const price of [null, '0', '0.50'])
        for (const lockedText of [false, true])
          for (const media of [[], [FREE], [PAID], [PAID, FREE]]) {
            const draft = { text, price, lockedText, media };
            const path = '/api/v0/accounts/101/chats/101001/messages';
            const { status } = await visit.call('POST', path, chatBody(draft));
            expect(status === 202, JSON.stringify(draft)).toBe(draftProblems(draft).length === 0);
          }
  });
});

it('a draft that holds is one that the catalogue takes, with the price that was typed', () => {
  const cents = fc.integer({ min: 1, max: 99_999 });
  fc.assert(
    fc.property(cents, (amount) => {
      const price = `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`;
      const body = chatBody(aDraft({ price, lockedText: true }));
      expect(draftProblems(aDraft({ price, lockedText: true }))).toEqual([]);
      expect(CATALOGUE['chat.send'].body.parse(body)).toEqual(body);
      expect(JSON.stringify(body.price)).toBe(String(Number(price)));
    }),
  );
});

it('only what was given stands in the body', () => {
  expect(chatBody(aDraft())).toEqual({ text: 'Hi' });
  expect(chatBody(aDraft({ text: null, price: '0', media: [FREE] }))).toEqual({
    price: 0,
    media: [{ id: '8', type: 'photo', is_paid: false }],
  });
});

it.each(['5', '0', '0.5', '9.99', '123456789.10', '1.005'])('%s is a price', (typed) => {
  expect(priceProblem(typed)).toBeNull();
});

it.each(['', '-1', '+1', '1e3', '1,50', '.5', '5.', '05', '0x10', 'NaN', '1 000', '1234567890', '٣'])(
  '"%s" is none',
  (typed) => {
    expect(priceProblem(typed)).toContain(`--price ${typed}`);
  },
);

it.each(['', ':photo', '7:', '7:photo:', '7:photo:Paid', '7:photo:paid:x'])(
  '"%s" is not a medium',
  (typed) => {
    expect(parseMedia(typed)).toContain('id:type');
  },
);
