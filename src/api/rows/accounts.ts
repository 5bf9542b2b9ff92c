import * as z from 'zod';
import { maybe, wireAccountIdShape, wireIdShape } from '../../domain/replies.ts';
import { accountParams, flagParam, instantParam, integerParam, platformParams } from '../params.ts';
import { READ, type List, type ListRange, type Row } from '../row.ts';

/** An account. Its numbers and addresses are shown, and decide nothing. */
const accountReply = z.looseObject({
  id: wireAccountIdShape,
  platform_account_id: maybe(wireIdShape),
  platform: maybe(z.string()),
  username: maybe(z.string()),
  custom_label: maybe(z.string()),
});
export type AccountReply = z.infer<typeof accountReply>;

const platformPath = '/api/v0/platforms/{platform}/accounts/{platform_account_id}';

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
  permission: 'traffic_metrics.view',
  params: platformParams,
  query: rangeQuery,
  paging: { style: 'cursor', items: 'items', least: 10, most: 1000 },
} as const satisfies Partial<Row>;

const LINK_USERS = {
  ...RANGE_LIST,
  query: z.strictObject({
    collected_from: instantParam.optional(),
    collected_to: instantParam.optional(),
    limit: integerParam(1, 750).optional(),
    link_id: z.string().min(1).optional(),
    cursor,
  }),
  paging: { style: 'cursor', items: 'items', most: 750 },
} as const satisfies Partial<Row>;

const fan = maybe(z.looseObject({ id: wireIdShape }));
/** A page of rows that are only shown, with their ids as text. */
const page = <Item extends z.ZodRawShape>(item: Item) =>
  z.looseObject({ items: z.array(z.looseObject(item)), cursor: z.string().nullish() });

function inRange(of: string): ListRange {
  return { from: 'start', to: 'end', of, required: true };
}

const LINK_USER_LIST = {
  // Both ends are optional. A past range can still grow, because the service collects users late (READ-4).
  range: { from: 'collected_from', to: 'collected_to', of: 'users collected', required: false },
  columns: 'link_id fan.id fan.name fan.username subscribed_at collected_at',
} as const satisfies Partial<List>;

export const ACCOUNT_ROWS = {
  'accounts.list': {
    ...READ,
    title: 'List the accounts that the key sees',
    path: '/api/v0/accounts',
    permission: 'accounts.view',
    paging: { style: 'cursor', items: 'accounts', next: 'nextCursor', most: 1000 },
    params: z.strictObject({}),
    query: z.strictObject({
      cursor: z.string().min(2).optional(),
      limit: integerParam(1, 1000).optional(),
      withExpiredSubscriptions: flagParam.optional(),
    }),
    reply: z.looseObject({ accounts: z.array(accountReply), nextCursor: z.string().nullish() }),
    list: {
      columns:
        'id username custom_label platform platform_account_id subscribe_price subscription_expiration_date',
      more: 'name email avatar organisation_id',
      cells: {
        custom_label: { header: 'label', none: '-' },
        platform_account_id: 'id on the platform',
        subscription_expiration_date: 'subscription until',
      },
      examples: [
        'herald accounts list',
        'herald accounts list --expired',
        'herald accounts list --format yaml',
      ],
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
    path: `${platformPath}/subscriptions`,
    reply: page({ fan }),
    list: {
      range: inRange('subscriptions'),
      columns: 'fan.id action type price_gross regular_price_gross subscribed_at expires_at',
      examples: [
        'herald traffic subscriptions --account alice --from 7d',
        'herald traffic subscriptions --from 2026-11-01 --to 2026-11-30 --format csv > november.csv',
      ],
    },
  },
  'traffic.tracking-links': {
    ...RANGE_LIST,
    title: 'List tracking links created in a range',
    path: `${platformPath}/tracking-links`,
    reply: page({ id: wireIdShape }),
    list: {
      range: inRange('links created'),
      columns: 'id name clicks subscribers is_active created_at url',
      examples: ['herald traffic tracking-links --from 2026-01-01'],
    },
  },
  'traffic.tracking-link-users': {
    ...LINK_USERS,
    title: 'List users of tracking links',
    path: `${platformPath}/tracking-link-users`,
    reply: page({ link_id: maybe(wireIdShape), fan }),
    list: {
      ...LINK_USER_LIST,
      examples: ['herald traffic tracking-link-users --account alice --link-id 501 --from 30d'],
    },
  },
  'traffic.trial-links': {
    ...RANGE_LIST,
    title: 'List trial links created in a range',
    path: `${platformPath}/trial-links`,
    reply: page({ id: wireIdShape }),
    list: {
      range: inRange('links created'),
      columns: 'id name claims claims_limit duration_days clicks is_active created_at expires_at url',
      // READ-5
      cells: { claims_limit: { zero: 'no limit' }, expires_at: { none: 'never' } },
      examples: ['herald traffic trial-links --account alice --from 90d'],
    },
  },
  'traffic.trial-link-users': {
    ...LINK_USERS,
    title: 'List users of trial links',
    path: `${platformPath}/trial-link-users`,
    reply: page({ link_id: maybe(wireIdShape), fan }),
    list: {
      ...LINK_USER_LIST,
      examples: ['herald traffic trial-link-users --account alice --link-id 701'],
    },
  },
  'revenue.transactions': {
    ...RANGE_LIST,
    title: 'List transactions in a range (both platforms)',
    path: `${platformPath}/transactions`,
    permission: 'dashboard.view',
    query: rangeQuery.extend({ cursor: z.string().min(1).max(512).optional() }),
    reply: page({ id: wireIdShape, fan }),
    list: {
      bothPlatforms: true,
      range: inRange('transactions'),
      columns: 'id timestamp amount type status fan.id',
      examples: [
        'herald revenue transactions --account vip --from 30d',
        'herald revenue transactions --from 2026-01-01 --format ndjson > transactions.ndjson',
      ],
    },
  },
  'revenue.chargebacks': {
    ...RANGE_LIST,
    title: 'List chargebacks in a range',
    path: `${platformPath}/chargebacks`,
    permission: 'dashboard.view',
    reply: page({ id: wireIdShape, fan }),
    list: {
      range: inRange('chargebacks'),
      columns: 'id amount type status fan.id chargeback_timestamp transaction_timestamp',
      cells: { chargeback_timestamp: 'charged back', transaction_timestamp: 'paid' },
      examples: ['herald revenue chargebacks --from 90d'],
    },
  },
} as const satisfies Record<string, Row>;
