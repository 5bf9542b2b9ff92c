import * as z from 'zod';
import type { DeclaredFilter } from './audience.ts';
import { durationShape, type DeclaredMessage } from './message.ts';

export const CAMPAIGN_NAME_MAX = 512;

/** The service archives a campaign that was paused for a week. */
export const ARCHIVED_AFTER_MS = 7 * 86_400_000;

export const CAMPAIGN_ACTIONS = ['send_message', 'start_mimic'] as const;

/** The documented triggers. Two more about expiry exist, but their names are not documented (CAMPAIGN-3). */
export const KNOWN_TRIGGERS: readonly string[] = ['welcome_message'];

const sendDelayShape = z.strictObject({ min_sec: durationShape, range_sec: durationShape.optional() });

export const campaignRulesShape = z.strictObject({
  send_delay_interval: sendDelayShape.optional(),
  send_after_expire_min: durationShape.optional(),
  send_before_expire_min: durationShape.optional(),
  unsend_delay_sec: durationShape.optional(),
  retry_after_unsend_min: durationShape.optional(),
  unsend_if_not_read_enabled: z.boolean().optional(),
  unsend_if_not_replied_enabled: z.boolean().optional(),
  mimic_on_reply_enabled: z.boolean().optional(),
  /** A UTC instant on a whole hour, `YYYY-MM-DDTHH:00:00Z`. Null means no end. */
  end_at: z.string().nullable().optional(),
});

/** Declared content. Only fields present in the YAML are set. */
export interface CampaignContent {
  readonly trigger: string;
  readonly action: (typeof CAMPAIGN_ACTIONS)[number];
  readonly rules?: z.infer<typeof campaignRulesShape> | undefined;
  readonly audience_filters: readonly DeclaredFilter[];
  readonly messages: readonly DeclaredMessage[];
}
