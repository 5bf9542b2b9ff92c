import * as z from 'zod';
import { bigId, countText, flagText, idsText, instantText, offsetText, words } from './values.ts';

/** A call without a body. */
const NO_BODY = { body: null } as const;

const range = {
  start: instantText,
  end: instantText,
  limit: countText(10, 1000).optional(),
  cursor: words.optional(),
};
const rangeRead = { query: z.strictObject(range), ...NO_BODY };

const linkUsersRead = {
  query: z.strictObject({
    collected_from: instantText.optional(),
    collected_to: instantText.optional(),
    limit: countText(1, 750).optional(),
    cursor: words.optional(),
    link_id: words.optional(),
  }),
  ...NO_BODY,
};

/** Accounts, traffic, revenue and team (docs/service/reads.md). */
export const READ_SHAPES = {
  'accounts.list': {
    query: z.strictObject({
      cursor: z.string().min(2).optional(),
      limit: countText(1, 1000).optional(),
      withExpiredSubscriptions: flagText.optional(),
    }),
    ...NO_BODY,
  },
  'accounts.get': { query: z.strictObject({}), ...NO_BODY },
  'traffic.subscriptions': rangeRead,
  'traffic.tracking-links': rangeRead,
  'traffic.tracking-link-users': linkUsersRead,
  'traffic.trial-links': rangeRead,
  'traffic.trial-link-users': linkUsersRead,
  'revenue.chargebacks': rangeRead,
  'revenue.transactions': {
    query: z.strictObject({ ...range, cursor: words.max(512).optional() }),
    ...NO_BODY,
  },
  'team.metrics': {
    query: z.strictObject({
      from: instantText,
      to: instantText,
      creator_ids: idsText.optional(),
      user_ids: idsText.optional(),
      account_group_id: bigId.optional(),
      role_id: bigId.optional(),
      offset: offsetText,
      limit: countText(1, 100),
    }),
    ...NO_BODY,
  },
  'team.members': { query: z.strictObject({ limit: countText(1, 50), offset: offsetText }), ...NO_BODY },
} as const;
