import type { Operation } from '../../src/api/catalogue.ts';

export type Part = 'query' | 'body';

/** Requests that the service takes. Each field of the tables below is put into one of them. */
export const REQUESTS = {
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

export const FIELDS: readonly Field[] = [
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
    [
      '',
      '2031-06-01',
      '2031-02-30T10:00:00Z',
      '2031-06-01T10:30:00Z',
      '2031-06-01T10:00:01Z',
      null,
      undefined,
    ],
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
