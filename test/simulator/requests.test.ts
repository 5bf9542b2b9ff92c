import { describe, expect, it } from 'vitest';
import {
  aBroadcastBody,
  aCampaignBody,
  aVisit,
  BROADCASTS,
  CAMPAIGNS,
  requestOf,
  SCHEDULED,
  type Json,
  type Visit,
} from './visit.ts';

describe('a request out of bounds is a 400 that says what is wrong:', () => {
  it.each([
    '/api/v0/accounts/007',
    '/api/v0/accounts/%E0%A4%A',
    `${CAMPAIGNS}?limit=1&limit=2`,
    `${CAMPAIGNS}?page=2`,
  ])('GET %s', async (path) => {
    const { status, body } = await aVisit().call('GET', path);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'VALIDATION_ERROR', details: { issues: [{}] } });
  });

  it.each<[string, string, Json]>([
    ['a campaign without a trigger', CAMPAIGNS, aCampaignBody({ trigger: undefined })],
    ['a start_mimic with messages', CAMPAIGNS, aCampaignBody({ action: 'start_mimic' })],
    ['an empty message', CAMPAIGNS, aCampaignBody({ messages: [{ text: '' }] })],
    ['a misspelt member', CAMPAIGNS, aCampaignBody({ audience_filter: [] })],
    ['a broadcast without messages', BROADCASTS, aBroadcastBody({ messages: [] })],
    ['a clock without its schedule', BROADCASTS, aBroadcastBody({ scheduled_at_timezone_mode: 'utc' })],
    ['an end without its clock', BROADCASTS, aBroadcastBody({ rules: { end_at: SCHEDULED.scheduled_at } })],
    ['a read-only rule', BROADCASTS, aBroadcastBody({ rules: { unsend_if_not_replied_enabled: true } })],
  ])('%s', async (_case, path, sent) => {
    const { call, control } = aVisit();
    expect((await call('POST', path, sent)).status).toBe(400);
    expect(control.oracle().commits).toEqual([]);
  });

  it('a body that is not JSON, does not say that it is, or is sent where there is none', async () => {
    const { call, campaign } = aVisit();
    expect((await call('POST', CAMPAIGNS, '{"trigger":')).status).toBe(400);
    const headers = { 'content-type': 'text/plain' };
    expect((await call('POST', CAMPAIGNS, aCampaignBody(), { headers })).status).toBe(400);
    expect((await call('POST', `${CAMPAIGNS}/${campaign()}/unsend`, {})).status).toBe(400);
  });
});

it.each([
  ['flat', 'application/json', /^\{"code":"VALIDATION_ERROR","message":".+","details":./],
  ['nested', 'application/json', /^\{"error":\{"code":"VALIDATION_ERROR","message":".+","details":./],
  ['text', 'text/plain', /^limit/],
  ['html', 'text/html', /^<html>/],
] as const)('an error is %s where the service answers so', async (errorBody, type, text) => {
  const refused = await aVisit({ modes: { errorBody } }).call('GET', `${CAMPAIGNS}?limit=0`);
  expect([refused.status, refused.headers.get('content-type')]).toEqual([400, expect.stringContaining(type)]);
  expect(refused.text).toMatch(text);
});

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
