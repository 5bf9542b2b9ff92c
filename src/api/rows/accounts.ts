import * as z from 'zod';
import { maybe, wireAccountIdShape, wireIdShape } from '../../domain/replies.ts';
import { accountParams, flagParam, instantParam, integerParam, platformParams } from '../params.ts';
import { COLUMN, READ, type List, type ListRange, type Row } from '../row.ts';

const { text, whole, number, money, instant, flag } = COLUMN;

/** An account. Its numbers and addresses are shown, and decide nothing. */
const accountReply = z.looseObject({
  id: wireAccountIdShape,
  platform_account_id: maybe(wireIdShape),
  platform: maybe(z.string()),
  username: maybe(z.string()),
  custom_label: maybe(z.string()),
  organisation_id: maybe(wireIdShape),
});
export type AccountReply = z.infer<typeof accountReply>;

const cursor = z.string().min(1).optional();
const rangeQuery = z.strictObject({
  start: instantParam,
  end: instantParam,
  limit: integerParam(10, 1000).optional(),
  cursor,
});

/** A list of a platform account in a range, which pages by cursor. */
const RANGE_LIST = {
  ...READ,
  params: platformParams,
  query: rangeQuery,
  paging: {
    style: 'cursor',
    items: 'items',
    next: 'cursor',
    identity: 'id',
    pageLimit: { least: 10, most: 1000 },
  },
} as const satisfies Partial<Row>;

const LINK_USERS = {
  ...READ,
  permission: 'traffic_metrics.view',
  params: platformParams,
  query: z.strictObject({
    collected_from: instantParam.optional(),
    collected_to: instantParam.optional(),
    limit: integerParam(1, 750).optional(),
    link_id: z.string().min(1).optional(),
    cursor,
  }),
  paging: { ...RANGE_LIST.paging, identity: 'whole', pageLimit: { least: 1, most: 750 } },
} as const satisfies Partial<Row>;

const WITHOUT_ID = { ...RANGE_LIST.paging, identity: 'whole' } as const;

const fan = maybe(z.looseObject({ id: wireIdShape }));
/** A page of rows that are only shown, with their ids as text. */
const page = <Item extends z.ZodRawShape>(item: Item) =>
  z.looseObject({ items: z.array(z.looseObject(item)), cursor: z.string().nullish() });

const ID = whole('id');
const FAN = whole('fan.id', 'fan');
const CREATED = instant('created_at', 'created');

function inRange(of: string): ListRange {
  return { from: 'start', to: 'end', of, required: true };
}

const LINK_USER_LIST = {
  rows: 'users',
  // Both ends are optional. A past range can still grow, because the service collects users late (READ-4).
  range: { from: 'collected_from', to: 'collected_to', of: 'users collected', required: false },
  filters: ['linkId'],
  columns: [
    whole('link_id', 'link'),
    FAN,
    text('fan.name', 'name'),
    text('fan.username', 'username'),
    instant('subscribed_at', 'subscribed'),
    instant('collected_at', 'collected'),
  ],
} as const satisfies Partial<List>;

/** Accounts, traffic and money: reads only. */
export const ACCOUNT_ROWS = {
  'accounts.list': {
    ...READ,
    title: 'List the accounts that the key sees',
    path: '/api/v0/accounts',
    permission: 'accounts.view',
    paging: {
      style: 'cursor',
      items: 'accounts',
      next: 'nextCursor',
      identity: 'id',
      pageLimit: { least: 1, most: 1000 },
    },
    params: z.strictObject({}),
    query: z.strictObject({
      cursor: z.string().min(2).optional(),
      limit: integerParam(1, 1000).optional(),
      withExpiredSubscriptions: flagParam.optional(),
    }),
    reply: z.looseObject({ accounts: z.array(accountReply), nextCursor: z.string().nullish() }),
    list: {
      words: 'accounts list',
      rows: 'accounts',
      filters: ['expiredAccounts'],
      columns: [
        ID,
        text('username'),
        text('custom_label', 'label', { none: '-' }),
        text('platform'),
        whole('platform_account_id', 'id on the platform'),
        money('subscribe_price', 'subscribe price'),
        instant('subscription_expiration_date', 'subscription until'),
      ],
      more: [text('name'), text('email'), text('avatar'), whole('organisation_id')],
      examples: ['herald accounts list', 'herald accounts list --expired'],
    },
  },
  'accounts.get': {
    ...READ,
    title: 'Read one account',
    path: '/api/v0/accounts/{account_id}',
    permission: 'accounts.view',
    params: accountParams,
    reply: z.looseObject({ account: accountReply }),
  },
  'traffic.subscriptions': {
    ...RANGE_LIST,
    title: 'List subscriptions in a range',
    path: '/api/v0/platforms/{platform}/accounts/{platform_account_id}/subscriptions',
    permission: 'traffic_metrics.view',
    // A subscription has no id of its own (READ-6).
    paging: WITHOUT_ID,
    reply: page({ fan }),
    list: {
      words: 'traffic subscriptions',
      rows: 'subscriptions',
      range: inRange('subscriptions'),
      columns: [
        FAN,
        text('action'),
        text('type'),
        money('price_gross', 'price (gross)'),
        money('regular_price_gross', 'regular price (gross)'),
        instant('subscribed_at', 'subscribed'),
        instant('expires_at', 'expires'),
      ],
      examples: [
        'herald traffic subscriptions --account alice --from 7d',
        'herald traffic subscriptions --from 2026-11-01 --to 2026-11-30 --format csv > november.csv',
      ],
    },
  },
  'traffic.tracking-links': {
    ...RANGE_LIST,
    title: 'List tracking links created in a range',
    path: '/api/v0/platforms/{platform}/accounts/{platform_account_id}/tracking-links',
    permission: 'traffic_metrics.view',
    reply: page({ id: wireIdShape }),
    list: {
      words: 'traffic tracking-links',
      rows: 'links',
      range: inRange('links created'),
      columns: [
        ID,
        text('name'),
        number('clicks'),
        number('subscribers'),
        flag('is_active', 'active'),
        CREATED,
        text('url'),
      ],
      examples: ['herald traffic tracking-links --from 2026-01-01'],
    },
  },
  'traffic.tracking-link-users': {
    ...LINK_USERS,
    title: 'List users of tracking links',
    path: '/api/v0/platforms/{platform}/accounts/{platform_account_id}/tracking-link-users',
    reply: page({ link_id: maybe(wireIdShape), fan }),
    list: {
      ...LINK_USER_LIST,
      words: 'traffic tracking-link-users',
      examples: ['herald traffic tracking-link-users --account alice --link-id 501 --from 30d'],
    },
  },
  'traffic.trial-links': {
    ...RANGE_LIST,
    title: 'List trial links created in a range',
    path: '/api/v0/platforms/{platform}/accounts/{platform_account_id}/trial-links',
    permission: 'traffic_metrics.view',
    reply: page({ id: wireIdShape }),
    list: {
      words: 'traffic trial-links',
      rows: 'links',
      range: inRange('links created'),
      columns: [
        ID,
        text('name'),
        number('claims'),
        // READ-5
        number('claims_limit', 'claims limit', { zero: 'no limit' }),
        number('duration_days', 'duration (days)'),
        number('clicks'),
        flag('is_active', 'active'),
        CREATED,
        instant('expires_at', 'expires', { none: 'never' }),
        text('url'),
      ],
      examples: ['herald traffic trial-links --account alice --from 90d'],
    },
  },
  'traffic.trial-link-users': {
    ...LINK_USERS,
    title: 'List users of trial links',
    path: '/api/v0/platforms/{platform}/accounts/{platform_account_id}/trial-link-users',
    reply: page({ link_id: maybe(wireIdShape), fan }),
    list: {
      ...LINK_USER_LIST,
      words: 'traffic trial-link-users',
      examples: ['herald traffic trial-link-users --account alice --link-id 701'],
    },
  },
  'revenue.transactions': {
    ...RANGE_LIST,
    title: 'List transactions in a range (both platforms)',
    path: '/api/v0/platforms/{platform}/accounts/{platform_account_id}/transactions',
    permission: 'dashboard.view',
    query: rangeQuery.extend({ cursor: z.string().min(1).max(512).optional() }),
    reply: page({ id: wireIdShape, fan }),
    list: {
      words: 'revenue transactions',
      rows: 'transactions',
      bothPlatforms: true,
      range: inRange('transactions'),
      columns: [ID, instant('timestamp', 'time'), money('amount'), text('type'), whole('status'), FAN],
      examples: [
        'herald revenue transactions --account vip --from 30d',
        'herald revenue transactions --from 2026-01-01 --format ndjson > transactions.ndjson',
      ],
    },
  },
  'revenue.chargebacks': {
    ...RANGE_LIST,
    title: 'List chargebacks in a range',
    path: '/api/v0/platforms/{platform}/accounts/{platform_account_id}/chargebacks',
    permission: 'dashboard.view',
    reply: page({ id: wireIdShape, fan }),
    list: {
      words: 'revenue chargebacks',
      rows: 'chargebacks',
      range: inRange('chargebacks'),
      columns: [
        ID,
        money('amount'),
        text('type'),
        whole('status'),
        FAN,
        instant('chargeback_timestamp', 'charged back'),
        instant('transaction_timestamp', 'paid'),
      ],
      examples: ['herald revenue chargebacks --from 90d'],
    },
  },
} as const satisfies Record<string, Row>;
