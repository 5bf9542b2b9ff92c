import * as z from 'zod';
import { wireBigIdShape, wireIdShape } from './ids.ts';
import { maybe } from './lenient.ts';

/**
 * A filter as replies carry it: lists by id only, days never (CONTENT-17, CONTENT-18). Nothing in it is
 * forgiven: read without what is odd it would be another audience, so the audience as a whole reads as unknown.
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
 * A message as replies carry it. What fans read and pay is not forgiven either: a price of a wrong type is not
 * "free", so the messages as a whole read as unknown.
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

const createdByShape = z.looseObject({ type: maybe(z.string()), id: maybe(wireIdShape) });

/**
 * A campaign as replies carry it. Only what drives a decision must have its type;
 * the rest reads as null when it is not what the document says.
 */
export const campaignReplyShape = z.looseObject({
  id: wireBigIdShape,
  account_id: wireBigIdShape.nullish(),
  name: z.string().nullish(),
  trigger: maybe(z.string()),
  action: maybe(z.string()),
  status: z.string().nullish(),
  created_by: maybe(createdByShape),
  created_at: maybe(z.string()),
  rules: maybe(z.record(z.string(), z.unknown())),
  audience_filters: maybe(z.array(observedFilterShape)),
  messages: maybe(z.array(observedMessageShape)),
  targeted_sends_count: maybe(z.number()),
});
export type CampaignReply = z.infer<typeof campaignReplyShape>;

/** A broadcast as replies carry it; `scheduled_at` is null once it has left, so its type is not forgiven. */
export const broadcastReplyShape = z.looseObject({
  id: wireBigIdShape,
  account_id: wireBigIdShape.nullish(),
  name: z.string().nullish(),
  status: z.string().nullish(),
  pause_reason: maybe(z.string()),
  progress_percent: maybe(z.number()),
  created_by: maybe(createdByShape),
  created_at: maybe(z.string()),
  scheduled_at: z.iso.datetime({ offset: true }).nullish(),
  scheduled_at_timezone: maybe(z.string()),
  rules: maybe(z.record(z.string(), z.unknown())),
  audience_filters: maybe(z.array(observedFilterShape)),
  messages: maybe(z.array(observedMessageShape)),
  targeted_recipients_count: maybe(z.number()),
});
export type BroadcastReply = z.infer<typeof broadcastReplyShape>;
