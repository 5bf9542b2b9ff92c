import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { listShape } from '../../src/cli/schemas.ts';
import { errorReportShape } from '../../src/domain/change.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { documentOf } from '../helpers/flows.ts';
import type { FlowClock } from '../helpers/flow-clock.ts';
import { aScene, NOON, type Scene } from '../helpers/scene.ts';

const listed = listShape.extend({ items: z.array(z.record(z.string(), z.unknown())) });
const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

/** Pauses between tries cost nothing; the deadline of a call, which is longer, never comes. */
const LONGEST_PAUSE_MS = 10_000;

function patientClock(): FlowClock {
  let elapsedMs = 0;
  return {
    now: () => NOON + elapsedMs,
    monotonicMs: () => elapsedMs,
    move: (ms) => void (elapsedMs += ms),
    sleep: (ms) => {
      if (ms > LONGEST_PAUSE_MS) return new Promise(() => undefined);
      elapsedMs += ms;
      return Promise.resolve();
    },
  };
}

const HERALD_YAML = `version: 1
service: { base_url: https://svc.test/base }
accounts: { alice: { platform_account_id: "9101" } }
`;

/** The service answers its nth request with the nth of these, and the last one permanently. */
function served(list: string, ...answers: readonly (string | Response)[]): { scene: Scene; asked: URL[] } {
  const asked: URL[] = [];
  server.use(
    http.get(`https://svc.test/base/*/${list}`, ({ request }) => {
      asked.push(new URL(request.url));
      const answer = answers[Math.min(asked.length, answers.length) - 1] ?? '';
      return typeof answer === 'string'
        ? new HttpResponse(answer, { headers: { 'content-type': 'application/json' } })
        : answer.clone();
    }),
  );
  const scene = aScene({ files: { 'herald.yaml': HERALD_YAML }, clock: patientClock() });
  scene.env['HERALD_API_KEY'] = 'k3y-of-the-organisation';
  scene.env['HERALD_ALLOWED_ORIGINS'] = 'https://svc.test';
  return { scene, asked };
}

const USERS = ['traffic', 'trial-link-users', '--format', 'json'];
const user = (link: number | string) => `{"link_id":${link},"fan":{"id":9007199254740993123}}`;

describe('a row', () => {
  it('names the account, whatever the service calls its own members', async () => {
    const { scene } = served('trial-link-users', `{"items":[{"account":"=evil",${user(7).slice(1)}]}`);
    const { items } = documentOf(await scene.herald(...USERS), listed);
    expect(items.map(({ account }) => account)).toEqual(['alice']);
  });
});

describe('a reply that is not what the document says', () => {
  it.each([
    ['no items', '{}', 'at items'],
    ['items that are null', '{"items":null}', 'at items'],
    ['items that are an object', '{"items":{"a":1}}', 'at items'],
    ['an item that is null', '{"items":[null]}', 'at items.0'],
    ['an item that is text', '{"items":["x"]}', 'at items.0'],
    ['a list without its envelope', '[]', 'not what the document says'],
    ['a cursor that is a number', `{"items":[${user(1)}],"cursor":7}`, 'at cursor'],
    ['half of it', '{"items":[', 'not valid JSON'],
    ['nothing', '', 'not valid JSON'],
    ['a page of a gateway', '<html><body>OK</body></html>', 'not valid JSON'],
  ])('is never taken for an empty list: %s', async (_, answer, words) => {
    const ran = await served('trial-link-users', answer).scene.herald(...USERS);
    const { message, details } = documentOf(ran, errorReportShape);
    expect([ran.code, message]).toEqual([1, expect.stringContaining(words)]);
    expect(message).toContain('(GET https://svc.test/base/api/v0/platforms/platform_a/accounts/9101/');
    expect(JSON.stringify([message, details, ran.stderr])).not.toContain('k3y');
  });

  it.each([
    ['is missing', ''],
    ['is null', ',"cursor":null'],
    ['is empty', ',"cursor":""'],
  ])('ends where the next cursor %s', async (_, cursor) => {
    const { scene, asked } = served('trial-link-users', `{"items":[${user(1)}]${cursor}}`);
    const { items, complete } = documentOf(await scene.herald(...USERS), listed);
    expect([items.length, complete, asked.length]).toEqual([1, true, 1]);
  });

  it('hands a cursor back as it came, whatever stands in it', async () => {
    const odd = 'a+b/c==&limit=1#é';
    const page = `{"items":[${user(1)}],"cursor":${JSON.stringify(odd)}}`;
    const { scene, asked } = served('trial-link-users', page, `{"items":[${user(2)}]}`);
    const { items } = documentOf(await scene.herald(...USERS), listed);
    expect(items.map(({ link_id: link }) => link)).toEqual(['1', '2']);
    expect(asked.map(({ searchParams }) => searchParams.get('cursor'))).toEqual([null, odd]);
    expect(asked.map(({ searchParams }) => searchParams.get('limit'))).toEqual(['750', '750']);
  });

  it('keeps every digit of an id, and members that no one knows', async () => {
    const item = '{"link_id":9007199254740993123,"fan":{"id":1},"more":[9007199254740993125,1.5]}';
    const { scene } = served('trial-link-users', `{"items":[${item}]}`);
    const { stdout } = await scene.herald('traffic', 'trial-link-users', '--format', 'ndjson');
    expect(stdout).toBe(
      '{"account":"alice","link_id":"9007199254740993123","fan":{"id":"1"},"more":[9007199254740993125,1.5]}\n',
    );
  });

  it('is reported with what was read before it', async () => {
    const { scene } = served('trial-link-users', `{"items":[${user(1)}],"cursor":"next"}`, '{"items":null}');
    const ran = await scene.herald(...USERS);
    const { items, complete } = documentOf(ran, listed);
    expect([ran.code, items.length, complete]).toEqual([1, 1, false]);
    expect(ran.stderr).toContain('the body is not what the document says at items');
  });

  it.each([502, 503])('may be a page of a gateway, again and again: %s', async (status) => {
    const html = new Response('<html><script>x()</script><h1>Bad gateway</h1></html>', { status });
    const { scene, asked } = served('trial-link-users', html);
    const ran = await scene.herald(...USERS);
    const { message } = documentOf(ran, errorReportShape);
    expect([ran.code, message]).toEqual([1, expect.stringContaining(`answered ${status}: Bad gateway`)]);
    expect(message).not.toMatch(/script|<h1>/);
    expect(asked.length).toBeGreaterThan(1);
  });

  it('may come after tries that failed', async () => {
    const down = new Response('', { status: 503 });
    const { scene, asked } = served('trial-link-users', down, down, `{"items":[${user(1)}]}`);
    const ran = await scene.herald(...USERS);
    expect([ran.code, documentOf(ran, listed).items.length, asked.length]).toEqual([0, 1, 3]);
  });

  it.each([
    [401, 'The API key was not accepted.'],
    [403, 'The key has no access to this account or platform'],
    [302, 'A redirect is never followed.'],
  ])('is refused at once with %s', async (status, hint) => {
    const { scene, asked } = served(
      'trial-link-users',
      new Response(null, { status, headers: { location: 'https://else.test/' } }),
    );
    const ran = await scene.herald(...USERS);
    expect([ran.code, documentOf(ran, errorReportShape).hint]).toEqual([1, expect.stringContaining(hint)]);
    expect(asked.every(({ host }) => host === 'svc.test')).toBe(true);
  });
});

describe('a row without its id', () => {
  const BY_ID = HERALD_YAML.replace(
    'platform_account_id: "9101"',
    'id: "101", platform_account_id: "9101", platform: primary',
  );
  const withIds = (list: string, answer: string) => {
    const { scene } = served(list, answer, '{"items":[]}');
    scene.files.tree['herald.yaml'] = BY_ID;
    return scene;
  };

  it.each([
    ['accounts', 'accounts list', '{"accounts":[{"id":null,"name":"a"},{"id":null,"name":"b"},{"id":7}]}'],
    ['tracking-links', 'traffic tracking-links', ''],
    ['trial-links', 'traffic trial-links', ''],
    ['chargebacks', 'revenue chargebacks', ''],
    ['transactions', 'revenue transactions', ''],
    [
      'users/metrics',
      'team metrics',
      '{"items":[{"user_id":null,"a":1},{"user_id":null,"a":2},{"user_id":7}]}',
    ],
    ['members', 'team members', '{"users":[{"id":null,"name":"a"},{"id":null,"name":"b"},{"id":7}]}'],
    ['chats/9/messages', 'chat messages 9', ''],
    ['payout-requests', 'payouts list', '{"list":[{"invoiceId":null},{"amount":2},{"invoiceId":7}]}'],
    ['vault/folders', 'vault folders', ''],
    ['vault/folders/1/medias', 'vault media 1', ''],
    ['vault/medias/uploads', 'vault uploads', '{"items":[{"id":null,"status":"a"},{"id":null},{"id":"7"}]}'],
    ['auto-message-campaigns', 'campaigns list', ''],
    ['priority-mass-message-campaigns', 'broadcasts list', ''],
  ])('is shown, and so are the others: %s', async (list, command, answer) => {
    const rows = '{"items":[{"id":null,"name":"a"},{"id":null,"name":"b"},{"id":7}],"has_more":false}';
    const scene = withIds(list, answer === '' ? rows : answer);
    const ran = await scene.herald(...command.split(' '), '--format', 'json');
    const { items, complete } = documentOf(ran, listed);
    const ids = items.map((item) => item['id'] ?? item['user_id'] ?? item['invoiceId'] ?? null);
    expect([ran.code, complete, ids]).toEqual([0, true, [null, null, '7']]);
  });

  it('has an empty cell', async () => {
    const scene = withIds('transactions', '{"items":[{"id":null,"amount":5}]}');
    const ran = await scene.herald(
      'revenue',
      'transactions',
      '--columns',
      'account,id,amount',
      '--format',
      'csv',
    );
    expect(ran.stdout.trim().split(/\r?\n/)[1]).toBe('alice,,5');
  });

  it('decides nothing: a plan does not go on without the id of a campaign', async () => {
    const { scene } = served('auto-message-campaigns', '{"items":[{"id":null,"name":"a"}],"has_more":false}');
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign()] }));
    scene.files.tree['herald.yaml'] = `${BY_ID}files: ["live/*.yaml"]\n`;
    server.use(
      http.get('https://svc.test/base/*/priority-mass-message-campaigns', () =>
        HttpResponse.json({ items: [], has_more: false }),
      ),
    );
    const ran = await scene.herald('plan', '--format', 'json');
    expect([ran.code, documentOf(ran, errorReportShape).message]).toEqual([
      1,
      expect.stringContaining('items.0.id'),
    ]);
  });
});
