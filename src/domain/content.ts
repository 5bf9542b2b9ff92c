import * as z from 'zod/mini';
import { ID_ERROR, idShape } from './ids.ts';
import { filledShape, maybeFlagShape, maybeTextShape, withCode } from './value-shapes.ts';

/* What a campaign or a broadcast sends, when and to whom, as files declare it and as a create sends it. */

/** True for dollars with up to two decimals, without a sign. The digits that are sent decide: 0.1 + 0.2 has 17 decimals. */
function isPrice(price: number): boolean {
  return /^\d+(?:\.\d{1,2})?$/.test(String(price));
}

/** The price of a file. 0 means free (CONTENT-7). */
export const writtenPriceShape = z
  .number()
  .check(
    z.minimum(0),
    z.refine(
      isPrice,
      withCode('invalid-price', 'This is not a price. Write dollars with up to two decimals, such as 9.99.'),
    ),
  );

/** Dollars with up to two decimals (CONTENT-7). 0 means free. */
export const priceShape = z.number().check(
  z.minimum(0, 'a price must be 0 (free) or more'),
  z.refine((price) => price < 0 || isPrice(price), 'a price has at most two decimals'),
);

/** Seconds or minutes of a rule or delay. The real bounds are not documented (CONTENT-22). */
const durationShape = z
  .int()
  .check(z.minimum(0, 'a duration is 0 or more'), z.maximum(2 ** 31 - 1, 'a duration fits 31 bits'));

const maybeDurationShape = z.optional(durationShape);

/** Media in the vault. The service does not say what its id looks like (CONTENT-8). */
export const attachmentShape = z.strictObject({
  id: z.string(ID_ERROR).check(z.minLength(1, 'is empty')),
  type: filledShape,
  is_paid: maybeFlagShape,
});

/** A message as a create sends it (CONTENT-8). `step` is read-only. */
export const messageShape = z.strictObject({
  text: maybeTextShape,
  price_gross: z.optional(priceShape),
  delay_sec: maybeDurationShape,
  attachments: z.optional(z.array(attachmentShape)),
  text_is_paid: maybeFlagShape,
  tagged_platform_account_ids: z.optional(z.array(idShape)),
});

export type Message = z.infer<typeof messageShape>;

/** What a file says about its media in the vault. The keys are the service's own, except for `fan`. */
export interface MediaWishes {
  readonly name?: string | undefined;
  readonly content_type?: string | undefined;
  /** In seconds. */
  readonly duration?: number | undefined;
  /** Link of the fan that the media is for. An apply asks the service for the id. */
  readonly fan?: string | undefined;
  readonly export_fan_id?: string | undefined;
  readonly rf_guest?: readonly string[] | undefined;
  readonly rf_partner?: readonly string[] | undefined;
  readonly rf_tag?: readonly string[] | undefined;
}

/** A local file of a message, as it was when the files were loaded. */
export interface MediaFile {
  /** Path in the workspace. */
  readonly path: string;
  /** Its name in the vault. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly content_type: string;
  /** Fingerprint of its bytes and its wishes, the same as in the state. Empty if nothing is compared. */
  readonly digest: string;
  readonly wishes?: MediaWishes | undefined;
}

/** Media in the vault. `file` is its source if Herald uploaded it. */
type VaultAttachment = z.infer<typeof attachmentShape> & { readonly file?: MediaFile };

/** Media from a local file, uploaded on first use. */
export interface FileAttachment {
  readonly file: MediaFile;
  readonly type: string;
  readonly is_paid?: boolean | undefined;
}

export type DeclaredAttachment = VaultAttachment | FileAttachment;

/** A declared message, with variables and text files filled in. Only fields present in the YAML are set. */
export interface DeclaredMessage extends Omit<Message, 'attachments'> {
  attachments?: DeclaredAttachment[] | undefined;
}

/** Days-ago ranges go up to 3650 days (CONTENT-18). */
const DAYS_AGO_MAX = 3650;

const daysAgoShape = z
  .int('days are a whole number')
  .check(z.minimum(0, 'days are 0 or more'), z.maximum(DAYS_AGO_MAX, `days go up to ${DAYS_AGO_MAX}`));

/** A declared fan list. A create needs `name`, which the service never returns. `id` is compared. */
export const fanListShape = z.strictObject({
  name: z.string().check(z.regex(/\S/, 'a fan list needs a name')),
  id: z.optional(idShape),
});

/** Placeholder of an import for a fan-list name, which the service never returns. */
export const FAN_LIST_TO_NAME = 'TODO: name of fan list';

const maybeInstantShape = z.optional(z.iso.datetime({ offset: true }));
const maybeDaysAgoShape = z.optional(daysAgoShape);

const filterOptionsShape = z.strictObject({
  from_at: maybeInstantShape,
  to_at: maybeInstantShape,
  from_days: maybeDaysAgoShape,
  to_days: maybeDaysAgoShape,
  lists: z.optional(z.array(fanListShape).check(z.minLength(1, 'name at least one fan list'))),
});

export const audienceFilterShape = z.strictObject({
  kind: filledShape,
  mode: z.enum(['include', 'exclude']),
  options: z.optional(filterOptionsShape),
});

/** One audience filter as sent. No filters mean every fan (CONTENT-15). */
export type AudienceFilter = z.infer<typeof audienceFilterShape>;

/** Placeholder of an import for a range in days, which the service never returns. */
export const DAYS_TO_WRITE = 'TODO: range in days';

const daysToWriteShape = z
  .string()
  .check(z.regex(new RegExp(`^${DAYS_TO_WRITE}`), 'days are a whole number'));

/** The options of a filter as sent, or with a placeholder for its days. */
export const declaredOptionsShape = z.extend(filterOptionsShape, {
  from_days: z.optional(z.union([daysAgoShape, daysToWriteShape])),
});

export const declaredFilterShape = z.extend(audienceFilterShape, {
  options: z.optional(declaredOptionsShape),
});

export type DeclaredFilter = z.infer<typeof declaredFilterShape>;

/** True if an import left its days open. It cannot be created then. */
export function leavesDaysOpen({ options }: DeclaredFilter): boolean {
  return typeof options?.from_days === 'string';
}

export const CAMPAIGN_NAME_MAX = 512;

/** The service archives a campaign that was paused for a week. */
export const ARCHIVED_AFTER_MS = 7 * 86_400_000;

/**
 * A paused broadcast can be resumed for five days (BROADCAST-17). After that it is never sent, but its status stays
 * `paused` until the service archives it.
 */
export const RESUME_WINDOW_MS = 5 * 86_400_000;

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

export const BROADCAST_NAME_MAX = 100;

/**
 * Shortest time before the schedule for a create. Resolving and repeating a create takes time, and one that arrives
 * after its schedule is sent immediately (BROADCAST-6). Assumed: five minutes are enough.
 */
export const SCHEDULE_LEAD_MS = 5 * 60_000;

/** A pause sent later than this before the schedule may arrive while it is being sent. */
export const LEAVING_MS = 60_000;

/** Rules that a broadcast create accepts. `unsend_if_not_replied_enabled` can be read, but not created. */
export const broadcastRulesShape = z.strictObject({
  online_check_mode: maybeTextShape,
  unsend_delay_sec: maybeDurationShape,
  unsend_if_not_read_enabled: maybeFlagShape,
  mimic_on_reply_enabled: maybeFlagShape,
  /** A UTC instant on a whole hour, `YYYY-MM-DDTHH:00:00Z`. */
  end_at: maybeTextShape,
});

/** Declared content. Only fields present in the YAML are set. */
export interface BroadcastContent {
  readonly rules?: z.infer<typeof broadcastRulesShape> | undefined;
  readonly audience_filters: readonly DeclaredFilter[];
  readonly messages: readonly DeclaredMessage[];
}
