import * as z from 'zod/mini';
import type { DeclaredFilter } from './audience.ts';
import { durationShape, maybeDurationShape, type DeclaredMessage } from './message.ts';
import { maybeFlagShape, maybeTextShape } from './value-shapes.ts';

export const CAMPAIGN_NAME_MAX = 512;

/** The service archives a campaign that was paused for a week. */
export const ARCHIVED_AFTER_MS = 7 * 86_400_000;

export const CAMPAIGN_ACTIONS = ['send_message', 'start_mimic'] as const;

export const campaignRulesShape = z.strictObject({
  send_delay_interval: z.optional(z.strictObject({ min_sec: durationShape, range_sec: maybeDurationShape })),
  send_after_expire_min: maybeDurationShape,
  send_before_expire_min: maybeDurationShape,
  unsend_delay_sec: maybeDurationShape,
  retry_after_unsend_min: maybeDurationShape,
  unsend_if_not_read_enabled: maybeFlagShape,
  unsend_if_not_replied_enabled: maybeFlagShape,
  mimic_on_reply_enabled: maybeFlagShape,
  /** A UTC instant, `YYYY-MM-DDTHH:MM:00Z`. Null means no end. */
  end_at: maybeTextShape,
});

/** Declared content. Only fields present in the YAML are set. */
export interface CampaignContent {
  readonly trigger: string;
  readonly action: (typeof CAMPAIGN_ACTIONS)[number];
  readonly rules?: z.infer<typeof campaignRulesShape> | undefined;
  readonly audience_filters: readonly DeclaredFilter[];
  readonly messages: readonly DeclaredMessage[];
}
