import { describe, expect, it } from 'vitest';
import { aVisit, BROADCASTS, CAMPAIGNS, requestOf, type Visit } from './visit.ts';

describe('the key', () => {
  it.each([null, '', 'unknown-key'])('%j is a 401', async (key) => {
    const { call, control } = aVisit();
    expect((await call('GET', CAMPAIGNS, undefined, { key })).status).toBe(401);
    expect(control.oracle().requests).toMatchObject([{ status: 401 }]);
  });

  it('never stands in the request log', async () => {
    const { call, control } = aVisit({ keys: [{ key: 'a-secret-key', permissions: 'all' }] });
    await call('GET', CAMPAIGNS, undefined, { key: 'a-secret-key' });
    expect(JSON.stringify(control.oracle())).not.toContain('a-secret-key');
  });
});

it.each([
  ['GET', '/api/v0/nothing'],
  ['DELETE', CAMPAIGNS],
  ['GET', '/api/v0/accounts/555'],
  ['GET', `${CAMPAIGNS}/1`],
  ['GET', `${BROADCASTS}/1`],
  ['POST', `${BROADCASTS}/1/unsend`],
])('what is not there: %s %s answers 404', async (method, path) => {
  const { call } = aVisit();
  expect((await call(method, path)).status).toBe(404);
});

/** The statuses of `count` calls at the same instant, counted. */
async function burst(visit: Visit, count: number, path: string, key = 'sim-key') {
  const send = () =>
    visit.simulator.fetch(requestOf(`http://simulator.test${path}`, 'GET', undefined, { key }));
  const answers = await Promise.all(Array.from({ length: count }, send));
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const TWO_KEYS = [
  { key: 'sim-key', permissions: 'all' as const },
  { key: 'other-key', permissions: 'all' as const },
];

const RATES = { rates: 'published' } as const;

describe('rates', () => {
  it('are counted for each endpoint and each token apart, and for accounts together', async () => {
    const visit = aVisit({ keys: TWO_KEYS, modes: RATES });
    expect(await burst(visit, 8, CAMPAIGNS)).toEqual({ 200: 5, 429: 3 });
    expect(await burst(visit, 5, BROADCASTS)).toEqual({ 200: 5 });
    expect(await burst(visit, 5, CAMPAIGNS, 'other-key')).toEqual({ 200: 5 });
    expect(await burst(visit, 1, CAMPAIGNS.replace('101', '102'))).toEqual({ 429: 1 });
  });

  it('slide strictly: no second holds more than five, however it is cut', async () => {
    const visit = aVisit({ modes: RATES });
    await burst(visit, 3, CAMPAIGNS);
    visit.clock.move(600);
    await burst(visit, 2, CAMPAIGNS);
    visit.clock.move(399);
    expect(await burst(visit, 1, CAMPAIGNS)).toEqual({ 429: 1 });
    visit.clock.move(1);
    expect(await burst(visit, 4, CAMPAIGNS)).toEqual({ 200: 3, 429: 1 });
    visit.clock.move(599);
    expect(await burst(visit, 1, CAMPAIGNS)).toEqual({ 429: 1 });
    visit.clock.move(1);
    expect(await burst(visit, 3, CAMPAIGNS)).toEqual({ 200: 2, 429: 1 });
  });

  it('of a token are 25 over all endpoints, and calls without permission do not use them up', async () => {
    const keys = [...TWO_KEYS, { key: 'bare', permissions: ['auto_messages.view' as const] }];
    const visit = aVisit({ keys, modes: RATES });
    expect(await burst(visit, 15, '/api/v0/accounts')).toEqual({ 200: 15 });
    expect(await burst(visit, 15, '/api/v0/accounts/101')).toEqual({ 200: 10, 429: 5 });
    expect(await burst(visit, 30, '/api/v0/accounts', 'bare')).toEqual({ 403: 30 });
    expect(await burst(visit, 5, CAMPAIGNS, 'bare')).toEqual({ 200: 5 });
  });

  it('of payouts are one call a second for a platform account, over all endpoints and tokens', async () => {
    const visit = aVisit({ keys: TWO_KEYS, modes: RATES });
    const path = (account: string, what: string) =>
      `/proxy/v0/platforms/platform_a/accounts/${account}/statements/${what}`;
    expect(await burst(visit, 1, path('9101', 'balances'))).toEqual({ 200: 1 });
    expect(await burst(visit, 1, path('9101', 'payout-requests'), 'other-key')).toEqual({ 429: 1 });
    expect(await burst(visit, 1, path('9102', 'balances'), 'other-key')).toEqual({ 200: 1 });
  });
});
