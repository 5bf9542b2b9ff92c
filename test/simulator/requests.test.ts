import { describe, expect, it } from 'vitest';
import {
  aBroadcastBody,
  aCampaignBody,
  aVisit,
  BROADCASTS,
  CAMPAIGNS,
  SCHEDULED,
  type Json,
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

  it('a body that is not JSON, or does not say that it is', async () => {
    const { call } = aVisit();
    expect((await call('POST', CAMPAIGNS, '{"trigger":')).status).toBe(400);
    const headers = { 'content-type': 'text/plain' };
    expect((await call('POST', CAMPAIGNS, aCampaignBody(), { headers })).status).toBe(400);
  });

  it('a body where there is none to send', async () => {
    const visit = aVisit();
    const id = visit.campaign();
    expect((await visit.call('POST', `${CAMPAIGNS}/${id}/unsend`, {})).status).toBe(400);
  });
});

describe('an error', () => {
  const problem = { code: 'VALIDATION_ERROR', message: expect.any(String), details: expect.anything() };
  it.each([
    ['flat', problem],
    ['nested', { error: problem }],
  ] as const)('is %s JSON', async (errorBody, expected) => {
    const { status, body } = await aVisit({ modes: { errorBody } }).call('GET', `${CAMPAIGNS}?limit=0`);
    expect([status, body]).toEqual([400, expected]);
  });

  it.each([
    ['text', 'text/plain', /^limit/],
    ['html', 'text/html', /^<html>/],
  ] as const)('is %s where the service answers so', async (errorBody, type, text) => {
    const refused = await aVisit({ modes: { errorBody } }).call('GET', `${CAMPAIGNS}?limit=0`);
    expect([refused.status, refused.headers.get('content-type')]).toEqual([
      400,
      expect.stringContaining(type),
    ]);
    expect(refused.text).toMatch(text);
  });
});
