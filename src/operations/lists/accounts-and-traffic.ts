import type { ListColumn } from '../../domain/list-column.ts';
import type { ListDefinition, ListRange } from './definition.ts';

const ID: ListColumn = { path: 'id', as: 'whole' };
const FAN: ListColumn = { path: 'fan.id', header: 'fan', as: 'whole' };
const CREATED: ListColumn = { path: 'created_at', header: 'created', as: 'instant' };
const ACTIVE: ListColumn = { path: 'is_active', header: 'active', as: 'flag' };

function count(path: string, header = path): ListColumn {
  return { path, header, as: 'number' };
}

/** These endpoints do not name a currency, so the heading has none. */
function money(path: string, header = path): ListColumn {
  return { path, header, as: 'money' };
}

function rangeOf(of: string): ListRange {
  return { from: 'start', to: 'end', of, required: true };
}

/** Both ends are optional. A past range can still grow, because the service collects users late (READ-4). */
const COLLECTED: ListRange = {
  from: 'collected_from',
  to: 'collected_to',
  of: 'users collected',
  required: false,
};

const LINK_USERS = {
  who: 'platform',
  rows: 'users',
  range: COLLECTED,
  filters: ['linkId'],
  columns: [
    { path: 'link_id', header: 'link', as: 'whole' },
    FAN,
    { path: 'fan.name', header: 'name' },
    { path: 'fan.username', header: 'username' },
    { path: 'subscribed_at', header: 'subscribed', as: 'instant' },
    { path: 'collected_at', header: 'collected', as: 'instant' },
  ],
  more: [],
} as const satisfies Partial<ListDefinition>;

/** Accounts, traffic and money. */
export const ACCOUNT_AND_TRAFFIC_LISTS = {
  'accounts list': {
    operation: 'accounts.list',
    summary: 'list the accounts that the key sees',
    rows: 'accounts',
    who: 'organisation',
    filters: ['expiredAccounts'],
    columns: [
      ID,
      { path: 'username' },
      { path: 'custom_label', header: 'label', none: '-' },
      { path: 'platform' },
      { path: 'platform_account_id', header: 'id on the platform', as: 'whole' },
      money('subscribe_price', 'subscribe price'),
      { path: 'subscription_expiration_date', header: 'subscription until', as: 'instant' },
    ],
    more: [{ path: 'name' }, { path: 'email' }, { path: 'avatar' }, { path: 'organisation_id', as: 'whole' }],
    examples: ['herald accounts list', 'herald accounts list --expired'],
  },
  'traffic subscriptions': {
    operation: 'traffic.subscriptions',
    summary: 'list subscriptions in a range',
    rows: 'subscriptions',
    who: 'platform',
    range: rangeOf('subscriptions'),
    filters: [],
    columns: [
      FAN,
      { path: 'action' },
      { path: 'type' },
      money('price_gross', 'price (gross)'),
      money('regular_price_gross', 'regular price (gross)'),
      { path: 'subscribed_at', header: 'subscribed', as: 'instant' },
      { path: 'expires_at', header: 'expires', as: 'instant' },
    ],
    more: [],
    examples: [
      'herald traffic subscriptions --account alice --from 7d',
      'herald traffic subscriptions --from 2026-11-01 --to 2026-11-30 --format csv > november.csv',
    ],
  },
  'traffic tracking-links': {
    operation: 'traffic.tracking-links',
    summary: 'list tracking links created in a range',
    rows: 'links',
    who: 'platform',
    range: rangeOf('links created'),
    filters: [],
    columns: [ID, { path: 'name' }, count('clicks'), count('subscribers'), ACTIVE, CREATED, { path: 'url' }],
    more: [],
    examples: ['herald traffic tracking-links --from 2026-01-01'],
  },
  'traffic tracking-link-users': {
    ...LINK_USERS,
    operation: 'traffic.tracking-link-users',
    summary: 'list users of tracking links',
    examples: ['herald traffic tracking-link-users --account alice --link-id 501 --from 30d'],
  },
  'traffic trial-links': {
    operation: 'traffic.trial-links',
    summary: 'list trial links created in a range',
    rows: 'links',
    who: 'platform',
    range: rangeOf('links created'),
    filters: [],
    columns: [
      ID,
      { path: 'name' },
      count('claims'),
      { path: 'claims_limit', header: 'claims limit', as: 'number', zero: 'no limit' },
      count('duration_days', 'duration (days)'),
      count('clicks'),
      ACTIVE,
      CREATED,
      { path: 'expires_at', header: 'expires', as: 'instant', none: 'never' },
      { path: 'url' },
    ],
    more: [],
    examples: ['herald traffic trial-links --account alice --from 90d'],
  },
  'traffic trial-link-users': {
    ...LINK_USERS,
    operation: 'traffic.trial-link-users',
    summary: 'list users of trial links',
    examples: ['herald traffic trial-link-users --account alice --link-id 701'],
  },
  'revenue transactions': {
    operation: 'revenue.transactions',
    summary: 'list transactions in a range (both platforms)',
    rows: 'transactions',
    who: 'platform',
    bothPlatforms: true,
    range: rangeOf('transactions'),
    filters: [],
    columns: [
      ID,
      { path: 'timestamp', header: 'time', as: 'instant' },
      money('amount'),
      { path: 'type' },
      { path: 'status', as: 'whole' },
      FAN,
    ],
    more: [],
    totals: { sums: ['amount'], by: 'status' },
    examples: [
      'herald revenue transactions --account vip --from 30d',
      'herald revenue transactions --from 2026-01-01 --format ndjson > transactions.ndjson',
    ],
  },
  'revenue chargebacks': {
    operation: 'revenue.chargebacks',
    summary: 'list chargebacks in a range',
    rows: 'chargebacks',
    who: 'platform',
    range: rangeOf('chargebacks'),
    filters: [],
    columns: [
      ID,
      money('amount'),
      { path: 'type' },
      { path: 'status', as: 'whole' },
      FAN,
      { path: 'chargeback_timestamp', header: 'charged back', as: 'instant' },
      { path: 'transaction_timestamp', header: 'paid', as: 'instant' },
    ],
    more: [],
    totals: { sums: ['amount'], by: 'status' },
    examples: ['herald revenue chargebacks --from 90d'],
  },
} as const satisfies Readonly<Record<string, ListDefinition>>;
