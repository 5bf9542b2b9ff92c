import { describe, expect, it } from 'vitest';
import { InvalidCallError, ServiceError } from '../../src/api/errors.ts';
import { ApiKey } from '../../src/api/key.ts';
import {
  allForms,
  aClientScene,
  BASE,
  CALLS,
  callOf,
  CAMPAIGN,
  failed,
  json,
  list,
  SECRET,
  wordsOf,
} from './client-scene.ts';

const LIST_URL = `${BASE}/api/v0/accounts/101/auto-message-campaigns`;

const problemOfAnswer = async (answer: () => Response) => {
  const result = await callOf(aClientScene(answer).client, 'once');
  if (result.kind === 'done') throw new Error('it was done');
  return result.problem;
};

// ERROR-11
describe('error bodies of every shape', () => {
  const details = { required_permission: 'auto_messages.edit' };
  it.each([
    ['flat', { code: 'NOPE', message: 'not so', details }],
    ['nested', { error: { code: 'NOPE', message: 'not so', details } }],
    ['listed', { errors: [{ code: 'NOPE', message: 'not so', details }, { code: 'OTHER' }] }],
  ])('%s', async (_, body) => {
    const problem = await problemOfAnswer(() => new Response(JSON.stringify(body), { status: 400 }));
    expect(problem).toMatchObject({ code: 'NOPE', what: 'answered 400: NOPE: not so', details });
  });

  it.each([
    ['text', 'Not so.', 'Not so.'],
    ['an error that is text', '{"error":"not so"}', 'not so'],
    ['a list of texts', '{"errors":["not so"]}', 'not so'],
    ['HTML', '<html><style>b{}</style><body><h1>502</h1>Bad\n gateway</body></html>', '502 Bad gateway'],
    ['nothing', '', null],
    ['null', 'null', 'null'],
    ['a number', '17', '17'],
    ['an object that says nothing', '{"a":1}', '{"a":1}'],
    ['odd members', '{"code":5,"message":null,"error":{"message":"not so"}}', 'not so'],
  ])('%s', async (_, text, message) => {
    const problem = await problemOfAnswer(() => new Response(text, { status: 400 }));
    expect(problem.what).toBe(message === null ? 'answered 400' : `answered 400: ${message}`);
  });

  it('huge ones are read to a bound and shown to a smaller one', async () => {
    let chunks = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        chunks += 1;
        controller.enqueue(new TextEncoder().encode('word '.repeat(1000)));
      },
    });
    const problem = await problemOfAnswer(() => new Response(endless, { status: 400 }));
    expect(problem.what.length).toBeLessThan(330);
    expect(chunks).toBeLessThan(30);
    const long = await problemOfAnswer(() =>
      json({ code: 'C'.repeat(5000), message: 'm'.repeat(50_000) }, 400),
    );
    expect(long.what.length).toBeLessThan(430);
  });

  it('cannot move the cursor of a terminal, and keep every digit of ids in the details', async () => {
    const problem = await problemOfAnswer(() =>
      json({ code: 'A\u001b[2J', message: 'one\r\ntwo\u0007\u009b31m' }, 400),
    );
    expect(problem.what).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
    const text = '{"code":"X","details":{"id":9007199254740993123}}';
    const { details } = await problemOfAnswer(() => new Response(text, { status: 400 }));
    expect(details).toEqual({ id: 9_007_199_254_740_993_123n });
  });
});

describe('what an error says to do', () => {
  const hint = async (status: number, body: unknown = {}) => {
    const result = await callOf(aClientScene(() => json(body, status)).client, 'once');
    return result.kind === 'done' ? null : result.problem.hint;
  };

  // ACCOUNT-8
  it('a missing permission is named from the details, else from the row', async () => {
    const denied = { code: 'API_KEY_PERMISSION_DENIED' };
    const named = await hint(403, { ...denied, details: { required_permission: 'some.other' } });
    expect(named).toContain('permission some.other');
    for (const details of [
      undefined,
      null,
      {},
      'text',
      { required_permission: 5 },
      { required_permission: 'x\u001b]8;;\n::error::' },
      [],
    ])
      expect(await hint(403, { ...denied, details })).toContain('permission auto_messages.edit');
    expect(await hint(403, { error: denied })).toContain('permission auto_messages.edit');
  });

  it.each([
    [401, 'HERALD_API_KEY'],
    [403, 'no access to this account'],
    [404, 'Not found. Check the id'],
    [429, 'Try again'],
    [302, 'service.base_url'],
    [500, 'Read the state before'],
    [408, 'Read the state before'],
  ])('%i', async (status, words) => {
    expect(await hint(status)).toContain(words);
  });

  it('a 502 of a single read may be content that no one can read', async () => {
    const { client } = aClientScene(() => json({}, 502));
    const read = client.read('broadcasts.get', { params: { account_id: '1', campaign_id: '9' } });
    await expect(read).rejects.toMatchObject({ problem: { hint: expect.stringContaining('unreadable') } });
  });
});

describe('an error says what, where and what next', () => {
  it('names status, code, message, method and address', async () => {
    const { client } = aClientScene(() => json({ code: 'NOPE', message: 'not so' }, 400));
    const error = await client
      .read('campaigns.list', { params: { account_id: '101' }, query: { limit: 5 } })
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ServiceError);
    expect(String(error)).toBe(`HeraldError: answered 400: NOPE: not so (GET ${LIST_URL}?limit=5)`);
  });

  it('names every bound that a call breaks, before anything is sent', async () => {
    const { client, sent } = aClientScene(() => json({}));
    const call = list(client, { limit: 101, offset: -1 });
    await expect(call).rejects.toThrow(InvalidCallError);
    await expect(call).rejects.toThrow(
      'campaigns.list was not sent: limit: a whole number from 1 to 100; offset: a whole number',
    );
    expect(sent).toHaveLength(0);
  });
});

describe('the key', () => {
  it('is refused when empty or not fit for a header, trimmed otherwise, and has no string form', () => {
    for (const bad of ['', '  \n', 'a b', 'a\r\nx: y', 'schlüssel'])
      expect(() => new ApiKey(bad)).toThrow('API key');
    expect(new ApiKey(` ${SECRET}\n`).reveal()).toBe(SECRET);
    const key = new ApiKey(SECRET);
    for (const shown of [allForms(key), allForms({ deep: [{ key }] }), String(key), structuredClone(key)])
      expect(allForms(shown)).not.toContain(SECRET);
    expect(JSON.stringify({ key })).toBe('{"key":"***"}');
  });

  it('never shows in an error, a log line or an exchange, whatever the service repeats', async () => {
    const echo = {
      code: `K-${SECRET}`,
      message: `bad token ${SECRET}`,
      details: { [SECRET]: [SECRET, { a: SECRET }] },
    };
    const answers: (() => Response | Promise<Response>)[] = [
      () => json(echo, 401),
      () => json({ error: echo }, 500),
      () => json({ message: `${'x'.repeat(290)}${SECRET}` }, 400),
      () => json(echo, 429, { 'retry-after': '3600' }),
      () => new Response(`<b>${SECRET}</b>`, { status: 502 }),
      () => new Response(null, { status: 302, headers: { location: `https://evil.test/${SECRET}` } }),
      () => new Response(`not json ${SECRET}`, { status: 200 }),
      () => Promise.reject(failed('read', 'ECONNRESET', `could not send ${SECRET}`)),
      () => Promise.reject(failed('connect', 'ECONNREFUSED', `could not reach ${SECRET}`)),
    ];
    for (const answer of answers) {
      const scene = aClientScene(answer);
      const result = await callOf(scene.client, 'once');
      const error = await scene.client
        .read('campaigns.get', CALLS.read.input)
        .catch((caught: unknown) => caught);
      const shown = [result, error, scene.lines, scene.client, wordsOf(result)].map(allForms).join('\n');
      expect(shown).not.toContain(SECRET.slice(0, 8));
      expect(scene.lines.length).toBeGreaterThan(1);
    }
  });

  // ACCOUNT-7
  it('leaves in its own header only', async () => {
    const { client, sent } = aClientScene(() => json(CAMPAIGN, 201));
    await callOf(client, 'once');
    const [request] = sent;
    expect([...(request?.headers ?? [])].filter(([, value]) => value.includes(SECRET))).toEqual([
      ['x-svc-auth-token', SECRET],
    ]);
    expect(request?.url).not.toContain(SECRET);
    expect(await request?.text()).not.toContain(SECRET);
  });
});

it('the log has one line for each request that was sent, answered or not', async () => {
  const scene = aClientScene((_, nth) =>
    nth === 1 ? Promise.reject(failed('read', 'ECONNRESET')) : json({ items: [], has_more: false }),
  );
  await list(scene.client);
  expect(scene.lines).toEqual([
    `GET ${LIST_URL} -> the connection broke: the other side closed the connection (ECONNRESET) in 0 ms`,
    `GET ${LIST_URL} -> 200 in 0 ms`,
  ]);
});
