import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { CATALOGUE, OPERATIONS, type Operation } from '../../src/api/catalogue.ts';
import {
  aBroadcastBody,
  aCampaignBody,
  aVisit,
  BROADCASTS,
  CAMPAIGNS,
  SCHEDULED,
  type Json,
} from './visit.ts';

type Part = 'query' | 'body';

/** Requests that the service takes. Each field of the tables below is put into one of them. */
const REQUESTS = {
  'accounts.list': { query: {} },
  'traffic.subscriptions': { query: { start: '2026-01-01T00:00:00Z', end: '2026-02-01T00:00:00Z' } },
  'traffic.trial-link-users': { query: {} },
  'revenue.transactions': { query: { start: '2026-01-01T00:00:00Z', end: '2026-02-01T00:00:00Z' } },
  'team.metrics': {
    query: { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z', offset: '0', limit: '100' },
  },
  'team.members': { query: { offset: '0', limit: '50' } },
  'fans.list': { query: {} },
  'fans.label': { body: { custom_name: 'Tom' } },
  'chat.messages': { query: {} },
  'chat.send': { body: { text: 'Hi' } },
  'payouts.list': { query: {} },
  'payouts.request': { body: { withdrawal_amount: 20 } },
  'vault.folders': { query: {} },
  'vault.uploads': { query: {} },
  'vault.verify-fan': { body: { fan_link: 'https://platform.example/tom' } },
  'vault.upload-start': { body: { name: 'a.jpg', size: 1, content_type: 'image/jpeg' } },
  'vault.upload-finish': { body: { key: 'k', upload_id: 'u', parts: [{ part: 1, e_tag: 'e' }] } },
  'vault.upload-export': {
    body: {
      name: 'a.jpg',
      size: 1,
      content_type: 'image/jpeg',
      key: 'k',
      e_tag: 'e',
      get_url: 'https://store.example/k',
      export_type: 'post',
    },
  },
  'campaigns.list': { query: {} },
  'broadcasts.list': { query: {} },
  'campaigns.create': {
    body: {
      name: 'Welcome',
      trigger: 'welcome_message',
      action: 'send_message',
      rules: {},
      audience_filters: [{ kind: 'subscribed_date', mode: 'include', options: {} }],
      messages: [{ text: 'Hi', attachments: [{ id: '1', type: 'image' }] }],
    },
  },
  'campaigns.set-status': { body: { status: 'paused' } },
  'broadcasts.create': {
    body: {
      name: 'News',
      scheduled_at: '2031-06-01T10:00:00Z',
      scheduled_at_timezone_mode: 'utc',
      rules: {},
      messages: [{ text: 'Hi' }],
    },
  },
  'broadcasts.set-status': { body: { status: 'queued' } },
} as const satisfies Partial<Record<Operation, Partial<Record<Part, object>>>>;
type Requested = keyof typeof REQUESTS;

/** A field by its path, the documented values, and those that the document excludes. */
interface Field {
  readonly of: readonly Requested[];
  readonly in: Part;
  readonly path: string;
  readonly taken: readonly unknown[];
  readonly refused: readonly unknown[];
}

/** What is taken, and what is refused. */
type Values = readonly [readonly unknown[], readonly unknown[]];

const fieldIn =
  (part: Part) =>
  (of: readonly Requested[], path: string, ...[taken, refused]: Values): Field => ({
    of,
    in: part,
    path,
    taken,
    refused,
  });
const query = fieldIn('query');
const body = fieldIn('body');

const MOST_DIGITS = '9999999999999999999';
const IDS: Values = [
  ['0', '7', MOST_DIGITS],
  ['', '01', '-1', 'x', `${MOST_DIGITS}0`],
];
const INSTANTS: Values = [
  ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.123Z', '2026-01-01T02:00:00+02:00'],
  ['', '5', 'Jan 1 2031', '2026-01-01', '2026-02-30T10:00:00Z', '2026-01-01T10:00:00'],
];
const FLAGS: Values = [
  ['true', 'false'],
  ['', 'yes', '1'],
];
const PRICES: Values = [
  [0, 0.29, 1.1, 19.99, 1_000_000],
  [-1, 1e-9, 0.1 + 0.2, 1.005, 10.0000000001, '5', null],
];
const SECONDS: Values = [
  [0, 86_400],
  [-1, 1.5, '5', null],
];
const BOOLEANS: Values = [
  [true, false],
  ['true', 1, null],
];
const OFFSETS: Values = [
  ['0', '9000000'],
  ['-1', '1.5', 'x'],
];
const limits = (least: number, most: number): Values => [
  [String(least), String(most)],
  [String(least - 1), String(most + 1), '1.5', 'x'],
];

const CREATES = ['campaigns.create', 'broadcasts.create'] as const;
const MESSAGE = 'messages.0';
const OPTIONS = 'audience_filters.0.options';

const FIELDS: readonly Field[] = [
  query(['accounts.list'], 'cursor', ['ab'], ['a']),
  query(['accounts.list'], 'limit', ...limits(1, 1000)),
  query(['accounts.list'], 'withExpiredSubscriptions', ...FLAGS),
  query(['traffic.subscriptions', 'revenue.transactions'], 'start', ...INSTANTS),
  query(['traffic.subscriptions', 'revenue.transactions'], 'end', ...INSTANTS),
  query(['traffic.subscriptions', 'revenue.transactions'], 'limit', ...limits(10, 1000)),
  query(['revenue.transactions'], 'cursor', ['x', 'x'.repeat(512)], ['x'.repeat(513)]),
  query(['traffic.trial-link-users'], 'limit', ...limits(1, 750)),
  query(['traffic.trial-link-users'], 'collected_from', ...INSTANTS),
  query(['traffic.trial-link-users'], 'link_id', ['7'], ['']),
  query(['team.metrics'], 'from', ...INSTANTS),
  query(['team.metrics'], 'limit', ...limits(1, 100)),
  query(['team.metrics'], 'offset', ...OFFSETS),
  query(
    ['team.metrics'],
    'creator_ids',
    ['7', ['7', '8'], Array.from({ length: 100 }, (_, index) => String(index))],
    ['x', Array.from({ length: 101 }, (_, index) => String(index))],
  ),
  query(['team.metrics'], 'role_id', ...IDS),
  query(['team.members'], 'limit', ...limits(1, 50)),
  query(['fans.list'], 'limit', ...limits(1, 10_000)),
  body(['fans.label'], 'note', ['', 'x'], [5, null]),
  query(['chat.messages', 'payouts.list'], 'limit', ...limits(1, 100)),
  query(['chat.messages'], 'message_id', ...IDS),
  query(['chat.messages'], 'order', ['asc'], ['']),
  body(['chat.send'], 'text', ['x', null], [5]),
  // The document names no decimals, and the simulator assumes two.
  body(['chat.send'], 'price', [0, 19.99], [-1, '5', null]),
  body(['chat.send'], 'locked_text', ...BOOLEANS),
  body(
    ['chat.send'],
    'media',
    [[], [{ id: 'm-55012', type: 'photo' }], [{ id: '5', type: 'video', is_paid: true }]],
    [[{ id: '', type: 'photo' }], [{ id: '5' }], [{ id: 5, type: 'photo' }], {}],
  ),
  query(['payouts.list'], 'marker', ['0', '1717243200000'], ['x', '']),
  body(
    ['payouts.request'],
    'withdrawal_amount',
    [0.01, 0.29, 1.1, 19.99, 1_000_000],
    [0, -1, 1e-9, 0.1 + 0.2, 1.005, 10.0000000001, 1_000_000.01, '20', null],
  ),
  query(['vault.folders'], 'limit', ...limits(1, 10)),
  query(['vault.uploads'], 'limit', ...limits(1, 100)),
  query(['vault.uploads'], 'expired', ...FLAGS),
  body(
    ['vault.verify-fan'],
    'fan_link',
    ['https://platform.example/tom', 'http://www.platform.example/u1'],
    ['', 'tom', 'ftp://platform.example/tom', `https://platform.example/${'x'.repeat(2048)}`],
  ),
  body(
    ['vault.upload-start', 'vault.upload-export'],
    'name',
    ['a.jpg', 'x'.repeat(255), 'A (1)-b_c.mp4'],
    ['', 'x'.repeat(256), 'a/b.jpg', 'é.jpg'],
  ),
  body(
    ['vault.upload-start', 'vault.upload-export'],
    'size',
    [1, 5_368_709_120],
    [0, 5_368_709_121, 1.5, '1'],
  ),
  body(
    ['vault.upload-start', 'vault.upload-export'],
    'content_type',
    ['image/jpeg', 'video/mp4', 'audio/x-m4a'],
    ['', 'jpeg', 'text/plain', 'image/', 'image/j peg'],
  ),
  body(['vault.upload-start', 'vault.upload-export'], 'duration', [0, 12.5], ['5', null]),
  body(
    ['vault.upload-finish', 'vault.upload-export'],
    'key',
    ['k', 'x'.repeat(1024)],
    ['', 'x'.repeat(1025)],
  ),
  body(['vault.upload-finish'], 'upload_id', ['x'.repeat(256)], ['', 'x'.repeat(257)]),
  body(
    ['vault.upload-finish'],
    'parts',
    [[{ part: 1, e_tag: '"e"' }]],
    [[{ part: '1', e_tag: 'e' }], [{ part: 1 }]],
  ),
  body(['vault.upload-export'], 'e_tag', ['x'.repeat(256)], ['', 'x'.repeat(257)]),
  body(['vault.upload-export'], 'get_url', ['https://a.example/k?x=1'], ['', 'k']),
  body(['vault.upload-export'], 'export_type', ['post', 'message'], ['story', '', null]),
  body(['vault.upload-export'], 'export_fan_id', ['x'], ['', 5]),
  body(['vault.upload-export'], 'rf_tag', [[], ['7']], [['x'], '7', [7]]),
  query(['campaigns.list', 'broadcasts.list'], 'limit', ...limits(1, 100)),
  query(['campaigns.list'], 'offset', ...OFFSETS),
  query(['campaigns.list'], 'include_archived', ...FLAGS),
  body(['campaigns.create'], 'name', ['x', 'x'.repeat(512), null], ['', '  ', 'x'.repeat(513), 5]),
  body(['broadcasts.create'], 'name', ['x', 'x'.repeat(100), null], ['', '  ', 'x'.repeat(101), 5]),
  body(['campaigns.create'], 'trigger', ['welcome_message', 'expired', 'expiring_soon'], ['', null]),
  // `start_mimic` has no messages, and this request has.
  body(['campaigns.create'], 'action', ['send_message'], ['start_mimic', 'send', '', null]),
  body(['campaigns.create'], 'rules.end_at', [...INSTANTS[0], null], INSTANTS[1]),
  body(['campaigns.create'], 'rules.send_after_expire_min', ...SECONDS),
  body(
    ['campaigns.create'],
    'rules.send_delay_interval',
    [{ min_sec: 30, range_sec: 60 }],
    [{ min_sec: -1, range_sec: 0 }, 5, null],
  ),
  body([...CREATES], 'rules.unsend_delay_sec', ...SECONDS),
  body([...CREATES], 'rules.unsend_if_not_read_enabled', ...BOOLEANS),
  body([...CREATES], 'rules.mimic_on_reply_enabled', ...BOOLEANS),
  body(['broadcasts.create'], 'rules.online_check_mode', ['off', null], [5]),
  body(
    ['broadcasts.create'],
    'scheduled_at',
    ['2031-06-01T10:00:00Z', '2031-06-01T10:00:00', '2031-06-01T10:00:00+02:00'],
    ['', '2031-06-01', '2031-02-30T10:00:00Z', null, undefined],
  ),
  body([...CREATES], `${MESSAGE}.text`, ['x', null], [5]),
  body([...CREATES], `${MESSAGE}.price_gross`, ...PRICES),
  body([...CREATES], `${MESSAGE}.delay_sec`, ...SECONDS),
  body([...CREATES], `${MESSAGE}.text_is_paid`, ...BOOLEANS),
  body([...CREATES], `${MESSAGE}.step`, [], [0]),
  body(
    [...CREATES],
    `${MESSAGE}.attachments`,
    [[], [{ id: '55012', type: 'image' }], [{ id: 'm-55012', type: 'image', is_paid: true }]],
    [[{ id: '', type: 'image' }], [{ id: 5, type: 'image' }], [{ id: '5' }]],
  ),
  body([...CREATES], `${MESSAGE}.tagged_platform_account_ids`, [[], ['7', MOST_DIGITS]], [['x'], [7]]),
  body(
    ['campaigns.create'],
    'audience_filters.0.kind',
    ['subscribed_date', 'purchased_from_organisation'],
    ['', null, 5],
  ),
  body(['campaigns.create'], 'audience_filters.0.mode', ['include', 'exclude'], ['', 'only', null]),
  body(['campaigns.create'], `${OPTIONS}.from_at`, ...INSTANTS),
  body(['campaigns.create'], `${OPTIONS}.to_at`, ...INSTANTS),
  body(['campaigns.create'], `${OPTIONS}.from_days`, [0, 3650], [-1, 3651, 1.5, '5']),
  body(
    ['campaigns.create'],
    `${OPTIONS}.lists`,
    [[{ name: 'Old fans' }]],
    [[{ id: '5' }], [{ name: '' }], {}],
  ),
  body(['campaigns.set-status'], 'status', ['active', 'paused', 'archived'], ['queued', '', null]),
  body(['broadcasts.set-status'], 'status', ['paused', 'queued'], ['active', 'archived', '', null]),
];

const NINETEEN = '9'.repeat(19);

describe('a request out of bounds is a 400 that says what is wrong:', () => {
  it.each([
    '/api/v0/accounts?cursor=x',
    '/api/v0/accounts?cursor=bm9uc2Vuc2U=',
    '/api/v0/accounts/007',
    `/api/v0/accounts/${NINETEEN}0`,
    '/api/v0/accounts/abc',
    '/api/v0/accounts/%E0%A4%A',
    `${CAMPAIGNS}?limit=0`,
    `${CAMPAIGNS}?limit=1&limit=2`,
    `${CAMPAIGNS}?page=2`,
    `${CAMPAIGNS}/01`,
    `${BROADCASTS}/x`,
  ])('GET %s', async (path) => {
    const { status, body } = await aVisit().call('GET', path);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'VALIDATION_ERROR', details: { issues: [{}] } });
  });

  it.each<[string, Json]>([
    ['no trigger', aCampaignBody({ trigger: undefined })],
    ['messages of a start_mimic', aCampaignBody({ action: 'start_mimic' })],
    ['an empty message', aCampaignBody({ messages: [{ text: '' }] })],
    ['a misspelt member', aCampaignBody({ audience_filter: [] })],
  ])('a campaign with %s', async (_case, body) => {
    const { call, control } = aVisit();
    expect((await call('POST', CAMPAIGNS, body)).status).toBe(400);
    expect(control.oracle().commits).toEqual([]);
  });

  it.each<[string, Json]>([
    ['no messages', aBroadcastBody({ messages: [] })],
    ['a schedule without its clock', aBroadcastBody({ scheduled_at: SCHEDULED.scheduled_at })],
    ['a clock without its schedule', aBroadcastBody({ scheduled_at_timezone_mode: 'utc' })],
    ['another clock', aBroadcastBody({ ...SCHEDULED, scheduled_at_timezone_mode: 'fan' })],
    ['a schedule at half past', aBroadcastBody({ ...SCHEDULED, scheduled_at: '2026-06-01T14:30:00Z' })],
    ['a schedule with seconds', aBroadcastBody({ ...SCHEDULED, scheduled_at: '2026-06-01T14:00:01Z' })],
    ['an end without its clock', aBroadcastBody({ rules: { end_at: '2026-06-01T14:00:00Z' } })],
    ['a rule that is read only', aBroadcastBody({ rules: { unsend_if_not_replied_enabled: true } })],
  ])('a broadcast with %s', async (_case, body) => {
    const { call, control } = aVisit();
    expect((await call('POST', BROADCASTS, body)).status).toBe(400);
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

describe('what the document does not name', () => {
  const odd = aCampaignBody({ trigger: 'Some Day!', later: 1, rules: { colour: 'red' } });

  it('is refused, or dropped and taken where the service does so', async () => {
    const visit = aVisit();
    expect((await visit.call('GET', `${CAMPAIGNS}?colour=red`)).status).toBe(400);
    expect((await visit.call('POST', CAMPAIGNS, odd)).status).toBe(400);
    visit.control.setModes({ unknownParameters: 'ignore' });
    expect((await visit.call('GET', `${CAMPAIGNS}?colour=red`)).status).toBe(200);
    expect((await visit.call('POST', CAMPAIGNS, odd)).body).toMatchObject({
      message: 'trigger: is not the name of a trigger',
    });
    visit.control.setModes({ triggers: 'any' });
    const { status, body } = await visit.call('POST', CAMPAIGNS, odd);
    expect([status, body['trigger']]).toEqual([201, 'Some Day!']);
    expect(body).not.toHaveProperty('later');
    expect(body['rules']).not.toHaveProperty('colour');
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

  it('limits of 1 and 100, and an id of 19 digits', async () => {
    const { call } = aVisit();
    expect((await call('GET', `${CAMPAIGNS}?limit=1`)).status).toBe(200);
    expect((await call('GET', `${CAMPAIGNS}?limit=100`)).status).toBe(200);
    expect((await call('GET', `${CAMPAIGNS}/${NINETEEN}`)).status).toBe(404);
  });
});

describe('the form of an error', () => {
  const refused = (modes: Parameters<typeof aVisit>[0]) => aVisit(modes).call('GET', `${CAMPAIGNS}?limit=0`);

  it('has code, message and details at the top', async () => {
    expect(Object.keys((await refused({})).body)).toEqual(['code', 'message', 'details']);
  });

  it('has them one step down where the service nests them', async () => {
    expect((await refused({ modes: { errorBody: 'nested' } })).body).toMatchObject({
      error: { code: 'VALIDATION_ERROR' },
    });
  });

  it('is text or HTML where the service answers so', async () => {
    const text = await refused({ modes: { errorBody: 'text' } });
    expect(text.headers.get('content-type')).toContain('text/plain');
    const html = await refused({ modes: { errorBody: 'html' } });
    expect(html.text).toMatch(/^<html>/);
  });

  it('is a 422 where the service answers so', async () => {
    expect((await refused({ modes: { validationStatus: 422 } })).status).toBe(422);
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
