import * as z from 'zod';

/**
 * Values that the service takes, written from its document and not from the client: what the client wrongly sends is
 * refused here, and what it wrongly refuses is taken.
 */

/** A big integer id: digits without leading zeros, at most 19 (ACCOUNT-1). */
export const bigId = z
  .string()
  .regex(/^(0|[1-9]\d*)$/, 'must be digits without leading zeros')
  .max(19, 'must have at most 19 digits');

/** Text of at least one character. */
export const words = z.string().min(1);

/** Dollars. The digits that were sent decide, so that a sum of floats with 17 decimals is refused (CONTENT-7). */
export const dollars = z
  .number()
  .min(0, 'must be 0 or more')
  .refine((amount) => /^\d+(?:\.\d{1,2})?$/.test(String(amount)), 'must have at most two decimals');

/** Seconds or minutes of a rule. Assumed: whole, not negative, at most 31 bits (CONTENT-22). */
const duration = z.int().min(0).max(2_147_483_647);

/** A date and time with its offset, kept in UTC: answers show it so (READ-7). */
export const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString());

/** A date and time on a clock that another field names. Its own offset is ignored (BROADCAST-4). */
export const wallClock = z.iso.datetime({ offset: true, local: true });

export const message = z.strictObject({
  text: z.string().nullable().optional(),
  price_gross: dollars.optional(),
  delay_sec: duration.optional(),
  /** The document calls an attachment's id a string, and nothing more (CONTENT-8). */
  attachments: z
    .array(z.strictObject({ id: words, type: words, is_paid: z.boolean().optional() }))
    .optional(),
  text_is_paid: z.boolean().optional(),
  tagged_platform_account_ids: z.array(bigId).optional(),
});
export type SentMessage = z.output<typeof message>;

const days = z.int().min(0).max(3650);
const dates = { from_at: instant, to_at: instant, from_days: days, to_days: days };

/** A filter, with the lists that it may have. */
const filterWith = <List extends z.ZodType>(lists: List) =>
  z.strictObject({
    kind: words,
    mode: z.enum(['include', 'exclude']),
    options: z
      .strictObject({ ...dates, lists })
      .partial()
      .optional(),
  });

/** A list by its name, which a create needs (CONTENT-17). */
const namedList = z.strictObject({ name: z.string().regex(/\S/), id: bigId.optional() });

export const sentFilter = filterWith(z.array(namedList).min(1));
/** The filter of an object that is on the service already: its lists have their ids, or a name that makes one. */
export const seededFilter = filterWith(z.array(z.union([z.strictObject({ id: bigId }), namedList])));
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

/** The members that have a value. */
export function dropUndefined<Value extends object>(
  value: Value,
): { [Member in keyof Value]: Exclude<Value[Member], undefined> } {
  const given = Object.entries(value).filter(([, member]) => member !== undefined);
  // The compiler does not follow the members through the entries.
  return Object.fromEntries(given) as { [Member in keyof Value]: Exclude<Value[Member], undefined> };
}
