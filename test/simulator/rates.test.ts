import { afterEach, describe, expect, it } from 'vitest';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { serveSimulator, type ServedSimulator } from '../../src/simulator/serve.ts';
import { createWorld, type WorldOptions } from '../../src/simulator/world.ts';
import { aBroadcastBody, aVisit, BROADCASTS, CAMPAIGNS, requestOf } from './visit.ts';
import { virtualClock, type VirtualClock } from './virtual-clock.ts';

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
