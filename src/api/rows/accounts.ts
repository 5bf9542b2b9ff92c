import * as z from 'zod';
import {
  accountReply,
  chargebackReply,
  memberMetricsReply,
  memberReply,
  subscriptionReply,
  trackingLinkReply,
  linkUserReply,
  transactionReply,
  trialLinkReply,
} from '../shapes.ts';
import {
  accountParams,
  flagParam,
  idParam,
  instantParam,
  integerParam,
  listParam,
  platformParams,
} from '../params.ts';
import { DEFAULT_PER_SECOND, NO_PAGING, NO_QUERY, type Row } from '../row.ts';

const platformPath = '/api/v0/platforms/{platform}/accounts/{platform_account_id}';

const cursorPage = { cursor: z.string().min(1).optional() };
const rangeQuery = z.strictObject({
  start: instantParam,
  end: instantParam,
  limit: integerParam(10, 1000).optional(),
  ...cursorPage,
});
const linkUsersQuery = z.strictObject({
  collected_from: instantParam.optional(),
  collected_to: instantParam.optional(),
  limit: integerParam(1, 750).optional(),
  link_id: z.string().min(1).optional(),
  ...cursorPage,
});

const cursorReply = <Item extends z.ZodType>(item: Item) =>
  z.looseObject({ items: z.array(item), cursor: z.string().nullish() });

const rangePage = { least: 10, most: 1000 } as const;
const linkUsersPage = { least: 1, most: 750 } as const;

/** The rows of a platform account that page by cursor differ only in what follows. */
function platformList<Query extends z.ZodObject, Item extends z.ZodType>(
  title: string,
  segment: string,
  permission: 'traffic_metrics.view' | 'dashboard.view',
  query: Query,
  item: Item,
  identity: 'id' | 'whole',
  pageLimit: typeof rangePage | typeof linkUsersPage,
) {
  return {
    title,
    method: 'GET',
    path: `${platformPath}/${segment}`,
    permission,
    perSecond: DEFAULT_PER_SECOND,
    paging: { style: 'cursor', items: 'items', next: 'cursor', identity, pageLimit },
    repeat: 'read',
    params: platformParams,
    query,
    body: null,
    success: 200,
    reply: cursorReply(item),
  } as const satisfies Row;
}

/** Accounts, traffic, money and team: reads only. */
export const ACCOUNT_ROWS = {
  'accounts.list': {
    title: 'List the accounts connected to the organisation',
    method: 'GET',
    path: '/api/v0/accounts',
    permission: 'accounts.view',
    perSecond: DEFAULT_PER_SECOND,
    paging: {
      style: 'cursor',
      items: 'accounts',
      next: 'nextCursor',
      identity: 'id',
      pageLimit: { least: 1, most: 1000 },
    },
    repeat: 'read',
    params: z.strictObject({}),
    query: z.strictObject({
      cursor: z.string().min(2).optional(),
      limit: integerParam(1, 1000).optional(),
      withExpiredSubscriptions: flagParam.optional(),
    }),
    body: null,
    success: 200,
    reply: z.looseObject({ accounts: z.array(accountReply), nextCursor: z.string().nullish() }),
  },
  'accounts.get': {
    title: 'Read one account',
    method: 'GET',
    path: '/api/v0/accounts/{account_id}',
    permission: 'accounts.view',
    perSecond: DEFAULT_PER_SECOND,
    paging: NO_PAGING,
    repeat: 'read',
    params: accountParams,
    query: NO_QUERY,
    body: null,
    success: 200,
    reply: z.looseObject({ account: accountReply }),
  },
  'traffic.subscriptions': platformList(
    'List subscriptions in a range',
    'subscriptions',
    'traffic_metrics.view',
    rangeQuery,
    subscriptionReply,
    'whole',
    rangePage,
  ),
  'traffic.tracking-links': platformList(
    'List tracking links created in a range',
    'tracking-links',
    'traffic_metrics.view',
    rangeQuery,
    trackingLinkReply,
    'id',
    rangePage,
  ),
  'traffic.tracking-link-users': platformList(
    'List users of tracking links',
    'tracking-link-users',
    'traffic_metrics.view',
    linkUsersQuery,
    linkUserReply,
    'whole',
    linkUsersPage,
  ),
  'traffic.trial-links': platformList(
    'List trial links created in a range',
    'trial-links',
    'traffic_metrics.view',
    rangeQuery,
    trialLinkReply,
    'id',
    rangePage,
  ),
  'traffic.trial-link-users': platformList(
    'List users of trial links',
    'trial-link-users',
    'traffic_metrics.view',
    linkUsersQuery,
    linkUserReply,
    'whole',
    linkUsersPage,
  ),
  'revenue.chargebacks': platformList(
    'List chargebacks in a range',
    'chargebacks',
    'dashboard.view',
    rangeQuery,
    chargebackReply,
    'id',
    rangePage,
  ),
  'revenue.transactions': platformList(
    'List transactions in a range (both platforms)',
    'transactions',
    'dashboard.view',
    rangeQuery.extend({ cursor: z.string().min(1).max(512).optional() }),
    transactionReply,
    'id',
    rangePage,
  ),
  'team.metrics': {
    title: 'Read metrics per team member',
    method: 'GET',
    path: '/api/v0/users/metrics',
    permission: 'team_metrics.view',
    perSecond: DEFAULT_PER_SECOND,
    paging: {
      style: 'offset',
      items: 'items',
      identity: 'user_id',
      pageLimit: { least: 1, most: 100 },
    },
    repeat: 'read',
    params: z.strictObject({}),
    query: z.strictObject({
      from: instantParam,
      to: instantParam,
      creator_ids: listParam(idParam, 100).optional(),
      user_ids: listParam(idParam, 100).optional(),
      account_group_id: idParam.optional(),
      role_id: idParam.optional(),
      // The document requires both, and names these defaults.
      offset: integerParam(0).default(0),
      limit: integerParam(1, 100).default(100),
    }),
    body: null,
    success: 200,
    reply: z.looseObject({ items: z.array(memberMetricsReply) }),
  },
  'team.members': {
    title: "List the organisation's members",
    method: 'GET',
    path: '/api/v0/members',
    permission: 'team_metrics.view',
    perSecond: DEFAULT_PER_SECOND,
    paging: { style: 'offset', items: 'users', identity: 'id', pageLimit: { least: 1, most: 50 } },
    repeat: 'read',
    params: z.strictObject({}),
    query: z.strictObject({ limit: integerParam(1, 50), offset: integerParam(0) }),
    body: null,
    success: 200,
    reply: z.looseObject({ users: z.array(memberReply) }),
  },
} as const satisfies Record<string, Row>;
