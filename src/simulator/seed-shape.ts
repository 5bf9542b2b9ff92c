import * as z from 'zod';
import { audienceFilterShape, fanListShape } from '../domain/audience.ts';
import { broadcastRulesShape } from '../domain/broadcast.ts';
import { campaignRulesShape } from '../domain/campaign.ts';
import { idShape } from '../domain/ids.ts';
import { messageShape } from '../domain/message.ts';
import { uploadStatus } from './state.ts';

/** Answers show times in UTC (READ-7). */
const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString());

/** The filter of an object that is on the service: its lists have their ids, or a name that makes one. */
const filter = z.strictObject({
  ...audienceFilterShape.shape,
  options: z
    .strictObject({
      ...audienceFilterShape.shape.options.def.innerType.shape,
      lists: z.array(z.union([z.strictObject({ id: idShape }), fanListShape])).optional(),
    })
    .optional(),
});
export type SeededFilter = z.output<typeof filter>;

const common = {
  id: z.string(),
  name: z.string().nullable(),
  audience_filters: z.array(filter),
  messages: z.array(messageShape),
  created_by: z.strictObject({ type: z.string(), id: z.string() }),
  created_at: instant,
  /** Any word, also one that the document does not name. For a broadcast, null means finished. */
  status: z.string().nullable(),
  /** The time of its last status change. Time limits count from it. */
  status_since: instant,
};

/** The fields of a campaign in a seed or an edit. Missing ones have a default or stay. */
const campaignSeedShape = z
  .strictObject({
    ...common,
    rules: z.looseObject({ ...campaignRulesShape.shape, end_at: instant.nullable().optional() }),
    trigger: z.string(),
    action: z.string().nullable(),
    targeted_sends_count: z.int(),
  })
  .partial();
export interface CampaignSeed extends z.infer<typeof campaignSeedShape> {}

/** The fields of a broadcast in a seed or an edit. */
const broadcastSeedShape = z
  .strictObject({
    ...common,
    rules: z.looseObject({
      ...broadcastRulesShape.shape,
      unsend_if_not_replied_enabled: z.boolean().optional(),
      end_at: instant.nullable().optional(),
      end_at_timezone: z.string().nullable().optional(),
    }),
    pause_reason: z.enum(['manual', 'send_errors']).nullable(),
    scheduled_at: instant.nullable(),
    /** UTC, unless a person scheduled it elsewhere. */
    scheduled_at_timezone: z.string(),
    unreadable: z.boolean(),
    targeted_recipients_count: z.int(),
  })
  .partial();
export interface BroadcastSeed extends z.infer<typeof broadcastSeedShape> {}

/** The fields of an account that change over time. A label of null means no label. */
const accountFields = z
  .strictObject({
    name: z.string(),
    username: z.string().min(1),
    custom_label: z.string().nullable(),
    subscribe_price: z.number().min(0),
    subscription_expiration_date: z.iso.datetime({ offset: true }),
  })
  .partial();
export interface AccountEdit extends z.infer<typeof accountFields> {}

const amount = z.number().min(0);
const offsetInstant = z.iso.datetime({ offset: true });

/** Payout settings of an account, in major units as in the API. Missing ones stay. */
export const payoutsSeedShape = z
  .strictObject({
    available: amount,
    pending: amount,
    pending_matures_at: offsetInstant,
    currency: z.string(),
    minimum: amount,
    maximum: amount,
    pending_days: z.int().min(0),
    period: z.string(),
  })
  .partial();
export interface PayoutsSeed extends z.infer<typeof payoutsSeedShape> {}

/** A payout request that a person made without the API. */
const payoutRequestSeedShape = z
  .strictObject({
    amount,
    currency: z.string(),
    state: z.string(),
    reject_reason: z.string(),
    created_at: offsetInstant,
    invoice_id: z.string(),
  })
  .partial();

/** The size of a chat. The chat may be new. */
const chatSeedShape = z.strictObject({
  chat_id: z.string().min(1),
  /** The number of generated messages. */
  messages: z.int().min(0).max(1_000_000),
});

/** A message that a person or the fan writes outside the API. */
const chatMessageSeedShape = z.strictObject({
  chat_id: z.string().min(1),
  text: z.string().nullable(),
  from_me: z.boolean().default(true),
  price: amount.default(0),
});

const digits = z.string().regex(/^[1-9]\d*$/);

/** A folder made by a person, with some photos. */
const folderSeedShape = z
  .strictObject({ id: digits, name: z.string(), type: z.string(), photos: z.int().min(0).max(100_000) })
  .partial();

/** A media that existed before. Without a folder it belongs to the posts. */
const mediaSeedShape = z
  .strictObject({ folder_id: digits, type: z.string(), created_at: offsetInstant })
  .partial();

/** An upload that someone else exported. It stays unchanged until it is retried. */
const uploadSeedShape = z
  .strictObject({ name: z.string(), status: uploadStatus, key: z.string(), created_at: offsetInstant })
  .partial();

const defineSeed = <Kind extends string, Set extends z.ZodType>(kind: Kind, set: Set) =>
  z.strictObject({ account_id: z.string(), kind: z.literal(kind), set });

/** An object that existed before, or that appears without the API. */
export const seedShape = z.discriminatedUnion('kind', [
  defineSeed('campaign', campaignSeedShape.default({})),
  defineSeed('broadcast', broadcastSeedShape.default({})),
  defineSeed('payout_request', payoutRequestSeedShape.default({})),
  defineSeed('payouts', payoutsSeedShape),
  defineSeed('chat', chatSeedShape),
  defineSeed('chat_message', chatMessageSeedShape),
  defineSeed('vault_folder', folderSeedShape.default({})),
  defineSeed('vault_media', mediaSeedShape.default({})),
  defineSeed('vault_upload', uploadSeedShape.default({})),
]);
export type Seed = z.infer<typeof seedShape>;
export type SeedInput = z.input<typeof seedShape>;
export type SeedOf<Kind extends Seed['kind']> = Extract<Seed, { kind: Kind }>['set'];

/** An object by its id, or the first with the name. */
const target = { id: z.string().optional(), name: z.string().optional() };

/** A change of live state outside the API, as by a person on the service's own screens. */
export const editShape = z.discriminatedUnion('kind', [
  defineSeed('campaign', campaignSeedShape).extend(target),
  defineSeed('broadcast', broadcastSeedShape).extend(target),
  defineSeed('account', accountFields),
]);
export type Edit = z.infer<typeof editShape>;
