/**
 * Every endpoint, written down a second time by hand: what the rows of the catalogue are held against (READ-9, LIMIT-2).
 * Values stand below, at and above each bound; `good` must pass and `bad` must be refused, each by itself.
 */
export interface FieldLaw {
  readonly required?: boolean;
  readonly good: readonly unknown[];
  readonly bad: readonly unknown[];
}

export interface RowLaw {
  readonly method: string;
  readonly path: string;
  readonly permission: string;
  readonly rate: number;
  readonly group?: string;
  readonly paging: string;
  readonly items?: string;
  readonly repeat: string;
  readonly success: number;
  readonly query?: Readonly<Record<string, FieldLaw>>;
  /** Absent: the call takes no body. */
  readonly body?: Readonly<Record<string, FieldLaw>>;
}

const whole = (minimum: number, maximum: number, required = false): FieldLaw => ({
  required,
  good: [minimum, maximum, String(minimum), String(maximum)],
  bad: [minimum - 1, maximum + 1, String(maximum + 1), minimum + 0.5, 'ten', '', '1e1', null, true],
});
const offset = (required = false): FieldLaw => ({
  required,
  good: [0, 1, '0', 1_000_000],
  bad: [-1, '-1', 0.5, 'x'],
});
const instant = (required: boolean): FieldLaw => ({
  required,
  good: ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00+02:00'],
  bad: ['2026-01-01', '2026-02-30T10:00:00Z', '2026-01-01T10:00:00', 'yesterday', 1_767_225_600, ''],
});
const flag: FieldLaw = {
  good: [true, false, 'true', 'false'],
  bad: ['1', 'yes', 'True', 1, ''],
};
const text = (minimum: number, maximum: number | null, required = false): FieldLaw => ({
  required,
  good: ['c'.repeat(Math.max(1, minimum)), 'a+/='.padEnd(maximum ?? 2000, 'x')],
  bad: [
    ...(minimum > 0 ? ['c'.repeat(minimum - 1)] : []),
    ...(maximum === null ? [] : ['c'.repeat(maximum + 1)]),
    5,
  ],
});
export const BIG = '9007199254740993123';
const id: FieldLaw = {
  good: ['0', BIG, 9_007_199_254_740_993_123n, 7],
  bad: ['007', `1${BIG}`, '-1', '1.5', 1.5, 'x', ''],
};
const ids: FieldLaw = {
  good: [[BIG], BIG, Array.from({ length: 100 }, (_, index) => String(index))],
  bad: [[], Array.from({ length: 101 }, (_, index) => String(index)), ['x']],
};
const textIds: FieldLaw = { good: [[], ['0', BIG]], bad: [['007'], [`1${BIG}`], [7], 'x'] };
const name = (maximum: number): FieldLaw => ({
  good: [null, 'n', 'n'.repeat(maximum)],
  bad: ['', ' ', '\t\n', 'n'.repeat(maximum + 1), 5],
});
const bool: FieldLaw = { good: [true, false], bad: ['true', 1, null] };

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

const range = { start: instant(true), end: instant(true), limit: whole(10, 1000), cursor: text(1, null) };
const linkUsers = {
  collected_from: instant(false),
  collected_to: instant(false),
  limit: whole(1, 750),
  cursor: text(1, null),
  link_id: text(1, null),
};
const platform = '/api/v0/platforms/{platform}/accounts/{platform_account_id}';
const cursorRow = (segment: string, permission: string, query: RowLaw['query']): RowLaw => ({
  method: 'GET',
  path: `${platform}/${segment}`,
  permission,
  rate: 15,
  paging: 'cursor',
  items: 'items',
  repeat: 'read',
  success: 200,
  query: query ?? {},
});

const account = '/api/v0/accounts/{account_id}';
const get = (path: string, permission: string, rate: number, more: Partial<RowLaw> = {}): RowLaw => ({
  method: 'GET',
  path,
  permission,
  rate,
  paging: 'none',
  repeat: 'read',
  success: 200,
  ...more,
});
const send = (path: string, permission: string, rate: number, more: Partial<RowLaw>): RowLaw => ({
  method: 'POST',
  path,
  permission,
  rate,
  paging: 'none',
  repeat: 'once',
  success: 200,
  ...more,
});

const statements = '/proxy/v0/platforms/{platform}/accounts/{platform_account_id}/statements';
const payouts = { group: 'payouts' };
const uploads = `${account}/vault/medias/uploads`;
const vault = 'media_uploader.manage';
const page10 = { limit: whole(1, 10), offset: offset() };
const file: RowLaw['body'] = {
  name: {
    required: true,
    good: ['a', 'A_1. -()', 'n'.repeat(255)],
    bad: ['', 'n'.repeat(256), 'é.jpg', 'a/b', 'a\n'],
  },
  size: { required: true, good: [1, 5_368_709_120], bad: [0, 5_368_709_121, 1.5, '1'] },
  content_type: {
    required: true,
    good: ['image/png', 'video/mp4', `audio/${'x'.repeat(249)}`],
    bad: ['', 'text/plain', 'image/', 'video/mp4; codecs=x', `audio/${'x'.repeat(250)}`],
  },
  duration: { good: [0, 12.5], bad: [-1, Number.NaN, Number.POSITIVE_INFINITY, '1'] },
};
const key: FieldLaw = { required: true, good: ['k', 'k'.repeat(1024)], bad: ['', 'k'.repeat(1025)] };
const url2048 = `https://store.test/${'p'.repeat(2048 - 19)}`;
const url: FieldLaw = {
  required: true,
  good: ['https://x.test/', url2048],
  bad: ['', 'nowhere', `${url2048}p`],
};

const list100 = { limit: whole(1, 100), offset: offset(), include_archived: flag };
const campaigns = `${account}/auto-message-campaigns`;
const broadcasts = `${account}/priority-mass-message-campaigns`;
const hasMore = { paging: 'has_more', items: 'items', query: list100 };
const when: FieldLaw = {
  good: ['2026-11-27T18:00:00', '2026-11-27T18:00:00Z', '2026-11-27T18:00'],
  bad: ['tomorrow', '2026-06-01', '2026-02-30T10:00:00Z', '2026-06-01T10:30:00Z', '2026-06-01T10:00:01Z', 5],
};
const rules: FieldLaw = {
  good: [{}, { unsend_delay_sec: 0, unsend_if_not_read_enabled: true, mimic_on_reply_enabled: false }],
  bad: [{ unsend_delay_sec: -1 }, { unsend_delay_sec: 0.5 }, { unsend_delay: 5 }, 'none'],
};

export const LAW: Readonly<Record<string, RowLaw>> = {
  'accounts.list': get('/api/v0/accounts', 'accounts.view', 15, {
    paging: 'cursor',
    items: 'accounts',
    query: { cursor: text(2, null), limit: whole(1, 1000), withExpiredSubscriptions: flag },
  }),
  'accounts.get': get(account, 'accounts.view', 15),
  'traffic.subscriptions': cursorRow('subscriptions', 'traffic_metrics.view', range),
  'traffic.tracking-links': cursorRow('tracking-links', 'traffic_metrics.view', range),
  'traffic.tracking-link-users': cursorRow('tracking-link-users', 'traffic_metrics.view', linkUsers),
  'traffic.trial-links': cursorRow('trial-links', 'traffic_metrics.view', range),
  'traffic.trial-link-users': cursorRow('trial-link-users', 'traffic_metrics.view', linkUsers),
  'revenue.chargebacks': cursorRow('chargebacks', 'dashboard.view', range),
  'revenue.transactions': cursorRow('transactions', 'dashboard.view', { ...range, cursor: text(1, 512) }),
  'team.metrics': get('/api/v0/users/metrics', 'team_metrics.view', 15, {
    paging: 'offset',
    items: 'items',
    query: {
      from: instant(true),
      to: instant(true),
      creator_ids: ids,
      user_ids: ids,
      account_group_id: id,
      role_id: id,
      offset: offset(),
      limit: whole(1, 100),
    },
  }),
  'team.members': get('/api/v0/members', 'team_metrics.view', 15, {
    paging: 'offset',
    items: 'users',
    query: { limit: whole(1, 50, true), offset: offset(true) },
  }),
  'fans.list': get(`${account}/fans`, 'onlyfans.messages', 1, {
    items: 'fan_ids',
    query: { limit: whole(1, 10_000) },
  }),
  'chat.messages': get(`${account}/chats/{chat_id}/messages`, 'onlyfans.messages', 1, {
    paging: 'message_id',
    items: 'items',
    query: { limit: whole(1, 100), message_id: id, order: { good: ['asc'], bad: ['', 5] } },
  }),
  'chat.send': send(`${account}/chats/{chat_id}/messages`, 'onlyfans.messages', 1, {
    success: 202,
    body: {
      text: { good: ['hi', null, ''], bad: [5] },
      price: { good: [0, 9.99, 0.001], bad: [-0.01, '5'] },
      locked_text: bool,
      media: {
        good: [[], [{ id: BIG, type: 'photo', is_paid: true }]],
        bad: [[{ id: 5, type: 'photo' }], [{ id: '5' }], 'x'],
      },
    },
  }),
  'fans.label': send(`${account}/fans/{fan_id}`, 'onlyfans.messages', 1, {
    method: 'PATCH',
    repeat: 'idempotent',
    body: { custom_name: { good: ['', 'n'], bad: [null, 5] }, note: { good: ['', 'n'], bad: [null, 5] } },
  }),
  'fans.follow': send(`${account}/fans/{fan_id}/subscribe`, 'onlyfans.collections', 1, {}),
  'payouts.balances': get(`${statements}/balances`, 'onlyfans.statements', 15, payouts),
  'payouts.list': get(`${statements}/payout-requests`, 'onlyfans.statements', 15, {
    ...payouts,
    paging: 'marker',
    items: 'list',
    query: {
      limit: whole(1, 100),
      offset: offset(),
      marker: { good: [0, '0', BIG, 9_007_199_254_740_993_123n, -1], bad: ['x', '', null] },
    },
  }),
  'payouts.request': send(`${statements}/payout-requests`, 'onlyfans.statements', 15, {
    ...payouts,
    body: {
      withdrawal_amount: {
        required: true,
        good: [0.01, 100.1, 1_000_000],
        bad: [0, -1, 1e-9, 0.001, 0.1 + 0.2, 1.005, 1_000_000.01, '5', Number.NaN],
      },
    },
  }),
  'vault.folders': get(`${account}/vault/folders`, vault, 5, {
    paging: 'offset',
    items: 'items',
    query: page10,
  }),
  'vault.media': get(`${account}/vault/folders/{folder_id}/medias`, vault, 5, {
    paging: 'offset',
    items: 'items',
    query: { ...page10, type: { good: ['all', 'photo'], bad: ['', 5] } },
  }),
  'vault.thumbnail': get(`${account}/vault/media/{media_id}/thumbnail`, vault, 3),
  'vault.uploads': get(uploads, vault, 3, {
    paging: 'offset_total',
    items: 'items',
    query: { limit: whole(1, 100), offset: offset(), expired: flag },
  }),
  'vault.verify-fan': send(`${uploads}/fans/verify`, vault, 3, {
    repeat: 'idempotent',
    body: { fan_link: { ...url, bad: [...url.bad, 'ftp://x.test/a'] } },
  }),
  'vault.upload-start': send(`${uploads}/start`, vault, 3, { body: file }),
  'vault.upload-finish': send(`${uploads}/finish`, vault, 3, {
    body: {
      key,
      upload_id: { required: true, good: ['u', 'u'.repeat(256)], bad: ['', 'u'.repeat(257)] },
      parts: {
        required: true,
        good: [[{ part: 1, e_tag: '"e"' }]],
        bad: [[], [{ part: '1', e_tag: 'e' }], [{ part: 1 }]],
      },
    },
  }),
  'vault.upload-export': send(`${uploads}/export`, vault, 3, {
    body: {
      ...file,
      key,
      e_tag: { required: true, good: ['e', '"e"', 'e'.repeat(256)], bad: ['', 'e'.repeat(257)] },
      get_url: url,
      export_type: { required: true, good: ['post', 'message'], bad: ['story', ''] },
      export_fan_id: { good: ['f'], bad: [''] },
      rf_guest: textIds,
      rf_partner: textIds,
      rf_tag: textIds,
    },
  }),
  'vault.upload-retry': send(`${uploads}/{upload_id}/retry`, vault, 3, { repeat: 'idempotent' }),
  'campaigns.list': get(campaigns, 'auto_messages.view', 5, hasMore),
  'campaigns.create': send(campaigns, 'auto_messages.edit', 5, {
    success: 201,
    body: {
      trigger: { required: true, good: ['welcome_message', 'a trigger of tomorrow'], bad: ['', 5] },
      action: { required: true, good: ['send_message', 'start_mimic'], bad: ['', 'send'] },
      name: name(512),
      rules: {
        good: [
          ...rules.good,
          { send_delay_interval: { min_sec: 0, range_sec: 60 }, retry_after_unsend_min: 5, end_at: null },
          { send_after_expire_min: 1, send_before_expire_min: 1, unsend_if_not_replied_enabled: true },
        ],
        bad: [...rules.bad, { send_delay_interval: { min_sec: -1 } }, { end_at_timezone_mode: 'utc' }],
      },
      audience_filters: filters,
      messages,
    },
  }),
  'campaigns.get': get(`${campaigns}/{campaign_id}`, 'auto_messages.view', 5),
  'campaigns.set-status': send(`${campaigns}/{campaign_id}/status`, 'auto_messages.edit', 5, {
    method: 'PATCH',
    repeat: 'status',
    success: 204,
    body: {
      status: { required: true, good: ['active', 'paused', 'archived'], bad: ['queued', 'recalled', null] },
    },
  }),
  'campaigns.unsend': send(`${campaigns}/{campaign_id}/unsend`, 'auto_messages.edit', 5, {
    repeat: 'unsend',
    success: 204,
  }),
  'broadcasts.list': get(broadcasts, 'priority_mass_messages.view', 5, hasMore),
  'broadcasts.create': send(broadcasts, 'priority_mass_messages.edit', 1, {
    success: 201,
    body: {
      name: name(100),
      rules: {
        good: [
          ...rules.good,
          { online_check_mode: 'off', end_at: '2026-11-28T18:00:00', end_at_timezone_mode: 'utc' },
        ],
        bad: [...rules.bad, { unsend_if_not_replied_enabled: true }, { end_at: 'soon' }],
      },
      audience_filters: filters,
      messages,
    },
  }),
  'broadcasts.get': get(`${broadcasts}/{campaign_id}`, 'priority_mass_messages.view', 5),
  'broadcasts.set-status': send(`${broadcasts}/{campaign_id}/status`, 'priority_mass_messages.edit', 5, {
    method: 'PATCH',
    repeat: 'status',
    body: { status: { required: true, good: ['paused', 'queued'], bad: ['active', 'archived', null] } },
  }),
  'broadcasts.unsend': send(`${broadcasts}/{campaign_id}/unsend`, 'priority_mass_messages.edit', 5, {
    repeat: 'unsend',
    success: 204,
  }),
};

/** `scheduled_at` and its mode are only taken together. */
export const SCHEDULE_TIMES = when;
