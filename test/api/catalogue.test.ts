import { describe, expect, it } from 'vitest';
import { OPERATIONS, rowOf, type Operation } from '../../src/api/catalogue.ts';
import { InvalidCallError } from '../../src/api/errors.ts';
import type { LooseInput } from '../../src/api/client.ts';
import { aClientScene, json } from './client-scene.ts';

/*
 * What a parameter takes, written down a second time by hand (READ-9). Values are below, at and above each bound; `good` must pass and
 * `bad` must be refused, each by itself. `docs/reference/calls.md` has what else a row says.
 */
interface FieldLaw {
  readonly good: readonly unknown[];
  readonly bad: readonly unknown[];
}

const whole = (minimum: number, maximum: number): FieldLaw => ({
  good: [minimum, maximum, String(minimum), String(maximum)],
  bad: [minimum - 1, maximum + 1, String(maximum + 1), minimum + 0.5, 'ten', '', '1e1', null, true],
});
const text = (minimum: number, maximum: number): FieldLaw => ({
  good: ['c'.repeat(minimum), 'a+/='.padEnd(maximum, 'x')],
  bad: ['c'.repeat(minimum - 1), 'c'.repeat(maximum + 1), 5],
});
const name = (maximum: number): FieldLaw => ({
  good: [null, 'n', 'n'.repeat(maximum)],
  bad: ['', ' ', '\t\n', 'n'.repeat(maximum + 1), 5],
});
const instant: FieldLaw = {
  good: ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00+02:00'],
  bad: ['2026-01-01', '2026-02-30T10:00:00Z', '2026-01-01T10:00:00', 'yesterday', 1_767_225_600, ''],
};
const flag: FieldLaw = { good: [true, false, 'true', 'false'], bad: ['1', 'yes', 'True', 1, ''] };
const bool: FieldLaw = { good: [true, false], bad: ['true', 1, null] };
const anyText: FieldLaw = { good: ['x', 'a+/='.repeat(500)], bad: ['', 5] };
const label: FieldLaw = { good: ['', 'n'], bad: [null, 5] };
const BIG = '9007199254740993123';
const id: FieldLaw = {
  good: ['0', BIG, 9_007_199_254_740_993_123n, 7],
  bad: ['007', `1${BIG}`, '-1', '1.5', 1.5, 'x', ''],
};
const ids: FieldLaw = {
  good: [[BIG], BIG, Array.from({ length: 100 }, (_, index) => String(index))],
  bad: [[], Array.from({ length: 101 }, (_, index) => String(index)), ['x']],
};
const textIds: FieldLaw = { good: [[], ['0', BIG]], bad: [['007'], [`1${BIG}`], [7], 'x'] };
const messages: FieldLaw = {
  good: [
    [],
    [{ text: 'hi', attachments: [{ id: BIG, type: 'image', is_paid: true }] }],
    [{ text: 'x', price_gross: 9.99, delay_sec: 0, text_is_paid: true, tagged_platform_account_ids: [BIG] }],
    [{ text: 'x', price_gross: 19.99, attachments: [{ id: 'm-55012', type: 'image' }] }],
  ],
  bad: [
    [{ price_gross: -0.01 }],
    [{ price_gross: 0.001 }],
    [{ price_gross: 0.1 + 0.2 }],
    [{ price_gross: 1.005 }],
    [{ price_gross: '5' }],
    [{ delay_sec: -1 }],
    [{ attachments: [{ id: 5, type: 'image' }] }],
    [{ attachments: [{ id: '', type: 'image' }] }],
    [{ step: 0 }],
    [{ tagged_platform_account_ids: ['007'] }],
    [{ txt: 'a typo' }],
  ],
};
const filter = (options: unknown, more = {}) => [
  { kind: 'subscribed_date', mode: 'include', options, ...more },
];
const filters: FieldLaw = {
  good: [
    [],
    filter({ from_days: 0, to_days: 3650 }),
    filter({ from_at: '2026-01-01T00:00:00Z', to_at: '2026-02-01T00:00:00Z' }),
    filter({ lists: [{ name: 'VIP', id: BIG }] }, { mode: 'exclude', kind: 'a kind of tomorrow' }),
  ],
  bad: [
    filter({ from_days: -1 }),
    filter({ to_days: 3651 }),
    filter({ from_days: 0.5 }),
    filter({ from_at: '2026-02-30T10:00:00Z' }),
    filter({ lists: [{ id: BIG }] }),
    filter({ lists: [{ name: ' ' }] }),
    filter({}, { mode: 'only' }),
    filter({ from_day: 3 }),
    'everyone',
  ],
};

const url2048 = `https://store.test/${'p'.repeat(2048 - 19)}`;
const url: FieldLaw = { good: ['https://x.test/', url2048], bad: ['', 'nowhere', `${url2048}p`] };
const rules: FieldLaw = {
  good: [{}, { unsend_delay_sec: 0, unsend_if_not_read_enabled: true, mimic_on_reply_enabled: false }],
  bad: [{ unsend_delay_sec: -1 }, { unsend_delay_sec: 0.5 }, { unsend_delay: 5 }, 'none'],
};

/** One law for parameters that mean the same. */
const forEach = (names: string, law: FieldLaw): Record<string, FieldLaw> =>
  Object.fromEntries(names.split(' ').map((field) => [field, law]));

/** By the name of the parameter, or by its call and its name. */
const LAWS: Readonly<Record<string, FieldLaw>> = {
  limit: whole(1, 100),
  'accounts.list.limit': whole(1, 1000),
  'fans.list.limit': whole(1, 10_000),
  'team.members.limit': whole(1, 50),
  ...forEach('vault.folders.limit vault.media.limit', whole(1, 10)),
  ...forEach('traffic.tracking-link-users.limit traffic.trial-link-users.limit', whole(1, 750)),
  ...forEach('traffic.subscriptions.limit traffic.tracking-links.limit', whole(10, 1000)),
  'traffic.trial-links.limit': whole(10, 1000),
  ...forEach('revenue.transactions.limit revenue.chargebacks.limit', whole(10, 1000)),
  offset: { good: [0, 1, '0', 1_000_000], bad: [-1, '-1', 0.5, 'x'] },
  ...forEach('cursor order type link_id', anyText),
  'accounts.list.cursor': { good: ['cc', 'a+/='.repeat(500)], bad: ['c', '', 5] },
  'revenue.transactions.cursor': text(1, 512),
  marker: { good: [0, '0', BIG, 9_007_199_254_740_993_123n, -1], bad: ['x', '', null] },
  ...forEach('message_id account_group_id role_id', id),
  ...forEach('start end from to collected_from collected_to', instant),
  ...forEach('withExpiredSubscriptions include_archived expired', flag),
  ...forEach('creator_ids user_ids', ids),
  text: { good: ['hi', null, ''], bad: [5] },
  price: { good: [0, 9.99, 0.001], bad: [-0.01, '5'] },
  locked_text: bool,
  media: {
    good: [[], [{ id: BIG, type: 'photo', is_paid: true }]],
    bad: [[{ id: 5, type: 'photo' }], [{ id: '5' }], 'x'],
  },
  ...forEach('custom_name note', label),
  withdrawal_amount: {
    good: [0.01, 100.1, 1_000_000],
    bad: [0, -1, 1e-9, 0.001, 0.1 + 0.2, 1.005, 1_000_000.01, '5', Number.NaN],
  },
  fan_link: { ...url, bad: [...url.bad, 'ftp://x.test/a'] },
  name: { good: ['a', 'A_1. -()', 'n'.repeat(255)], bad: ['', 'n'.repeat(256), 'é.jpg', 'a/b', 'a\n'] },
  size: { good: [1, 5_368_709_120], bad: [0, 5_368_709_121, 1.5, '1'] },
  content_type: {
    good: ['image/png', 'video/mp4', `audio/${'x'.repeat(249)}`],
    bad: ['', 'text/plain', 'image/', 'video/mp4; codecs=x', `audio/${'x'.repeat(250)}`],
  },
  duration: { good: [0, 12.5], bad: [-1, Number.NaN, Number.POSITIVE_INFINITY, '1'] },
  key: text(1, 1024),
  ...forEach('upload_id e_tag', text(1, 256)),
  parts: {
    good: [[{ part: 1, e_tag: '"e"' }]],
    bad: [[], [{ part: '1', e_tag: 'e' }], [{ part: 1 }]],
  },
  get_url: url,
  export_type: { good: ['post', 'message'], bad: ['story', ''] },
  export_fan_id: { good: ['f'], bad: [''] },
  ...forEach('rf_guest rf_partner rf_tag', textIds),
  trigger: { good: ['welcome_message', 'a trigger of tomorrow'], bad: ['', 5] },
  action: { good: ['send_message', 'start_mimic'], bad: ['', 'send'] },
  'campaigns.create.name': name(512),
  'broadcasts.create.name': name(100),
  'campaigns.create.rules': {
    good: [
      ...rules.good,
      { send_delay_interval: { min_sec: 0, range_sec: 60 }, retry_after_unsend_min: 5, end_at: null },
      { send_after_expire_min: 1, send_before_expire_min: 1, unsend_if_not_replied_enabled: true },
    ],
    bad: [...rules.bad, { send_delay_interval: { min_sec: -1 } }, { end_at_timezone_mode: 'utc' }],
  },
  'broadcasts.create.rules': {
    good: [
      ...rules.good,
      { online_check_mode: 'off', end_at: '2026-11-28T18:00:00', end_at_timezone_mode: 'utc' },
    ],
    bad: [...rules.bad, { unsend_if_not_replied_enabled: true }, { end_at: 'soon' }],
  },
  audience_filters: filters,
  messages,
  'campaigns.set-status.status': {
    good: ['active', 'paused', 'archived'],
    bad: ['queued', 'recalled', null],
  },
  'broadcasts.set-status.status': { good: ['paused', 'queued'], bad: ['active', 'archived', null] },
};

/** The parameters that a call cannot do without. */
const REQUIRED: Readonly<Partial<Record<Operation, string>>> = {
  'traffic.subscriptions': 'start end',
  'traffic.tracking-links': 'start end',
  'traffic.trial-links': 'start end',
  'revenue.transactions': 'start end',
  'revenue.chargebacks': 'start end',
  'team.metrics': 'from to offset limit',
  'team.members': 'limit offset',
  'payouts.request': 'withdrawal_amount',
  'vault.verify-fan': 'fan_link',
  'vault.upload-start': 'name size content_type',
  'vault.upload-finish': 'key upload_id parts',
  'vault.upload-export': 'name size content_type key e_tag get_url export_type',
  'campaigns.create': 'trigger action',
  'campaigns.set-status': 'status',
  'broadcasts.set-status': 'status',
};

const PARAMS: Readonly<Record<string, string>> = {
  account_id: '101',
  platform: 'platform_a',
  platform_account_id: '555',
  chat_id: '77',
  fan_id: '88',
  folder_id: '9',
  media_id: '3',
  upload_id: '0b0f2f3e-6d0f-4a2b-9f6e-0a4a4f1c2d3e',
  campaign_id: BIG,
};

const paramsOf = (operation: Operation) =>
  Object.fromEntries(
    [...rowOf(operation).path.matchAll(/\{(\w+)\}/g)].map(([, param = '']) => [param, PARAMS[param]]),
  );

const { client, sent } = aClientScene(() => json({ success: true }));
const build = (operation: Operation, input: LooseInput) =>
  client.prepareRow(operation, rowOf(operation), { params: paramsOf(operation), ...input });

const lawOf = (operation: Operation, field: string): FieldLaw =>
  LAWS[`${operation}.${field}`] ?? LAWS[field] ?? { good: [], bad: [] };
const isRequired = (operation: Operation, field: string) =>
  (REQUIRED[operation]?.split(' ') ?? []).includes(field);

const keysOf = (shape: unknown): readonly string[] =>
  typeof shape === 'object' && shape !== null && 'shape' in shape ? Object.keys(shape.shape as object) : [];

/** The parameters of a call in its query and its body; those that only go together with another are left out. */
const PLACES = ['query', 'body'] as const;
const fieldsOf = (operation: Operation, place: (typeof PLACES)[number]) =>
  keysOf(rowOf(operation)[place]).filter((field) => !field.startsWith('scheduled_at'));

/** The least that the call takes. */
const sample = (operation: Operation) => {
  const least = (place: (typeof PLACES)[number]) => {
    const needed = fieldsOf(operation, place).filter((field) => isRequired(operation, field));
    return Object.fromEntries(needed.map((field) => [field, lawOf(operation, field).good[0]]));
  };
  const note = operation === 'fans.label' ? { note: 'n' } : {};
  return {
    query: least('query'),
    body: rowOf(operation).body === null ? undefined : { ...least('body'), ...note },
  };
};

/** Every parameter: its call, its place and its name. */
const FIELDS = OPERATIONS.flatMap((operation) =>
  PLACES.flatMap((place) => fieldsOf(operation, place).map((field) => ({ operation, place, field }))),
);

it.each(OPERATIONS)(
  'the catalogue agrees with the document: %s takes its least, refuses a typo, and pages within its limit',
  (operation) => {
    const { paging, reply, success } = rowOf(operation);
    const input = sample(operation);
    expect(reply === null).toBe(success === 204);
    expect(() => build(operation, input)).not.toThrow();
    for (const place of PLACES) {
      if (input[place] === undefined) continue;
      expect(() => build(operation, { ...input, [place]: { ...input[place], typo: 1 } })).toThrow(/typo/);
    }
    if ('most' in paging)
      expect(lawOf(operation, 'limit').good.slice(0, 2)).toEqual([paging.least ?? 1, paging.most]);
  },
);

describe('the bounds of the document', () => {
  it.each(FIELDS)('$operation: $place $field', ({ operation, place, field }) => {
    const input = sample(operation);
    const call = (value: unknown) => () =>
      build(operation, { ...input, [place]: { ...input[place], [field]: value } });
    const { good, bad } = lawOf(operation, field);
    expect(good.length, 'a law').toBeGreaterThan(0);
    for (const value of good) expect(call(value)).not.toThrow();
    for (const value of bad) {
      expect(call(value), String(value)).toThrow(InvalidCallError);
      expect(call(value)).toThrow(field);
    }
    if (operation === 'fans.label') return;
    if (isRequired(operation, field)) expect(call(undefined)).toThrow(field);
    else expect(call(undefined)).not.toThrow();
  });

  it('a label names at least one of its two fields', async () => {
    expect(() => build('fans.label', { body: {} })).toThrow('give custom_name, note or both');
    await build('fans.label', { body: { note: '' } })();
    expect(await sent[0]?.text()).toBe('{"note":""}');
  });

  const scheduled = (body: object) => () => build('broadcasts.create', { body });
  const MODE = { scheduled_at_timezone_mode: 'utc' };

  it.each(['2026-11-27T18:00:00', '2026-11-27T18:00:00Z', '2026-11-27T18:00'])(
    'a broadcast takes the schedule %s with its clock, and neither alone',
    (scheduled_at) => {
      expect(scheduled({ scheduled_at, ...MODE })).not.toThrow();
      for (const alone of [{ scheduled_at }, MODE]) expect(scheduled(alone)).toThrow('go together');
    },
  );

  it.each([
    'tomorrow',
    '2026-06-01',
    '2026-02-30T10:00:00Z',
    '2026-06-01T10:30:00Z',
    '2026-06-01T10:00:01Z',
    5,
  ])('a broadcast refuses the schedule %s', (scheduled_at) => {
    expect(scheduled({ scheduled_at, ...MODE })).toThrow('scheduled_at');
  });
});

describe('path parameters', () => {
  const withParam = (operation: Operation, params: Record<string, unknown>) => () =>
    build(operation, { ...sample(operation), params: { ...paramsOf(operation), ...params } });

  it.each(['007', `1${BIG}`, '', '-1', 'x', 101, null])('an account id is not %s', (account_id) => {
    for (const operation of OPERATIONS.filter((name) => rowOf(name).path.includes('{account_id}')))
      expect(withParam(operation, { account_id })).toThrow('account_id');
  });

  const free = ['.', '..', '', 5, '\ud800'];
  const SEGMENTS: readonly (readonly [Operation, string, Partial<FieldLaw>])[] = [
    ['chat.messages', 'chat_id', { good: ['c'.repeat(100)], bad: [...free, 'c'.repeat(101)] }],
    ['fans.label', 'fan_id', { bad: free }],
    ['revenue.transactions', 'platform', { bad: free }],
    ['revenue.transactions', 'platform_account_id', { bad: free }],
    ['payouts.balances', 'platform_account_id', { good: ['p'.repeat(101)] }],
    // VAULT-1
    ['vault.media', 'folder_id', { good: ['0', '007', '9'.repeat(100)], bad: ['', 'x', '9'.repeat(101)] }],
    ['vault.thumbnail', 'media_id', { good: ['1', BIG], bad: ['0', '-1', '1.5', 'x'] }],
    ['vault.upload-retry', 'upload_id', { bad: ['17'] }],
  ];

  it.each(SEGMENTS)('%s takes the %s within its bounds', (operation, name, { good = [], bad = [] }) => {
    for (const value of good) expect(withParam(operation, { [name]: value })).not.toThrow();
    for (const value of bad)
      expect(withParam(operation, { [name]: value }), JSON.stringify(value)).toThrow(name);
  });

  it.each(OPERATIONS)('%s takes no parameter that its path lacks', (operation) => {
    expect(withParam(operation, { other: '1' })).toThrow('other');
  });
});
