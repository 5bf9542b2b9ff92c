import { describe, expect, it } from 'vitest';
import type { LooseInput } from '../../src/api/client.ts';
import { explainFailure } from '../../src/api/send-call.ts';
import type { Operation } from '../../src/api/catalogue.ts';
import {
  aClientScene,
  CALLS,
  callOf,
  callUntyped,
  CAMPAIGN,
  failed,
  inWords,
  json,
  list,
  wordsOf,
  type Rule,
} from './client-scene.ts';

const RULES = Object.keys(CALLS) as Rule[];
const WRITES = RULES.filter((rule) => rule !== 'read');

/** How often a call is sent when every answer is the same, and how it ends. */
const constantly = async (rule: Rule, answer: () => Response | Promise<Response>) => {
  const scene = aClientScene(answer);
  const result = await callOf(scene.client, rule);
  return { sent: scene.sent.length, result, words: inWords(result), waits: scene.clock.waits };
};

describe('what an answer means', () => {
  it.each(RULES)('%s: the documented success is done, with one request', async (rule) => {
    const { sent, words } = await constantly(rule, CALLS[rule].good);
    expect([sent, words]).toEqual([1, 'done']);
  });

  // ERROR-12
  it.each([400, 401, 402, 403, 404, 405, 409, 410, 415, 418, 422, 451, 499])(
    '%i is refused, never repeated',
    async (status) => {
      for (const rule of RULES) {
        const { sent, words } = await constantly(rule, () => json({ message: 'no' }, status));
        expect([sent, words]).toEqual([1, 'refused']);
      }
    },
  );

  // CAMPAIGN-16
  it.each([500, 501, 502, 503, 504, 408, 425, 599])(
    '%i is unknown, and repeated as the row allows',
    async (status) => {
      const sent = { read: status === 502 ? 2 : 5, idempotent: 4, status: 9, unsend: 1, once: 1 };
      for (const rule of RULES) {
        const seen = await constantly(rule, () => new Response('<html>Bad gateway</html>', { status }));
        expect([rule, seen.sent, seen.words]).toEqual([rule, sent[rule], 'unknown']);
      }
    },
  );

  // ERROR-10
  it('a 502 of a list has nothing to do with unreadable content', async () => {
    const scene = aClientScene(() => json({}, 502));
    expect(inWords(await list(scene.client))).toBe('unknown');
    expect(scene.sent).toHaveLength(5);
  });
});

describe('a success that cannot be read', () => {
  const BODIES: [string, () => Response][] = [
    ['HTML', () => new Response('<html>OK</html>', { status: 201 })],
    ['nothing', () => new Response('', { status: 201 })],
    ['half of it', () => new Response('{"id":"90071', { status: 201 })],
    ['null', () => json(null, 201)],
    ['no id', () => json({ ...CAMPAIGN, id: undefined }, 201)],
    ['an id of null', () => json({ ...CAMPAIGN, id: null }, 201)],
  ];

  it.each(BODIES)('%s: a status change was heard, and everything else stays unknown', async (_, answer) => {
    const sent = { read: 3, idempotent: 3, status: 1, unsend: 1, once: 1 };
    for (const rule of RULES) {
      const seen = await constantly(rule, answer);
      const words = rule === 'status' || rule === 'unsend' ? 'done' : 'unknown';
      expect([rule, seen.sent, seen.words]).toEqual([rule, sent[rule], words]);
    }
    expect(wordsOf((await constantly('once', answer)).result)).toMatch(/answered 201, but the body/);
  });

  // CHAT-1: only the id of the send says that the message is in the queue.
  it.each<[Operation, LooseInput, string, readonly string[]]>([
    [
      'broadcasts.set-status',
      { params: { account_id: '1', campaign_id: '9' }, body: { status: 'queued' } },
      'done',
      ['', '<html>', '{"status":null}', '[]'],
    ],
    [
      'chat.send',
      { params: { account_id: '1', chat_id: '9' }, body: { text: 'x' } },
      'unknown',
      ['', '{"send_id":null}', '{"send_id":""}', '{}'],
    ],
    [
      'fans.follow',
      { params: { account_id: '1', fan_id: '9' } },
      'unknown',
      ['{"subscribed":null}', '{}', ''],
    ],
    [
      'payouts.request',
      { params: { platform: 'platform_a', platform_account_id: '5' }, body: { withdrawal_amount: 100.1 } },
      'unknown',
      ['{"list":[]}', '{"list":null}', '{}', ''],
    ],
  ])('%s with %j is %s after each of %j', async (operation, input, words, bodies) => {
    for (const body of bodies) {
      const { client, sent } = aClientScene(() => new Response(body, { status: 200 }));
      const result = await callUntyped(client, operation, input);
      expect([inWords(result), sent.length], String(body)).toEqual([words, 1]);
    }
  });
});

const IMPOSSIBLE = ['../../../x', '\u001b[31m', '', '-1', '01', '1e3', '12345678901234567890', 1.5, null, {}];

// ERROR-2
it.each(IMPOSSIBLE)('a created object with the id %j proves nothing about what was made', async (id) => {
  const { client } = aClientScene(() => json({ ...CAMPAIGN, id }, 201));
  expect(await callOf(client, 'once')).toMatchObject({
    kind: 'unknown',
    problem: { what: 'answered 201, but the body is not what the document says at id' },
  });
});

describe('no answer', () => {
  const NEVER_SENT = [
    ['connect', 'ECONNREFUSED'],
    ['getaddrinfo', 'ENOTFOUND'],
  ] as const;

  it.each(NEVER_SENT)('%s %s: never sent, so every row may go again, three more times', async (...why) => {
    for (const rule of RULES) {
      const { sent, words } = await constantly(rule, () => Promise.reject(failed(...why)));
      expect([sent, words]).toEqual([4, 'not sent']);
    }
  });

  it.each(['ECONNRESET', 'EPIPE', 'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC'])(
    '%s: anything may have happened',
    async (code) => {
      const sent = { read: 5, idempotent: 4, status: 9, unsend: 1, once: 1 };
      for (const rule of RULES) {
        const seen = await constantly(rule, () => Promise.reject(failed('read', code)));
        expect([seen.sent, seen.words]).toEqual([sent[rule], 'unknown']);
      }
    },
  );

  it('a time-out is unknown, and given one more chance where a repeat is harmless', async () => {
    for (const rule of RULES) {
      const scene = aClientScene(() => new Promise<Response>(() => undefined));
      const pending = callOf(scene.client, rule);
      const attempts = rule === 'unsend' || rule === 'once' ? 1 : 2;
      for (let attempt = 1; attempt <= attempts; attempt += 1)
        await expect.poll(() => scene.clock.timeOut(), { interval: 1 }).toBe(1);
      const result = await pending;
      expect(inWords(result)).toBe('unknown, timed out');
      expect(wordsOf(result)).toContain('no answer in 75 s');
      expect(scene.sent).toHaveLength(attempts);
    }
  });

  it('a body that never ends is a time-out too', async () => {
    const scene = aClientScene(() => new Response(new ReadableStream(), { status: 201 }));
    const pending = callOf(scene.client, 'once');
    await expect.poll(() => scene.clock.timeOut(), { interval: 1 }).toBe(1);
    expect(inWords(await pending)).toBe('unknown, timed out');
  });
});

describe('429', () => {
  // ERROR-3
  it.each(RULES)('%s: was not executed, so it waits and goes on', async (rule) => {
    const scene = aClientScene((_, nth) =>
      nth <= 3 ? json({ message: 'Rate limit exceeded' }, 429) : CALLS[rule].good(),
    );
    expect(inWords(await callOf(scene.client, rule))).toBe('done');
    expect(scene.clock.waits).toEqual([1000, 2000, 4000]);
  });

  it.each([
    ['7', 7000],
    [' 2 ', 2000],
    ['0', 1000],
    ['Mon, 01 Jun 2026 12:00:30 GMT', 1000],
    ['soon', 1000],
  ])('Retry-After %j means %i ms', async (header, waitMs) => {
    const busy = () => json({}, 429, { 'retry-after': header });
    const scene = aClientScene((_, nth) => (nth === 1 ? busy() : CALLS.once.good()));
    expect(inWords(await callOf(scene.client, 'once'))).toBe('done');
    expect(scene.clock.waits).toEqual([waitMs]);
  });

  it('gives up after three minutes in all, and says that it was throttled', async () => {
    const { words, waits } = await constantly('once', () => json({}, 429));
    expect(words).toBe('throttled');
    expect(waits.reduce((sum, wait) => sum + wait)).toBeLessThanOrEqual(180_000);
    expect((await constantly('once', () => json({}, 429, { 'retry-after': '3600' }))).sent).toBe(1);
    expect((await constantly('once', () => json({}, 429, { 'retry-after': '0' }))).sent).toBe(181);
  });
});

describe('a lost attempt before the last one', () => {
  const after = async (rule: Rule, last: () => Response | Promise<Response>) => {
    const scene = aClientScene((_, nth) =>
      nth === 1 ? Promise.reject(failed('read', 'ECONNRESET')) : last(),
    );
    return callOf(scene.client, rule);
  };
  const LASTS: [string, () => Response | Promise<Response>][] = [
    ['refused', () => json({ message: 'already archived' }, 409)],
    ['throttled', () => json({}, 429, { 'retry-after': '3600' })],
    ['never sent', () => Promise.reject(failed('connect', 'ECONNREFUSED'))],
  ];

  it.each(LASTS)('%s does not prove that nothing was changed', async (_, last) => {
    for (const rule of ['status', 'idempotent'] as const) {
      const result = await after(rule, last);
      expect(inWords(result)).toBe('unknown');
      expect(wordsOf(result)).toMatch(
        /the connection broke: the other side closed the connection \(ECONNRESET\); then /,
      );
    }
  });

  it('done is done, and a read keeps its last word', async () => {
    expect(inWords(await after('status', CALLS.status.good))).toBe('done');
    expect(inWords(await after('read', () => json({}, 404)))).toBe('refused');
  });
});

it('withholding is asked right before every send, also before a repeat', async () => {
  const asked: number[] = [];
  const scene = aClientScene(() => Promise.reject(failed('connect', 'ECONNREFUSED')));
  const beforeSend = () => (asked.push(scene.sent.length) < 3 ? null : 'its hour has come too near');
  const result = await scene.client.prepare('campaigns.create', CALLS.once.input)(beforeSend);
  expect(inWords(result)).toBe('withheld');
  expect(wordsOf(result)).toContain('its hour has come too near');
  expect(asked).toEqual([0, 1, 2]);
  expect(scene.sent).toHaveLength(2);
});

describe('the tables', () => {
  // ERROR-4
  it.each(WRITES)('%s sends the same bytes at every attempt', async (rule) => {
    const scene = aClientScene((_, nth) => (nth <= 2 ? json({}, 429) : CALLS[rule].good()));
    await callOf(scene.client, rule);
    const bodies = await Promise.all(scene.sent.map((request) => request.text()));
    expect(bodies).toEqual([bodies[0], bodies[0], bodies[0]]);
  });

  it('backs off doubling from half a second with jitter', async () => {
    const scene = aClientScene(() => json({}, 503), { random: () => 1 });
    await callOf(scene.client, 'status');
    expect(scene.clock.waits).toEqual([625, 1250, 2500, 5000, 10_000, 20_000, 37_500, 37_500]);
  });

  // ERROR-1
  it.each([
    ['done', (status: number) => status < 300],
    ['refused', (status: number) => status >= 400 && status < 500 && ![408, 425, 429].includes(status)],
    ['throttled', (status: number) => status === 429],
    [
      'unknown',
      (status: number) => [408, 425].includes(status) || (status >= 300 && (status < 400 || status > 499)),
    ],
  ])(
    'takes each status that an answer with a body may have for what it proves: %s',
    async (kind, isMeant) => {
      const statuses = Array.from({ length: 400 }, (_, index) => index + 200);
      for (const status of statuses.filter((one) => isMeant(one) && ![204, 205, 304].includes(one)))
        expect((await constantly('once', () => json(CAMPAIGN, status))).result.kind, `${status}`).toBe(kind);
    },
  );

  it('finds the cause of a failure however deep it lies', () => {
    const many = new AggregateError([new Error('connect ECONNREFUSED ::1:1')], '');
    expect(explainFailure(new TypeError('fetch failed', { cause: many })).why).toBe(
      'connect ECONNREFUSED ::1:1',
    );
    expect(explainFailure('plain words').why).toBe('plain words');
  });
});
