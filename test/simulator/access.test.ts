import { afterEach, describe, expect, it } from 'vitest';
import { OPERATIONS, rowOf } from '../../src/api/catalogue.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { serveSimulator, type ServedSimulator } from '../../src/simulator/serve.ts';
import { createWorld, type WorldOptions } from '../../src/simulator/world.ts';
import { aBroadcastBody, aVisit, BROADCASTS, CAMPAIGNS, itemsOf, requestOf } from './visit.ts';
import { virtualClock, type VirtualClock } from './virtual-clock.ts';

describe('the key', () => {
  it.each([null, '', 'unknown-key'])('%j is a 401', async (key) => {
    const { call, control } = aVisit();
    expect((await call('GET', CAMPAIGNS, undefined, { key })).status).toBe(401);
    expect(control.oracle().requests).toMatchObject([{ status: 401, auth_header_seen: key !== null }]);
  });

  it('is read from the header that the world names', async () => {
    const { call } = aVisit({ authHeader: 'X-Brand-Token' });
    const headers = { 'x-brand-token': 'sim-key' };
    expect((await call('GET', CAMPAIGNS, undefined, { key: null, headers })).status).toBe(200);
    expect((await call('GET', CAMPAIGNS)).status).toBe(401);
  });

  it('can be revoked while the service runs', async () => {
    const { call, control } = aVisit();
    control.addKey({ key: 'sim-key', permissions: 'all', revoked: true });
    expect((await call('GET', CAMPAIGNS)).status).toBe(401);
  });

  it('never stands in the request log', async () => {
    const { call, control } = aVisit({ keys: [{ key: 'a-secret-key', permissions: 'all' }] });
    await call('GET', CAMPAIGNS, undefined, { key: 'a-secret-key' });
    expect(JSON.stringify(control.oracle())).not.toContain('a-secret-key');
  });
});

describe('permissions', () => {
  it.each(OPERATIONS.map((operation) => [operation, rowOf(operation)] as const))(
    '%s without its own answers 403 and names it, whatever else is wrong',
    async (_operation, row) => {
      const { call } = aVisit({ keys: [{ key: 'bare', permissions: [] }] });
      const path = row.path.replaceAll(/\{\w+\}/g, 'nonsense');
      const { status, body } = await call(row.method, path, undefined, { key: 'bare' });
      expect(status).toBe(403);
      expect(body).toMatchObject({
        code: 'API_KEY_PERMISSION_DENIED',
        details: { required_permission: row.permission },
      });
    },
  );
});

describe('the scope of a key', () => {
  const keys = [
    { key: 'only-102', permissions: 'all' as const, accounts: ['102'] },
    { key: 'platform-a', permissions: 'all' as const, platform: 'platform_a' },
  ];

  it('refuses other accounts with a plain 403', async () => {
    const { call } = aVisit({ keys });
    const { status, body } = await call('GET', CAMPAIGNS, undefined, { key: 'only-102' });
    expect([status, body['code']]).toEqual([403, undefined]);
  });

  it('refuses them with a 404 where the service hides them', async () => {
    const { call } = aVisit({ keys, modes: { scopeStatus: 404 } });
    expect((await call('GET', CAMPAIGNS, undefined, { key: 'only-102' })).status).toBe(404);
  });

  it('shows only its own accounts', async () => {
    const { call } = aVisit({ keys });
    const { body } = await call('GET', '/api/v0/accounts', undefined, { key: 'only-102' });
    expect(body['accounts']).toMatchObject([{ id: 102 }]);
  });

  it('of a platform covers accounts that were added later', async () => {
    const { call, control } = aVisit({ keys });
    control.addAccount({ id: '999' });
    const path = '/api/v0/accounts/999/auto-message-campaigns';
    expect((await call('GET', path, undefined, { key: 'platform-a' })).status).toBe(200);
    const other = await call('GET', '/api/v0/accounts/201', undefined, { key: 'platform-a' });
    expect(other.status).toBe(403);
  });
});

describe('accounts of the other platform', () => {
  const campaigns = '/api/v0/accounts/201/auto-message-campaigns';
  const broadcasts = '/api/v0/accounts/201/priority-mass-message-campaigns';

  it('are refused for campaigns and broadcasts', async () => {
    const { call } = aVisit();
    expect((await call('GET', campaigns)).status).toBe(400);
    expect((await call('GET', broadcasts)).status).toBe(400);
  });
});

describe('what is not there', () => {
  it.each([
    ['GET', '/api/v0/nothing'],
    ['DELETE', CAMPAIGNS],
    ['GET', '/api/v0/accounts/555'],
    ['GET', `${CAMPAIGNS}/1`],
    ['GET', `${BROADCASTS}/1`],
    ['POST', `${BROADCASTS}/1/unsend`],
  ])('%s %s answers 404', async (method, path) => {
    const { call } = aVisit();
    expect((await call(method, path)).status).toBe(404);
  });

  it('does not mix up the objects of two accounts', async () => {
    const { call, campaign } = aVisit();
    const id = campaign();
    const other = '/api/v0/accounts/102/auto-message-campaigns';
    expect((await call('GET', `${other}/${id}`)).status).toBe(404);
    expect(itemsOf(await call('GET', other))).toEqual([]);
  });
});

interface Served extends ServedSimulator {
  readonly clock: VirtualClock;
  get(path: string, key?: string): Promise<Response>;
}

const open: ServedSimulator[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((served) => served.close()));
});

/** A simulator on a socket, with arrivals that are timed by a clock that the test moves. */
async function served(options: WorldOptions = {}): Promise<Served> {
  const clock = virtualClock();
  const listening = await serveSimulator(createSimulator(createWorld(options), { clock }), { port: 0 });
  open.push(listening);
  return {
    ...listening,
    clock,
    get: async (path, key = 'sim-key') => {
      const response = await fetch(requestOf(listening.url + path, 'GET', undefined, { key }));
      await response.text();
      return response;
    },
  };
}

/** The statuses of `count` calls at the same instant. */
async function burst(
  service: Served,
  count: number,
  path: string,
  key?: string,
): Promise<Record<number, number>> {
  const answers = await Promise.all(Array.from({ length: count }, () => service.get(path, key)));
  return tally(answers.map(({ status }) => status));
}

function tally(statuses: readonly number[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('the rate of an endpoint, over a socket', () => {
  it('lets 5 lists of campaigns through in a second', async () => {
    const service = await served();
    expect(await burst(service, 8, CAMPAIGNS)).toEqual({ 200: 5, 429: 3 });
  });

  it('is counted for each endpoint and each token apart, and for accounts together', async () => {
    const service = await served({
      keys: [
        { key: 'sim-key', permissions: 'all' },
        { key: 'other-key', permissions: 'all' },
      ],
    });
    expect(await burst(service, 5, CAMPAIGNS)).toEqual({ 200: 5 });
    expect(await burst(service, 5, BROADCASTS)).toEqual({ 200: 5 });
    expect(await burst(service, 5, CAMPAIGNS, 'other-key')).toEqual({ 200: 5 });
    expect(await burst(service, 1, CAMPAIGNS.replace('101', '102'))).toEqual({ 429: 1 });
  });

  it('slides strictly: no second holds more than five, however it is cut', async () => {
    const service = await served();
    await burst(service, 3, CAMPAIGNS);
    service.clock.pause(600);
    await burst(service, 2, CAMPAIGNS);
    service.clock.pause(399);
    expect(await burst(service, 1, CAMPAIGNS)).toEqual({ 429: 1 });
    service.clock.pause(1);
    expect(await burst(service, 4, CAMPAIGNS)).toEqual({ 200: 3, 429: 1 });
    service.clock.pause(599);
    expect(await burst(service, 1, CAMPAIGNS)).toEqual({ 429: 1 });
    service.clock.pause(1);
    expect(await burst(service, 3, CAMPAIGNS)).toEqual({ 200: 2, 429: 1 });
  });
});

describe('the rate of a token', () => {
  it('is 25 over all endpoints', async () => {
    const service = await served();
    const paths = ['/api/v0/accounts', '/api/v0/accounts/101'];
    const counts = await Promise.all(paths.map((path) => burst(service, 15, path)));
    const total = counts.reduce((sum, count) => sum + (count[200] ?? 0), 0);
    expect(total).toBe(25);
  });

  it('is not used up by calls without permission', async () => {
    const keys = [{ key: 'bare', permissions: ['auto_messages.view' as const] }];
    const service = await served({ keys });
    expect(await burst(service, 30, '/api/v0/accounts', 'bare')).toEqual({ 403: 30 });
    expect(await burst(service, 5, CAMPAIGNS, 'bare')).toEqual({ 200: 5 });
  });
});

describe('the payout group', () => {
  it('takes one call a second for a platform account, over all its endpoints and tokens', async () => {
    const service = await served({
      keys: [
        { key: 'sim-key', permissions: 'all' },
        { key: 'other-key', permissions: 'all' },
      ],
    });
    const statements = (account: string) =>
      `/proxy/v0/platforms/platform_a/accounts/${account}/statements/balances`;
    const requests = statements('9101').replace('balances', 'payout-requests');
    expect(await burst(service, 1, statements('9101'))).not.toHaveProperty('429');
    expect(await burst(service, 1, requests, 'other-key')).toEqual({ 429: 1 });
    expect(await burst(service, 1, statements('9102'), 'other-key')).not.toHaveProperty('429');
  });
});

describe('a 429', () => {
  const createTwice = async (options: WorldOptions) => {
    const visit = aVisit(options);
    const create = () =>
      visit.simulator.fetch(requestOf(`http://simulator.test${BROADCASTS}`, 'POST', aBroadcastBody()));
    await create();
    return { visit, second: await create() };
  };

  it('has no side effect and is counted', async () => {
    const { visit, second } = await createTwice({});
    expect(second.status).toBe(429);
    expect(await second.json()).toEqual({ message: 'Rate limit exceeded' });
    expect(second.headers.has('retry-after')).toBe(false);
    const { throttled, commits } = visit.control.oracle();
    expect([throttled, commits.length]).toEqual([1, 1]);
  });

  it('says when to come back, in seconds or as a date, where the service does', async () => {
    const seconds = await createTwice({ modes: { retryAfter: 'seconds' } });
    expect(seconds.second.headers.get('retry-after')).toBe('1');
    const date = await createTwice({ modes: { retryAfter: 'date' } });
    expect(date.second.headers.get('retry-after')).toBe('Mon, 01 Jun 2026 12:00:01 GMT');
  });
});
