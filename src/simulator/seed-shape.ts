import * as z from 'zod';
import { audienceFilterShape } from '../domain/audience.ts';
import { messageShape } from '../domain/message.ts';

const instant = z.iso.datetime({ offset: true });

const common = {
  name: z.string().nullable().optional(),
  rules: z.record(z.string(), z.unknown()).optional(),
  audience_filters: z.array(audienceFilterShape).optional(),
  messages: z.array(messageShape).optional(),
  created_by: z.strictObject({ type: z.string(), id: z.string() }).optional(),
  created_at: instant.optional(),
  /** The time of its last status change. Time limits count from it. */
  status_since: instant.optional(),
};

/** The fields of a campaign in a seed or an edit. Missing ones have a default or stay. */
export const campaignSeedShape = z.strictObject({
  ...common,
  id: z.string().optional(),
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
  status: z.string().nullable().optional(),
  pause_reason: z.enum(['manual', 'send_errors']).nullable().optional(),
  scheduled_at: instant.nullable().optional(),
  unreadable: z.boolean().optional(),
  targeted_recipients_count: z.int().optional(),
});
export interface BroadcastSeed extends z.infer<typeof broadcastSeedShape> {}
