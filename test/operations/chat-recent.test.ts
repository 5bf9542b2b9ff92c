import { expect, it } from 'vitest';
import { chatMessageReply } from '../../src/api/shapes.ts';
import { similarMessages } from '../../src/operations/chat-recent.ts';
import type { ChatMessage } from '../../src/operations/chat-tail.ts';
import type { ChatDraft } from '../../src/domain/chat-draft.ts';
import { NOON } from '../helpers/scene.ts';

const DRAFT: ChatDraft = { text: 'A word', price: null, lockedText: false, media: [] };
const MEDIA: ChatDraft = { ...DRAFT, text: null, media: [{ id: '7', type: 'photo', isPaid: false }] };

const aMessage = (more: object = {}): ChatMessage =>
  chatMessageReply.parse({
    id: 1,
    text: 'A word',
    is_sent_by_me: true,
    created_at: new Date(NOON - 60_000).toISOString(),
    ...more,
  });

it.each<[string, object]>([
  ['said a minute ago', {}],
  ['trimmed by the service', { text: 'A word ' }],
  // CHAT-6
  ['without a sender', { is_sent_by_me: null }],
  ['without a date', { created_at: null }],
  ['with a date that no one can read', { created_at: 'just now' }],
  ['with a date without a zone that is a minute old in UTC', { created_at: '2026-06-01 11:59:00' }],
  ['with a date without a zone that may be of a zone in the west', { created_at: '2026-06-01T00:30:00' }],
  ['with a day without a time', { created_at: '2026-01-01' }],
  ['from a clock that is ahead', { created_at: new Date(NOON + 60_000).toISOString() }],
])('the same words, %s, may be the same message', (_title, more) => {
  expect(similarMessages(DRAFT, [aMessage(more)], NOON)).toHaveLength(1);
});

it.each<[string, object]>([
  ['other words', { text: 'A Word' }],
  ['no words', { text: null }],
  ["the fan's", { is_sent_by_me: false }],
  ['older than five minutes', { created_at: new Date(NOON - 300_000).toISOString() }],
  ['older than that in any zone', { created_at: '2026-05-31 11:54:00' }],
])('%s are not', (_title, more) => {
  expect(similarMessages(DRAFT, [aMessage(more)], NOON)).toEqual([]);
});

it('without words the media are shown', () => {
  const media = (...ids: number[]) => aMessage({ text: '', media: ids.map((id) => ({ id, type: 'photo' })) });
  expect(similarMessages(MEDIA, [media(7), media(8), media(7, 8), media()], NOON)).toHaveLength(1);
});

it.each([
  ['Caf\u00e9', 'Cafe\u0301'],
  ['one\ntwo', 'one\r\ntwo'],
  ['one\rtwo', 'one\ntwo'],
  ['\u00a0A word\n', 'A word'],
])('%j in the chat and %j are the same words', (text, typed) => {
  expect(similarMessages({ ...DRAFT, text: typed }, [aMessage({ text })], NOON)).toHaveLength(1);
});

it('spaces inside of a text count', () => {
  expect(similarMessages({ ...DRAFT, text: 'A  word' }, [aMessage()], NOON)).toEqual([]);
});
