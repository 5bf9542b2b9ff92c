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

const MOST_DIGITS = '9999999999999999999';
const IDS = { taken: ['0', '7', MOST_DIGITS], refused: ['', '01', '-1', 'x', `${MOST_DIGITS}0`] };
const INSTANTS = {
  taken: ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.123Z', '2026-01-01T02:00:00+02:00'],
  refused: ['', '5', 'Jan 1 2031', '2026-01-01', '2026-02-30T10:00:00Z', '2026-01-01T10:00:00'],
};
const FLAGS = { taken: ['true', 'false'], refused: ['', 'yes', '1'] };
const PRICES = {
  taken: [0, 0.29, 1.1, 19.99, 1_000_000],
  refused: [-1, 1e-9, 0.1 + 0.2, 1.005, 10.0000000001, '5', null],
};
const SECONDS = { taken: [0, 86_400], refused: [-1, 1.5, '5', null] };
const BOOLEANS = { taken: [true, false], refused: ['true', 1, null] };
const OFFSETS = { taken: ['0', '9000000'], refused: ['-1', '1.5', 'x'] };
const limits = (least: number, most: number) => ({
  taken: [String(least), String(most)],
  refused: [String(least - 1), String(most + 1), '1.5', 'x'],
});

const CREATES = ['campaigns.create', 'broadcasts.create'] as const;
const MESSAGE = 'messages.0';
const OPTIONS = 'audience_filters.0.options';

export const FIELDS: readonly Field[] = [
  { of: ['accounts.list'], in: 'query', path: 'cursor', taken: ['ab'], refused: ['a'] },
  { of: ['accounts.list'], in: 'query', path: 'limit', ...limits(1, 1000) },
  { of: ['accounts.list'], in: 'query', path: 'withExpiredSubscriptions', ...FLAGS },
  { of: ['traffic.subscriptions', 'revenue.transactions'], in: 'query', path: 'start', ...INSTANTS },
  { of: ['traffic.subscriptions', 'revenue.transactions'], in: 'query', path: 'end', ...INSTANTS },
  { of: ['traffic.subscriptions', 'revenue.transactions'], in: 'query', path: 'limit', ...limits(10, 1000) },
  {
    of: ['revenue.transactions'],
    in: 'query',
    path: 'cursor',
    taken: ['x', 'x'.repeat(512)],
    refused: ['x'.repeat(513)],
  },
  { of: ['traffic.trial-link-users'], in: 'query', path: 'limit', ...limits(1, 750) },
  { of: ['traffic.trial-link-users'], in: 'query', path: 'collected_from', ...INSTANTS },
  { of: ['traffic.trial-link-users'], in: 'query', path: 'link_id', taken: ['7'], refused: [''] },
  { of: ['team.metrics'], in: 'query', path: 'from', ...INSTANTS },
  { of: ['team.metrics'], in: 'query', path: 'limit', ...limits(1, 100) },
  { of: ['team.metrics'], in: 'query', path: 'offset', ...OFFSETS },
  {
    of: ['team.metrics'],
    in: 'query',
    path: 'creator_ids',
    taken: ['7', ['7', '8'], Array.from({ length: 100 }, (_, index) => String(index))],
    refused: ['x', Array.from({ length: 101 }, (_, index) => String(index))],
  },
  { of: ['team.metrics'], in: 'query', path: 'role_id', ...IDS },
  { of: ['team.members'], in: 'query', path: 'limit', ...limits(1, 50) },
  { of: ['fans.list'], in: 'query', path: 'limit', ...limits(1, 10_000) },
  { of: ['fans.label'], in: 'body', path: 'note', taken: ['', 'x'], refused: [5, null] },
  { of: ['chat.messages', 'payouts.list'], in: 'query', path: 'limit', ...limits(1, 100) },
  { of: ['chat.messages'], in: 'query', path: 'message_id', ...IDS },
  { of: ['chat.messages'], in: 'query', path: 'order', taken: ['asc'], refused: [''] },
  { of: ['chat.send'], in: 'body', path: 'text', taken: ['x', null], refused: [5] },
  { of: ['chat.send'], in: 'body', path: 'price', ...PRICES },
  { of: ['chat.send'], in: 'body', path: 'locked_text', ...BOOLEANS },
  {
    of: ['chat.send'],
    in: 'body',
    path: 'media',
    taken: [[], [{ id: 'm-55012', type: 'photo' }], [{ id: '5', type: 'video', is_paid: true }]],
    refused: [[{ id: '', type: 'photo' }], [{ id: '5' }], [{ id: 5, type: 'photo' }], {}],
  },
  { of: ['payouts.list'], in: 'query', path: 'marker', taken: ['0', '1717243200000'], refused: ['x', ''] },
  {
    of: ['payouts.request'],
    in: 'body',
    path: 'withdrawal_amount',
    taken: [0.01, 0.29, 1.1, 19.99, 1_000_000],
    refused: [0, -1, 1e-9, 0.1 + 0.2, 1.005, 10.0000000001, 1_000_000.01, '20', null],
  },
  { of: ['vault.folders'], in: 'query', path: 'limit', ...limits(1, 10) },
  { of: ['vault.uploads'], in: 'query', path: 'limit', ...limits(1, 100) },
  { of: ['vault.uploads'], in: 'query', path: 'expired', ...FLAGS },
  {
    of: ['vault.verify-fan'],
    in: 'body',
    path: 'fan_link',
    taken: ['https://platform.example/tom', 'http://www.platform.example/u1'],
    refused: ['', 'tom', 'ftp://platform.example/tom', `https://platform.example/${'x'.repeat(2048)}`],
  },
  {
    of: ['vault.upload-start', 'vault.upload-export'],
    in: 'body',
    path: 'name',
    taken: ['a.jpg', 'x'.repeat(255), 'A (1)-b_c.mp4'],
    refused: ['', 'x'.repeat(256), 'a/b.jpg', 'é.jpg'],
  },
  {
    of: ['vault.upload-start', 'vault.upload-export'],
    in: 'body',
    path: 'size',
    taken: [1, 5_368_709_120],
    refused: [0, 5_368_709_121, 1.5, '1'],
  },
  {
    of: ['vault.upload-start', 'vault.upload-export'],
    in: 'body',
    path: 'content_type',
    taken: ['image/jpeg', 'video/mp4', 'audio/x-m4a'],
    refused: ['', 'jpeg', 'text/plain', 'image/', 'image/j peg'],
  },
  {
    of: ['vault.upload-start', 'vault.upload-export'],
    in: 'body',
    path: 'duration',
    taken: [0, 12.5],
    refused: ['5', null],
  },
  {
    of: ['vault.upload-finish', 'vault.upload-export'],
    in: 'body',
    path: 'key',
    taken: ['k', 'x'.repeat(1024)],
    refused: ['', 'x'.repeat(1025)],
  },
  {
    of: ['vault.upload-finish'],
    in: 'body',
    path: 'upload_id',
    taken: ['x'.repeat(256)],
    refused: ['', 'x'.repeat(257)],
  },
  {
    of: ['vault.upload-finish'],
    in: 'body',
    path: 'parts',
    taken: [[{ part: 1, e_tag: '"e"' }]],
    refused: [[{ part: '1', e_tag: 'e' }], [{ part: 1 }]],
  },
  {
    of: ['vault.upload-export'],
    in: 'body',
    path: 'e_tag',
    taken: ['x'.repeat(256)],
    refused: ['', 'x'.repeat(257)],
  },
  {
    of: ['vault.upload-export'],
    in: 'body',
    path: 'get_url',
    taken: ['https://a.example/k?x=1'],
    refused: ['', 'k'],
  },
  {
    of: ['vault.upload-export'],
    in: 'body',
    path: 'export_type',
    taken: ['post', 'message'],
    refused: ['story', '', null],
  },
  { of: ['vault.upload-export'], in: 'body', path: 'export_fan_id', taken: ['x'], refused: ['', 5] },
  { of: ['vault.upload-export'], in: 'body', path: 'rf_tag', taken: [[], ['7']], refused: [['x'], '7', [7]] },
  { of: ['campaigns.list', 'broadcasts.list'], in: 'query', path: 'limit', ...limits(1, 100) },
  { of: ['campaigns.list'], in: 'query', path: 'offset', ...OFFSETS },
  { of: ['campaigns.list'], in: 'query', path: 'include_archived', ...FLAGS },
  {
    of: ['campaigns.create'],
    in: 'body',
    path: 'name',
    taken: ['x', 'x'.repeat(512), null],
    refused: ['', '  ', 'x'.repeat(513), 5],
  },
  {
    of: ['broadcasts.create'],
    in: 'body',
    path: 'name',
    taken: ['x', 'x'.repeat(100), null],
    refused: ['', '  ', 'x'.repeat(101), 5],
  },
  {
    of: ['campaigns.create'],
    in: 'body',
    path: 'trigger',
    taken: ['welcome_message', 'expired', 'expiring_soon'],
    refused: ['', null],
  },
  {
    of: ['campaigns.create'],
    in: 'body',
    path: 'action',
    taken: ['send_message', 'start_mimic'],
    refused: ['send', '', null],
  },
  {
    of: ['campaigns.create'],
    in: 'body',
    path: 'rules.end_at',
    ...INSTANTS,
    taken: [...INSTANTS.taken, null],
  },
  { of: ['campaigns.create'], in: 'body', path: 'rules.send_after_expire_min', ...SECONDS },
  {
    of: ['campaigns.create'],
    in: 'body',
    path: 'rules.send_delay_interval',
    taken: [{ min_sec: 30, range_sec: 60 }],
    refused: [{ min_sec: -1, range_sec: 0 }, 5, null],
  },
  { of: [...CREATES], in: 'body', path: 'rules.unsend_delay_sec', ...SECONDS },
  { of: [...CREATES], in: 'body', path: 'rules.unsend_if_not_read_enabled', ...BOOLEANS },
  { of: [...CREATES], in: 'body', path: 'rules.mimic_on_reply_enabled', ...BOOLEANS },
  {
    of: ['broadcasts.create'],
    in: 'body',
    path: 'rules.online_check_mode',
    taken: ['off', null],
    refused: [5],
  },
  {
    of: ['broadcasts.create'],
    in: 'body',
    path: 'scheduled_at',
    taken: ['2031-06-01T10:00:00Z', '2031-06-01T10:00:00', '2031-06-01T10:00:00+02:00'],
    refused: ['', '2031-06-01', '2031-02-30T10:00:00Z', null, undefined],
  },
  { of: [...CREATES], in: 'body', path: `${MESSAGE}.text`, taken: ['x', null], refused: [5] },
  { of: [...CREATES], in: 'body', path: `${MESSAGE}.price_gross`, ...PRICES },
  { of: [...CREATES], in: 'body', path: `${MESSAGE}.delay_sec`, ...SECONDS },
  { of: [...CREATES], in: 'body', path: `${MESSAGE}.text_is_paid`, ...BOOLEANS },
  { of: [...CREATES], in: 'body', path: `${MESSAGE}.step`, taken: [], refused: [0] },
  {
    of: [...CREATES],
    in: 'body',
    path: `${MESSAGE}.attachments`,
    taken: [[], [{ id: '55012', type: 'image' }], [{ id: 'm-55012', type: 'image', is_paid: true }]],
    refused: [[{ id: '', type: 'image' }], [{ id: 5, type: 'image' }], [{ id: '5' }]],
  },
  {
    of: [...CREATES],
    in: 'body',
    path: `${MESSAGE}.tagged_platform_account_ids`,
    taken: [[], ['7', MOST_DIGITS]],
    refused: [['x'], [7]],
  },
  {
    of: ['campaigns.create'],
    in: 'body',
    path: 'audience_filters.0.kind',
    taken: ['subscribed_date', 'purchased_from_organisation'],
    refused: ['', null, 5],
  },
  {
    of: ['campaigns.create'],
    in: 'body',
    path: 'audience_filters.0.mode',
    taken: ['include', 'exclude'],
    refused: ['', 'only', null],
  },
  { of: ['campaigns.create'], in: 'body', path: `${OPTIONS}.from_at`, ...INSTANTS },
  { of: ['campaigns.create'], in: 'body', path: `${OPTIONS}.to_at`, ...INSTANTS },
  {
    of: ['campaigns.create'],
    in: 'body',
    path: `${OPTIONS}.from_days`,
    taken: [0, 3650],
    refused: [-1, 3651, 1.5, '5'],
  },
  {
    of: ['campaigns.create'],
    in: 'body',
    path: `${OPTIONS}.lists`,
    taken: [[{ name: 'Old fans' }]],
    refused: [[{ id: '5' }], [{ name: '' }], {}],
  },
  {
    of: ['campaigns.set-status'],
    in: 'body',
    path: 'status',
    taken: ['active', 'paused', 'archived'],
    refused: ['queued', '', null],
  },
  {
    of: ['broadcasts.set-status'],
    in: 'body',
    path: 'status',
    taken: ['paused', 'queued'],
    refused: ['active', 'archived', '', null],
  },
];
