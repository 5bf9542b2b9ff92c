import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { CATALOGUE, OPERATIONS } from '../../src/api/catalogue.ts';
import { FIELDS, REQUESTS, type Part } from './documented-values.ts';
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
    ['another clock', BROADCASTS, aBroadcastBody({ ...SCHEDULED, scheduled_at_timezone_mode: 'fan' })],
    ['an end without its clock', BROADCASTS, aBroadcastBody({ rules: { end_at: SCHEDULED.scheduled_at } })],
    [
      'a rule that is read only',
      BROADCASTS,
      aBroadcastBody({ rules: { unsend_if_not_replied_enabled: true } }),
    ],
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

describe('what is just within bounds is accepted:', () => {
  it.each<[string, string, Json]>([
    [
      'a filter of an unknown kind',
      CAMPAIGNS,
      aCampaignBody({ audience_filters: [{ kind: 'x', mode: 'exclude' }] }),
    ],
    ['a trigger that no document names', CAMPAIGNS, aCampaignBody({ trigger: 'expiring_soon' })],
    [
      'an end before the schedule',
      BROADCASTS,
      aBroadcastBody({
        ...SCHEDULED,
        rules: { end_at: '2026-06-01T13:00:00Z', end_at_timezone_mode: 'utc' },
      }),
    ],
  ])('%s', async (_case, path, body) => {
    expect((await aVisit().call('POST', path, body)).status).toBe(201);
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
  ] as const)('is %s where the service answers so, with another status', async (errorBody, type, text) => {
    const visit = aVisit({ modes: { errorBody, validationStatus: 422 } });
    const refused = await visit.call('GET', `${CAMPAIGNS}?limit=0`);
    expect([refused.status, refused.headers.get('content-type')]).toEqual([
      422,
      expect.stringContaining(type),
    ]);
    expect(refused.text).toMatch(text);
  });
});

/** The request with one of its fields exchanged, at any depth. */
function withField(request: object, path: string, value: unknown): unknown {
  const copy = structuredClone(request) as Record<string, unknown>;
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let holder = copy;
  for (const key of keys) holder = holder[key] as Record<string, unknown>;
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return copy;
}

describe('the requests of the catalogue, which client and simulator check', () => {
  const cases = FIELDS.flatMap((field) => field.of.map((name) => ({ name, field })));
  it.each(cases.map((one) => [`${one.name} ${one.field.path}`, one] as const))(
    'take the documented values of %s, and no others (CONTENT-7, READ-7)',
    (_title, { name, field }) => {
      const request = (REQUESTS[name] as Partial<Record<Part, object>>)[field.in] ?? {};
      const shape: z.ZodType | null = CATALOGUE[name][field.in];
      const takes = (value: unknown) => shape?.safeParse(value).success === true;
      expect(takes(request), 'the request without the change').toBe(true);
      for (const value of field.taken)
        expect([value, takes(withField(request, field.path, value))]).toEqual([value, true]);
      for (const value of field.refused)
        expect([value, takes(withField(request, field.path, value))]).toEqual([value, false]);
    },
  );

  it('have documented values for every operation with a body', () => {
    const withBody = OPERATIONS.filter((name) => CATALOGUE[name].body !== null);
    const described = new Set<string>(FIELDS.flatMap((field) => (field.in === 'body' ? field.of : [])));
    expect(withBody.filter((name) => !described.has(name))).toEqual([]);
  });
});
