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
  /** Since when it bears its status, for the time limits that run from a change. */
  status_since: instant.optional(),
};

/** What a seed or an edit states of a campaign; everything else has a default or stays. */
export const campaignSeedShape = z.strictObject({
  ...common,
  id: z.string().optional(),
  trigger: z.string().optional(),
  action: z.string().nullable().optional(),
  /** Any word, also ones that no document names. */
  status: z.string().nullable().optional(),
  targeted_sends_count: z.int().optional(),
});
export interface CampaignSeed extends z.infer<typeof campaignSeedShape> {}

/** What a seed or an edit states of a broadcast. `status: null` is one that has finished. */
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
