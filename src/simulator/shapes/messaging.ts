import * as z from 'zod';
import { broadcastRules, campaignRules, message, sentFilter } from './content.ts';
import { countText, flagText, offsetText, wallClock, words } from './values.ts';

const NO_QUERY = z.strictObject({});

const list = {
  query: z.strictObject({
    limit: countText(1, 100).optional(),
    offset: offsetText.optional(),
    include_archived: flagText.optional(),
  }),
  body: null,
};

const name = (most: number) => z.string().min(1).max(most).regex(/\S/).nullable().optional();

/** What a message goes to, and what it says. */
const content = { audience_filters: z.array(sentFilter).optional(), messages: z.array(message).optional() };

const campaign = z.strictObject({
  // An enum. Its other words are not documented. Assumed: lower-case letters and underscores (CAMPAIGN-3).
  trigger: z.string().regex(/^[a-z_]+$/, 'is not the name of a trigger'),
  action: z.enum(['send_message', 'start_mimic']),
  name: name(512),
  rules: campaignRules.optional(),
  ...content,
});

const broadcast = z
  .strictObject({
    name: name(100),
    scheduled_at: wallClock.optional(),
    scheduled_at_timezone_mode: words.optional(),
    rules: broadcastRules
      .extend({ end_at: wallClock.nullable().optional(), end_at_timezone_mode: words.optional() })
      .optional(),
    ...content,
  })
  .refine(
    ({ scheduled_at: at, scheduled_at_timezone_mode: mode }) => (at === undefined) === (mode === undefined),
    {
      message: 'scheduled_at and scheduled_at_timezone_mode are required together',
      path: ['scheduled_at'],
    },
  );

/** Campaigns and broadcasts (docs/service/campaigns.md, broadcasts.md). */
export const MESSAGING_SHAPES = {
  'campaigns.list': list,
  'campaigns.create': { query: NO_QUERY, body: campaign },
  'campaigns.get': { query: NO_QUERY, body: null },
  'campaigns.set-status': {
    query: NO_QUERY,
    body: z.strictObject({ status: z.enum(['active', 'paused', 'archived']) }),
  },
  'campaigns.unsend': { query: NO_QUERY, body: null },
  'broadcasts.list': list,
  'broadcasts.create': { query: NO_QUERY, body: broadcast },
  'broadcasts.get': { query: NO_QUERY, body: null },
  'broadcasts.set-status': {
    query: NO_QUERY,
    body: z.strictObject({ status: z.enum(['paused', 'queued']) }),
  },
  'broadcasts.unsend': { query: NO_QUERY, body: null },
} as const;
