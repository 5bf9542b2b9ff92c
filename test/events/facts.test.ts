import { describe, expect, it } from 'vitest';
import { factsOf } from '../../src/events/facts.ts';
import { receivedEvent } from '../../src/events/received.ts';

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

  it('is what the pointers say, if they are given', () => {
    const text = '{"a":[{"k":"my/kind"}],"x~y":{"id":12345678901234567890}}';
    expect(factsOf(text, { kind: '/a/0/k', id: '/x~0y/id', time: '/nowhere' })).toMatchObject({
      kind: 'my/kind',
      id: '12345678901234567890',
      time: null,
      isOwnId: true,
    });
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
    ['a list', '[1,2]'],
    ['a text', '"text"'],
    ['nothing', ''],
    ['brackets without end', '['.repeat(100_000)],
    ['odd members', '{"event":{"a":1},"id":[1],"account_id":null,"fan":"x"}'],
    ['a long id', `{"id":"${'x'.repeat(300)}"}`],
    ['inherited names', '{"__proto__":{"id":"x"}}'],
  ])('is nothing where there is nothing: %s', (_, text) => {
    expect(factsOf(text)).toMatchObject({ kind: null, account_id: null, isOwnId: false });
  });
});

describe('a received event', () => {
  it('has the body as it came, with each digit and each member', () => {
    const body = '{"id": 1.10, "id": 9007199254740993 , "x": 1e3}';
    expect(receivedEvent(Buffer.from(body), 0)).toMatchObject({ body, encoding: 'utf8' });
  });

  it('keeps bytes that are not text', () => {
    const bytes = Buffer.from([0xff, 0x00, 0x7b]);
    const { body, encoding, kind } = receivedEvent(bytes, 0);
    expect([Buffer.from(body, 'base64'), encoding, kind]).toEqual([bytes, 'base64', null]);
  });
});
