import { describe, expect, it } from 'vitest';
import type { ChatDraft } from '../../src/domain/chat-draft.ts';
import { draftDigests, hasSameMessage } from '../../src/domain/chat-same.ts';

const DRAFT: ChatDraft = { text: 'A word', price: null, lockedText: false, media: [] };
const media = (...ids: string[]) => ids.map((id) => ({ id, type: 'photo', isPaid: false }));
const isSame = (one: Partial<ChatDraft>, other: Partial<ChatDraft>) =>
  hasSameMessage({ ...draftDigests({ ...DRAFT, ...one }) }, draftDigests({ ...DRAFT, ...other }));

describe('a message on record', () => {
  it.each<[string, Partial<ChatDraft>, Partial<ChatDraft>]>([
    ['a price of 0', {}, { price: '0' }],
    ['a price of 0.00', {}, { price: '0.00' }],
    ['a price of 5.00', { price: '5', lockedText: true }, { price: '5.00', lockedText: true }],
    ['spaces at the ends', {}, { text: ' A word\n' }],
    ['letters in parts', { text: 'Caf\u00e9' }, { text: 'Cafe\u0301' }],
    ['other line ends', { text: 'a\nb' }, { text: 'a\r\nb' }],
    ['media in another order', { media: media('1', '2') }, { media: media('2', '1') }],
    ['an empty text', { text: null, media: media('1') }, { text: '', media: media('1') }],
  ])('is the same as one with %s', (_, one, other) => {
    expect([isSame(one, other), isSame(other, one)]).toEqual([true, true]);
  });

  it.each<[string, Partial<ChatDraft>]>([
    ['another text', { text: 'A Word' }],
    ['more spaces inside', { text: 'A  word' }],
    ['a price', { price: '5', media: [{ id: '1', type: 'photo', isPaid: true }] }],
    ['a locked text', { lockedText: true, price: '5' }],
    ['media', { media: media('1') }],
    ['a medium more', { media: media('1', '1') }],
  ])('is not the same as one with %s', (_, more) => {
    expect(isSame({}, more)).toBe(false);
  });

  it('of an earlier version of Herald is known by the digest of what was typed', () => {
    const { digest } = draftDigests(DRAFT);
    expect(digest).toBe('325816c9798715cee54ba7bcc3591ca0');
    expect(hasSameMessage({ digest }, draftDigests(DRAFT))).toBe(true);
    expect(hasSameMessage({ digest }, draftDigests({ ...DRAFT, text: 'Another' }))).toBe(false);
    expect(hasSameMessage({}, draftDigests(DRAFT))).toBe(false);
  });
});
