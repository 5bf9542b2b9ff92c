import * as z from 'zod';
import {
  type AccountId,
  BIG_INTEGER_ID,
  BIG_INTEGER_ID_MAX_DIGITS,
  type LiveId,
  type MediaId,
} from './ids.ts';

/** An id in replies: text, a number or a bigint, always read as text. */
export const wireIdShape = z
  .union([z.string().min(1), z.int(), z.bigint()])
  .transform((value) => String(value));

/**
 * The id of an object that Herald changes. It must be digits as documented, or the reply is invalid: a success
 * with another id proves nothing (ERROR-2).
 */
const wireBigIdShape = wireIdShape.refine(
  (id) => id.length <= BIG_INTEGER_ID_MAX_DIGITS && BIG_INTEGER_ID.test(id),
);

export const wireAccountIdShape: z.ZodType<AccountId> = wireBigIdShape;
export const wireLiveIdShape: z.ZodType<LiveId> = wireBigIdShape;
export const wireVaultMediaIdShape: z.ZodType<MediaId> = wireBigIdShape;

/** The id of media in an upload. The service does not say what it looks like (CONTENT-8). */
export const wireMediaIdShape: z.ZodType<MediaId> = wireIdShape.refine((id) => /^\S+$/.test(id));

/**
 * A reply field that does not affect decisions. If it is missing or of a wrong type, it reads as null, because one
 * odd field must not hide a whole list.
 */
export const maybe = <Shape extends z.ZodType>(shape: Shape) => shape.nullish().catch(null);

/**
 * A filter in replies: lists by id only, days never (CONTENT-17, CONTENT-18). One odd value makes the whole audience
 * unknown, because without it the audience would be another one.
 */
const observedFilterShape = z.looseObject({
  kind: z.string().nullish(),
  mode: z.string().nullish(),
  options: z
    .looseObject({
      from_at: z.string().nullish(),
      to_at: z.string().nullish(),
      lists: z.array(z.looseObject({ id: wireIdShape })).nullish(),
    })
    .nullish(),
});
export type ObservedFilter = z.infer<typeof observedFilterShape>;

/**
 * A message in replies. Text and price must have their types: a price of a wrong type is not "free". Otherwise all
 * messages are unknown.
 */
const observedMessageShape = z.looseObject({
  step: maybe(z.int()),
  text: z.string().nullish(),
  price_gross: z.number().nullish(),
  delay_sec: z.int().nullish(),
  attachments: z
    .array(z.looseObject({ id: wireIdShape, type: z.string().nullish(), is_paid: z.boolean().nullish() }))
    .nullish(),
  text_is_paid: z.boolean().nullish(),
  tagged_platform_account_ids: z.array(wireIdShape).nullish(),
});
export type ObservedMessage = z.infer<typeof observedMessageShape>;

/** What both kinds have. Only fields that affect decisions must have their type. The rest reads as null if it is odd. */
const commonReply = {
  id: wireLiveIdShape,
  account_id: wireAccountIdShape.nullish(),
  name: z.string().nullish(),
  status: z.string().nullish(),
  created_by: maybe(z.looseObject({ type: maybe(z.string()), id: maybe(wireIdShape) })),
  created_at: maybe(z.string()),
  rules: maybe(z.record(z.string(), z.unknown())),
  audience_filters: maybe(z.array(observedFilterShape)),
  messages: maybe(z.array(observedMessageShape)),
};

export const campaignReplyShape = z.looseObject({
  ...commonReply,
  trigger: maybe(z.string()),
  action: maybe(z.string()),
  targeted_sends_count: maybe(z.number()),
  first_message_stats: maybe(z.looseObject({ sent_messages_count: maybe(z.number()) })),
});
export type CampaignReply = z.infer<typeof campaignReplyShape>;

export const broadcastReplyShape = z.looseObject({
  ...commonReply,
  pause_reason: maybe(z.string()),
  progress_percent: maybe(z.number()),
  /** Null after it was sent, so it must have its type. */
  scheduled_at: z.iso.datetime({ offset: true }).nullish(),
  scheduled_at_timezone: maybe(z.string()),
  targeted_recipients_count: maybe(z.number()),
});
export type BroadcastReply = z.infer<typeof broadcastReplyShape>;
