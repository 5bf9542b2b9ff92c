import * as z from 'zod';
import { PERMISSIONS } from '../api/row.ts';
import { chatsShape, newChats } from './chat/state.ts';
import { newPayouts, payoutsShape } from './payouts/state.ts';
import { accountDataShape } from './reads/data.ts';
import { happenedRowsShape, newHappenedRows } from './reads/happened.ts';
import { newVault, vaultShape } from './vault/state.ts';

/** The two platform words in accounts and paths. Assumed: placeholders for the real words (ACCOUNT-6). */
export const PRIMARY_PLATFORM = 'platform_a';
export const SECONDARY_PLATFORM = 'platform_b';

const createdByShape = z.strictObject({ type: z.string(), id: z.string() });

/** A message as in answers (CONTENT-7, CONTENT-8). */
const messageShape = z.strictObject({
  step: z.int(),
  text: z.string().nullable(),
  price_gross: z.number(),
  delay_sec: z.int(),
  attachments: z.array(z.strictObject({ id: z.string(), type: z.string(), is_paid: z.boolean() })),
  text_is_paid: z.boolean(),
  tagged_platform_account_ids: z.array(z.string()),
});
export interface LiveMessage extends z.infer<typeof messageShape> {}

/** Answers contain list ids only. Relative days are stored here and never returned (CONTENT-17, CONTENT-18). */
const filterShape = z.strictObject({
  kind: z.string(),
  mode: z.string(),
  options: z.strictObject({
    from_at: z.string().optional(),
    to_at: z.string().optional(),
    from_days: z.int().optional(),
    to_days: z.int().optional(),
    lists: z.array(z.strictObject({ id: z.string() })).optional(),
  }),
});
export interface LiveFilter extends z.infer<typeof filterShape> {}

/** Figures of a campaign or broadcast (CONTENT-25). */
const statsShape = z.strictObject({
  sent_messages_count: z.int(),
  unsent_messages_count: z.int(),
  replied_messages_count: z.int(),
  purchased_messages_count: z.int(),
  purchased_amount_gross: z.number(),
  reply_rate: z.number().nullable(),
  purchase_rate: z.number().nullable(),
});
interface Stats extends z.infer<typeof statsShape> {}

export const NO_STATS: Stats = {
  sent_messages_count: 0,
  unsent_messages_count: 0,
  replied_messages_count: 0,
  purchased_messages_count: 0,
  purchased_amount_gross: 0,
  reply_rate: 0,
  purchase_rate: 0,
};

const commonShape = {
  id: z.string(),
  account_id: z.string(),
  name: z.string().nullable(),
  created_by: createdByShape,
  created_at: z.string(),
  rules: z.record(z.string(), z.unknown()),
  audience_filters: z.array(filterShape),
  messages: z.array(messageShape),
};

/** The status that reads show for a while instead of the real one. */
const lagShape = z.strictObject({ status: z.string().nullable(), untilMs: z.number(), reads: z.boolean() });

/** Data that only the service knows, for both kinds of objects. */
const internalShape = {
  statusSinceMs: z.number(),
  listedFromMs: z.number(),
  /** The time from which the single read finds it. */
  foundFromMs: z.number().default(0),
  statusLag: lagShape.nullable().default(null),
};

/** A send that a trigger queued and that is not sent yet. */
const queuedSendShape = z.strictObject({ send: z.int(), fan_id: z.string(), due_ms: z.number() });

/** `live` is in answers; the service keeps the rest to itself. */
const campaignShape = z.strictObject({
  live: z.strictObject({
    ...commonShape,
    trigger: z.string(),
    action: z.string().nullable(),
    status: z.string().nullable(),
    targeted_sends_count: z.int(),
    stats: statsShape,
  }),
  ...internalShape,
  queue: z.array(queuedSendShape),
});
export interface Campaign extends z.infer<typeof campaignShape> {}

const broadcastShape = z.strictObject({
  live: z.strictObject({
    ...commonShape,
    /** The state inside the service. Answers show only the states that the API names. */
    status: z.string(),
    pause_reason: z.enum(['manual', 'send_errors']).nullable(),
    progress_percent: z.int(),
    scheduled_at: z.string().nullable(),
    scheduled_at_timezone: z.string().nullable(),
    targeted_recipients_count: z.int(),
    stats: statsShape,
  }),
  ...internalShape,
  /** Its content cannot be read (BROADCAST-23). */
  unreadable: z.boolean(),
  recalled: z.boolean(),
  /** The number of fans reached, so that a resume continues there. */
  reached: z.int(),
  /** The time of the next fan's message while it is sending. */
  nextSendMs: z.number().nullable(),
});
export interface Broadcast extends z.infer<typeof broadcastShape> {}

/** `id` is text here and a number in answers, so that no digit is lost (ACCOUNT-1). */
const accountShape = z.strictObject({
  id: z.string(),
  platform_account_id: z.string(),
  platform: z.string(),
  name: z.string(),
  email: z.string(),
  avatar: z.string(),
  username: z.string(),
  organisation_id: z.string(),
  subscribe_price: z.number(),
  subscription_expiration_date: z.string(),
  custom_label: z.string().nullable(),
});

export const accountStateShape = z.strictObject({
  live: accountShape,
  fans: z.array(z.string()),
  /** Id of each fan list, by name. */
  lists: z.record(z.string(), z.string()),
  campaigns: z.record(z.string(), campaignShape),
  /** Ids in the order of the list. */
  campaignOrder: z.array(z.string()),
  broadcasts: z.record(z.string(), broadcastShape),
  /** Ids, oldest first. */
  broadcastOrder: z.array(z.string()),
  /** The time of the next check of queued broadcasts. One check serves all of them. */
  nextRunMs: z.number().nullable(),
  payouts: payoutsShape.default(newPayouts),
  vault: vaultShape.default(newVault),
  chats: chatsShape.default(newChats),
  data: accountDataShape,
  happened: happenedRowsShape.default(newHappenedRows),
});
export interface AccountState extends z.infer<typeof accountStateShape> {}

/** A key and its scope (ACCOUNT-9). Without `accounts` and `platform` it covers the whole organisation. */
export const keyShape = z.strictObject({
  id: z.string(),
  key: z.string().min(1),
  permissions: z.union([z.literal('all'), z.array(z.enum(PERMISSIONS))]),
  accounts: z.array(z.string()).nullable(),
  platform: z.string().nullable(),
  revoked: z.boolean(),
});
export interface ApiKey extends z.infer<typeof keyShape> {}
