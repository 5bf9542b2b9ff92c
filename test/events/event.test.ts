import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createEvent, readEventTime } from '../../src/events/event.ts';
import type { HistoryItem } from '../../src/domain/history-item.ts';
import { addEventsToHistory } from '../../src/events/blocked.ts';
import { anEvent } from '../helpers/event-builders.ts';

const factsOf = (text: string) => createEvent(Buffer.from(text), 0);
const BIG = '9007199254740993';

describe('what is found in a body', () => {
  it.each([
    `{"id":"e1","event":"fans.tip.received","created_at":"T","account_id":${BIG},"platform_account_id":"${BIG}","fan":{"id":"7"}}`,
    `{"event":"fans.tip.received","data":{"event_id":"e1","created_at":"T","account_id":${BIG},"platform_account_id":"${BIG}","fan_id":7}}`,
    `{"type":"fans.tip.received","timestamp":"T","eventId":"e1","payload":{"account":{"id":${BIG}},"platformAccountId":${BIG},"fan":{"id":7}}}`,
  ])('is the same wherever it is: %s', (text) => {
    expect(factsOf(text)).toMatchObject({
      kind: 'fans.tip.received',
      id: 'e1',
      time: 'T',
      account_id: BIG,
      platform_account_id: BIG,
      fan_id: '7',
    });
  });

  it.each([
    ['behind a byte order mark', (text: string) => Buffer.from(`\uFEFF${text}`)],
    ['in a list', (text: string) => Buffer.from(`[${text}]`)],
    ['compressed', (text: string) => gzipSync(text)],
  ])('is the same %s', (_, write) => {
    const body = write(`{"event":"fans.tip.received","event_id":"e1","account_id":${BIG},"fan_id":7}`);
    const facts = { kind: 'fans.tip.received', id: 'e1', account_id: BIG, fan_id: '7' };
    expect(createEvent(body, 0)).toMatchObject(facts);
  });

  it('is nothing in a body that unpacks to more than a few megabytes', () => {
    const body = gzipSync(`{"event":"fans.tip.received","x":"${'x'.repeat(5_000_000)}"}`);
    expect(createEvent(body, 0).kind).toBeNull();
  });

  it('is what is nearest to the top of a body with more objects than a call takes values', () => {
    const members = Array.from({ length: 150_000 }, (_, index) => `"${index}":{}`).join(',');
    expect(factsOf(`{"account_id":1,"data":{${members}}}`).account_id).toBe('1');
  });

  it('is what is nearest to the top', () => {
    const text = '{"data":{"object":{"deep":{"account_id":1,"fan":{"id":2}}},"account_id":3}}';
    expect(factsOf(text)).toMatchObject({ account_id: '3', fan_id: '2' });
  });

  it('prefers a kind with dots to other texts of that name', () => {
    const text = '{"type":"tip","data":{"event":"fans.tip.received"}}';
    expect(factsOf(text).kind).toBe('fans.tip.received');
  });

  it('does not take the member of a team for a fan', () => {
    expect(factsOf('{"event":"firewall.message_guard.violation.user","user_id":5}').fan_id).toBeNull();
  });

  it.each([
    ['not JSON', 'half of {"a'],
    ['a list of numbers', '[1,2]'],
    ['a text', '"text"'],
    ['nothing', ''],
    ['brackets without end', '['.repeat(100_000)],
    ['odd members', '{"event":{"a":1},"id":[1],"account_id":null,"fan":"x"}'],
    ['a long id', `{"id":"${'x'.repeat(300)}"}`],
    ['inherited names', '{"__proto__":{"id":"x"}}'],
    ['text that no database can hold', '{"event_id":"a\\u0000b","event":"odd\\ud800"}'],
  ])('is nothing where there is nothing: %s', (_, text) => {
    expect(factsOf(text)).toMatchObject({ kind: null, id: null, account_id: null });
  });
});

it('a received event has the body as it came, with each digit and each member, or its bytes', () => {
  const body = '{"id": 1.10, "id": 9007199254740993 , "x": 1e3}';
  expect(createEvent(Buffer.from(body), 0)).toMatchObject({ body, encoding: 'utf8' });
  const bytes = Buffer.from([0xff, 0x00, 0x7b]);
  const kept = createEvent(bytes, 0);
  expect([Buffer.from(kept.body, 'base64'), kept.encoding, kept.kind]).toEqual([bytes, 'base64', null]);
});

it.each([
  ['in seconds', 1_780_315_200, 1_780_315_200_000],
  ['in milliseconds', 1_780_315_200_000, 1_780_315_200_000],
  ['as a date', '2026-06-01T12:00:00Z', 1_780_315_200_000],
  ['in nanoseconds, which no date holds', '1780315200000000000', 7],
  ['in microseconds', '1780315200000000', 7],
  ['as a word', 'soon', 7],
])('the time of an event is its own, or else when it came: %s', (_, timestamp, ms) => {
  expect(readEventTime(anEvent({ timestamp }, 7))).toBe(ms);
});

it('a history of more messages than a call takes values is read to its end', async () => {
  const item = {
    action: 'chat.send',
    live_id: 'send',
    at: '2026-06-01T12:00:00Z',
    message: '',
  } as HistoryItem;
  const store = { read: () => Promise.resolve() };
  const { items } = await addEventsToHistory(Array<HistoryItem>(150_000).fill(item), store);
  expect(items).toHaveLength(150_000);
});
