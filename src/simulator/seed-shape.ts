import * as z from 'zod';
import { broadcastRules, campaignRules, message, seededFilter } from './shapes/content.ts';
import { instant } from './shapes/values.ts';

const common = {
  name: z.string().nullable().optional(),
  audience_filters: z.array(seededFilter).optional(),
  messages: z.array(message).optional(),
  created_by: z.strictObject({ type: z.string(), id: z.string() }).optional(),
  created_at: instant.optional(),
  /** The time of its last status change. Time limits count from it. */
  status_since: instant.optional(),
};

/** The fields of a campaign in a seed or an edit. Missing ones have a default or stay. */
export const campaignSeedShape = z.strictObject({
  ...common,
  id: z.string().optional(),
  rules: z.looseObject(campaignRules.shape).optional(),
  trigger: z.string().optional(),
  action: z.string().nullable().optional(),
  /** Any word, also one that the document does not name. */
  status: z.string().nullable().optional(),
  targeted_sends_count: z.int().optional(),
});
export interface CampaignSeed extends z.infer<typeof campaignSeedShape> {}

/** The fields of a broadcast in a seed or an edit. `status: null` means finished. */
export const broadcastSeedShape = z.strictObject({
  ...common,
  id: z.string().optional(),
  rules: z
    .looseObject({
      ...broadcastRules.shape,
      unsend_if_not_replied_enabled: z.boolean().optional(),
      end_at: instant.nullable().optional(),
      end_at_timezone: z.string().nullable().optional(),
    })
    .optional(),
  status: z.string().nullable().optional(),
  pause_reason: z.enum(['manual', 'send_errors']).nullable().optional(),
  scheduled_at: instant.nullable().optional(),
  /** UTC, unless a person scheduled it elsewhere. */
  scheduled_at_timezone: z.string().optional(),
  unreadable: z.boolean().optional(),
  targeted_recipients_count: z.int().optional(),
});
export interface BroadcastSeed extends z.infer<typeof broadcastSeedShape> {}

/** The fields of an account that change over time. A label of null means no label. */
export const accountFields = z.strictObject({
  name: z.string().optional(),
  username: z.string().min(1).optional(),
  custom_label: z.string().nullable().optional(),
  subscribe_price: z.number().min(0).optional(),
  subscription_expiration_date: z.iso.datetime({ offset: true }).optional(),
});
export interface AccountEdit extends z.infer<typeof accountFields> {}
