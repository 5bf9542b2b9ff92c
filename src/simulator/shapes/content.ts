import * as z from 'zod';
import { bigId, dollars, duration, instant, words } from './values.ts';

/** Messages, audiences and rules of campaigns and broadcasts (docs/service/content.md). */

/** The document calls an attachment's id a string, and nothing more (CONTENT-8). */
const attachment = z.strictObject({ id: words, type: words, is_paid: z.boolean().optional() });

export const message = z.strictObject({
  text: z.string().nullable().optional(),
  price_gross: dollars.optional(),
  delay_sec: duration.optional(),
  attachments: z.array(attachment).optional(),
  text_is_paid: z.boolean().optional(),
  tagged_platform_account_ids: z.array(bigId).optional(),
});
export type SentMessage = z.output<typeof message>;

const days = z.int().min(0).max(3650);

const filterOptions = z.strictObject({
  from_at: instant.optional(),
  to_at: instant.optional(),
  from_days: days.optional(),
  to_days: days.optional(),
});

/** A list by its name, which a create needs (CONTENT-17). */
const namedList = z.strictObject({ name: z.string().regex(/\S/), id: bigId.optional() });
/** A list as it is on the service: by its id, or by the name that makes one. */
const knownList = z.union([z.strictObject({ id: bigId }), namedList]);

const filter = z.strictObject({ kind: words, mode: z.enum(['include', 'exclude']) });

export const sentFilter = filter.extend({
  options: filterOptions.extend({ lists: z.array(namedList).min(1).optional() }).optional(),
});
/** The filter of an object that is on the service already. */
export const seededFilter = filter.extend({
  options: filterOptions.extend({ lists: z.array(knownList).optional() }).optional(),
});
export type TakenFilter = z.output<typeof sentFilter> | z.output<typeof seededFilter>;

/** Rules that both kinds have. */
const recallRules = {
  unsend_delay_sec: duration.optional(),
  unsend_if_not_read_enabled: z.boolean().optional(),
  mimic_on_reply_enabled: z.boolean().optional(),
};

export const campaignRules = z.strictObject({
  ...recallRules,
  send_delay_interval: z.strictObject({ min_sec: duration, range_sec: duration.optional() }).optional(),
  send_after_expire_min: duration.optional(),
  send_before_expire_min: duration.optional(),
  retry_after_unsend_min: duration.optional(),
  unsend_if_not_replied_enabled: z.boolean().optional(),
  end_at: instant.nullable().optional(),
});

/** Without its end, which a create gives as a wall clock and answers show as an instant. */
export const broadcastRules = z.strictObject({
  ...recallRules,
  online_check_mode: z.string().nullable().optional(),
});
