import * as z from 'zod';
import { audienceFilterShape, fanListShape, messageShape } from '../domain/content.ts';
import { idShape } from '../domain/ids.ts';
import {
  instant,
  liveBroadcastShape,
  liveCampaignShape,
  payoutRequestShape,
  payoutSettingsShape,
  uploadStatus,
} from './state.ts';

/** Answers show times in UTC (READ-7). */
const utcInstant = instant.transform((text) => new Date(text).toISOString());

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
  audience_filters: z.array(filter),
  messages: z.array(messageShape),
  rules: z.looseObject({ end_at: utcInstant.nullable().optional() }),
  created_at: utcInstant,
  /** Any word, also one that the document does not name. For a broadcast, null means finished. */
  status: z.string().nullable(),
};
const NOT_SET = { account_id: true, stats: true } as const;

/** The fields of a campaign in a seed or an edit. Missing ones have a default or stay. */
const campaignSeedShape = liveCampaignShape.omit(NOT_SET).extend(common).partial();
export interface CampaignSeed extends z.infer<typeof campaignSeedShape> {}

const broadcastSeedShape = liveBroadcastShape
  .omit(NOT_SET)
  .extend({ ...common, scheduled_at: utcInstant.nullable(), unreadable: z.boolean() })
  .partial();
export interface BroadcastSeed extends z.infer<typeof broadcastSeedShape> {}

export type SenderSet = CampaignSeed & BroadcastSeed;

/** The size of a chat. The chat may be new. */
const chatSeedShape = z.strictObject({
  chat_id: z.string().min(1),
  messages: z.int().min(0).max(10_000),
});

/** A message that a person or the fan writes outside the API. */
const chatMessageSeedShape = z.strictObject({
  chat_id: z.string().min(1),
  text: z.string().nullable(),
  from_me: z.boolean().default(true),
  price: z.number().min(0).default(0),
});

const digits = z.string().regex(/^[1-9]\d*$/);

/** A folder made by a person, with some photos. */
const folderSeedShape = z
  .strictObject({ id: digits, name: z.string(), type: z.string(), photos: z.int().min(0).max(100_000) })
  .partial();

/** An upload that someone else exported. It stays unchanged until it is retried. */
const uploadSeedShape = z
  .strictObject({ name: z.string(), status: uploadStatus, key: z.string(), created_at: instant })
  .partial();

const defineSeed = <Kind extends string, Set extends z.ZodType>(kind: Kind, set: Set) =>
  z.strictObject({ account_id: z.string(), kind: z.literal(kind), set });

/** An object that existed before, or that appears without the API. */
export const seedShape = z.discriminatedUnion('kind', [
  defineSeed('campaign', campaignSeedShape.default({})),
  defineSeed('broadcast', broadcastSeedShape.default({})),
  /** One that a person made without the API. */
  defineSeed('payout_request', payoutRequestShape.partial().default({})),
  defineSeed('payouts', payoutSettingsShape.partial()),
  defineSeed('chat', chatSeedShape),
  defineSeed('chat_message', chatMessageSeedShape),
  defineSeed('vault_folder', folderSeedShape.default({})),
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
]);
export type Edit = z.infer<typeof editShape>;

export const firedShape = z.strictObject({
  account_id: z.string(),
  trigger: z.string().min(1),
  fan_id: z.string().min(1),
});
export type Fired = z.infer<typeof firedShape>;
