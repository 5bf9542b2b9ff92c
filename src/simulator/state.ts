import * as z from 'zod';
import { UPLOAD_ENDINGS } from './modes.ts';

/** The two platform words in accounts and paths. Assumed: placeholders for the real words (ACCOUNT-6). */
export const PRIMARY_PLATFORM = 'platform_a';
export const SECONDARY_PLATFORM = 'platform_b';

const flag = z.boolean().default(false);
const amount = z.number().min(0);
export const instant = z.iso.datetime({ offset: true });

/** A message as in answers, with the service's defaults (CONTENT-7, CONTENT-8). */
export const liveMessageShape = z.strictObject({
  step: z.int(),
  text: z.string().nullable().default(null),
  price_gross: z.number().default(0),
  delay_sec: z.int().default(0),
  attachments: z.array(z.strictObject({ id: z.string(), type: z.string(), is_paid: flag })).default([]),
  text_is_paid: flag,
  tagged_platform_account_ids: z.array(z.string()).default([]),
});
export interface LiveMessage extends z.infer<typeof liveMessageShape> {}

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

const figure = z.int().default(0);
const rate = z.number().nullable().default(0);

/** Figures of a campaign or broadcast (CONTENT-25). */
const statsShape = z.strictObject({
  sent_messages_count: figure,
  unsent_messages_count: figure,
  replied_messages_count: figure,
  purchased_messages_count: figure,
  purchased_amount_gross: z.number().default(0),
  reply_rate: rate,
  purchase_rate: rate,
});
export const NO_STATS = statsShape.parse({});

const liveShape = z.strictObject({
  id: z.string(),
  account_id: z.string(),
  name: z.string().nullable(),
  created_by: z.strictObject({ type: z.string(), id: z.string() }),
  created_at: instant,
  rules: z.record(z.string(), z.unknown()),
  audience_filters: z.array(filterShape),
  messages: z.array(liveMessageShape),
  stats: statsShape,
});

export const liveCampaignShape = liveShape.extend({
  trigger: z.string(),
  action: z.string().nullable(),
  status: z.string().nullable(),
  targeted_sends_count: z.int(),
});

export const liveBroadcastShape = liveShape.extend({
  /** The state inside the service. Answers show only the states that the API names. */
  status: z.string(),
  pause_reason: z.enum(['manual', 'send_errors']).nullable(),
  progress_percent: z.int(),
  scheduled_at: instant.nullable(),
  scheduled_at_timezone: z.string().nullable(),
  targeted_recipients_count: z.int(),
});

/** What only the service knows of an object. */
const hiddenShape = z.strictObject({
  statusSinceMs: z.number(),
  /** What lists and single reads show until then: an earlier status; without one, that it does not exist. */
  lag: z.strictObject({ listsMs: z.number(), readsMs: z.number(), status: z.string().nullish() }).nullable(),
});

/** `live` is in answers; the service keeps the rest to itself. */
const campaignShape = hiddenShape.extend({
  kind: z.literal('campaign'),
  live: liveCampaignShape,
  /** Sends that a trigger queued and that are not sent yet. */
  queue: z.array(z.strictObject({ fan_id: z.string(), due_ms: z.number() })),
});
export interface Campaign extends z.infer<typeof campaignShape> {}

const broadcastShape = hiddenShape.extend({
  kind: z.literal('broadcast'),
  live: liveBroadcastShape,
  /** Its content cannot be read (BROADCAST-23). */
  unreadable: z.boolean(),
  recalled: z.boolean(),
  /** The number of fans reached, so that a resume continues there. */
  reached: z.int(),
  /** The time of the next fan's message while it is sending. */
  nextSendMs: z.number().nullable(),
});
export interface Broadcast extends z.infer<typeof broadcastShape> {}

export type Sender = Campaign | Broadcast;

export const payoutRequestShape = z.strictObject({
  invoice_id: z.string(),
  created_at: instant,
  amount,
  currency: z.string(),
  /** Any word, also one that the document does not name. */
  state: z.string(),
  reject_reason: z.string(),
  /** When it appears in the list. */
  listedFromMs: z.number().optional(),
});
export interface PayoutRequest extends z.infer<typeof payoutRequestShape> {}

/** What a person can set of the payouts of an account. Amounts are in major units, as in the API. */
export const payoutSettingsShape = z.strictObject({
  available: amount,
  pending: amount,
  currency: z.string(),
  minimum: amount,
  maximum: amount,
  /** The number of days for which a manual payout stays `new`. */
  pending_days: z.int().min(0),
  period: z.string(),
});

const payoutsShape = payoutSettingsShape.extend({
  /** Oldest first. */
  requests: z.array(payoutRequestShape),
  /** The number of requests in each snapshot. The index is the marker. */
  markers: z.array(z.int()),
});
export interface Payouts extends z.infer<typeof payoutsShape> {}

/** A message of a chat. */
export const writtenShape = z.strictObject({
  id: z.string(),
  /** null if the API did not send it. */
  send_id: z.string().nullable().default(null),
  from_me: z.boolean(),
  text: z.string().nullable().default(null),
  price: z.number().nullable().default(0),
  locked_text: flag,
  media: z.array(z.strictObject({ id: z.string(), type: z.string(), is_paid: flag })).default([]),
  sender: z.record(z.string(), z.unknown()).nullable(),
  /** The time from which it is visible in the chat. */
  appearsMs: z.number(),
  /** Stopped by the message guard: it never appears, and the API does not report this. */
  blocked: flag,
  opened: flag,
});
export interface Written extends z.infer<typeof writtenShape> {}

/** A subscription of the account to a fan, as in answers. */
const followShape = z.strictObject({
  fan: z.strictObject({ id: z.string() }),
  subscribed: z.boolean(),
  subscribed_at: instant,
  /** null if it does not end. */
  expires_at: instant.nullable(),
  auto_renew_enabled: z.boolean(),
  price_gross: z.number(),
});

const chatsShape = z.strictObject({
  /** By chat id, which is the fan's id. It is filled when it is first looked at. */
  chats: z.record(z.string(), z.array(writtenShape)).default({}),
  labels: z.record(z.string(), z.strictObject({ custom_name: z.string(), note: z.string() })).default({}),
  /** Every subscription that was started, oldest first. Each was paid for. */
  follows: z.array(followShape).default([]),
});

const partShape = z.strictObject({
  id: z.int(),
  stored: z
    .strictObject({
      /** As in the store's answer, with quotes. */
      e_tag: z.string(),
      size: z.int(),
      sha256: z.string(),
      /** Base64 of a small body; null for a larger one. */
      bytes: z.string().nullable(),
    })
    .nullable(),
});
export interface UploadPart extends z.infer<typeof partShape> {}

/** A started upload: one key of the object store, in one piece or in parts. */
const uploadShape = z.strictObject({
  /** The id of the first export's record, and of its list entry before that. */
  id: z.string(),
  key: z.string(),
  /** null for a single put, which has one part. */
  upload_id: z.string().nullable(),
  file: z.strictObject({
    name: z.string(),
    size: z.int(),
    content_type: z.string(),
    duration: z.number().optional(),
  }),
  get_url: z.string(),
  parts: z.array(partShape),
  /** The combined ETag, once the parts are joined. */
  joined: z.string().nullable(),
  created_at: instant,
  expiresMs: z.number(),
  listedFromMs: z.number(),
});
export interface Upload extends z.infer<typeof uploadShape> {}

/** The statuses of an upload (VAULT-12). */
export const uploadStatus = z.enum([
  'uploaded',
  'processing',
  'processed',
  'exporting',
  'exported',
  'failed',
  'unprocessable',
]);
export type UploadStatus = z.infer<typeof uploadStatus>;

/** One export. Assumed: a repeated export creates a second record, and so a second media (VAULT-11). */
export const uploadRecordShape = z.strictObject({
  id: z.string(),
  status: uploadStatus,
  media_id: z.string().nullable().default(null),
  /** The data of the export's body and of start. */
  metadata: z.record(z.string(), z.unknown()),
  created_at: instant,
  updated_at: instant,
  key: z.string(),
  listedFromMs: z.number(),
  /** The time of its next step; null if none is due. */
  nextMs: z.number().nullable().default(null),
  fate: z.enum(UPLOAD_ENDINGS).nullable().default(null),
});
export interface UploadRecord extends z.infer<typeof uploadRecordShape> {}

const folderShape = z.strictObject({ id: z.string(), type: z.string(), name: z.string() });
export interface VaultFolder extends z.infer<typeof folderShape> {}

/** Assumed: the folders of every account. Ids are integers and may exceed 2^53 (VAULT-1). */
export const POSTS_FOLDER: VaultFolder = { id: '9007199254740993', type: 'posts', name: 'Posts' };
export const MESSAGES_FOLDER: VaultFolder = { id: '9007199254740995', type: 'messages', name: 'Messages' };

const mediaShape = z.strictObject({
  id: z.string(),
  folder_id: z.string(),
  type: z.string(),
  created_at: instant,
});
export interface VaultMedia extends z.infer<typeof mediaShape> {}

const vaultShape = z.strictObject({
  folders: z.array(folderShape).default(() => [{ ...POSTS_FOLDER }, { ...MESSAGES_FOLDER }]),
  /** Oldest first. */
  medias: z.array(mediaShape).default([]),
  uploads: z.record(z.string(), uploadShape).default({}),
  /** Oldest first. */
  records: z.array(uploadRecordShape).default([]),
});

/** A row that something caused while the world ran. The other rows are generated. */
const happenedRows = z
  .array(z.strictObject({ atMs: z.number(), row: z.record(z.string(), z.unknown()) }))
  .default([]);

export const liveAccountShape = z.strictObject({
  id: z.string().regex(/^(0|[1-9]\d{0,18})$/),
  platform_account_id: z.string(),
  platform: z.string(),
  name: z.string(),
  email: z.string(),
  avatar: z.string(),
  username: z.string().min(1),
  organisation_id: z.string(),
  subscribe_price: amount,
  subscription_expiration_date: instant,
  custom_label: z.string().nullable(),
});

export const accountShape = z.strictObject({
  /** `id` is text here and a number in answers, so that no digit is lost (ACCOUNT-1). */
  live: liveAccountShape,
  fans: z.array(z.string()),
  /** Id of each fan list, by name. */
  lists: z.record(z.string(), z.string()).default({}),
  campaigns: z.record(z.string(), campaignShape).default({}),
  /** Ids in the order of the list. */
  campaignOrder: z.array(z.string()).default([]),
  broadcasts: z.record(z.string(), broadcastShape).default({}),
  broadcastOrder: z.array(z.string()).default([]),
  payouts: payoutsShape.default(() => ({
    available: 1234.56,
    pending: 345.67,
    currency: 'USD',
    minimum: 20,
    maximum: 5000,
    pending_days: 3,
    period: 'manual',
    requests: [],
    markers: [],
  })),
  vault: vaultShape.prefault({}),
  chats: chatsShape.prefault({}),
  /** By list, oldest first. */
  happened: z.strictObject({ transactions: happenedRows, subscriptions: happenedRows }).prefault({}),
});
export interface AccountState extends z.infer<typeof accountShape> {}

/** One request to the object store. Its address is a secret and is not stored. */
export const putRecordShape = z.strictObject({
  key: z.string(),
  part: z.int(),
  received: figure,
  /** null while it is not answered, and if it never is. */
  status: z.int().nullable().default(null),
  fault: z.string().nullable().default(null),
  /** True would be a leak of the service's key. */
  auth_header_seen: z.boolean(),
});
export interface PutRecord extends z.infer<typeof putRecordShape> {}

/** The address of the object store without a socket. */
export const STORAGE_IN_PROCESS = 'http://storage.simulator.invalid';

/** The data of the object store, except the objects, which are stored with their uploads. */
export const storageShape = z.strictObject({
  /** The start of presigned addresses. A server of the store sets it. */
  baseUrl: z.string().default(STORAGE_IN_PROCESS),
  puts: z.array(putRecordShape).default([]),
});

/** What a person enters for an address that gets events (EVENT-4). */
export const entryInputShape = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  accounts: z.array(z.string()).nullable().default(null),
  /** Kinds. One of them covers its subtypes. null: all. */
  events: z.array(z.string().min(1)).nullable().default(null),
});
export type EntryInput = z.input<typeof entryInputShape>;

const entryShape = entryInputShape.extend({
  id: z.string(),
  /** Deliveries without an answer, one after the other. */
  failures: z.int(),
});

/** One event for one entry, on its way. */
const outgoingShape = z.strictObject({ entry: z.string(), dueMs: z.number(), body: z.string() });
export interface Outgoing extends z.infer<typeof outgoingShape> {}

/** The addresses that get events, and what is on its way to them. */
export const webhooksShape = z.strictObject({
  nextEntry: z.int().default(1),
  nextEvent: z.int().default(1),
  entries: z.array(entryShape).default([]),
  outgoing: z.array(outgoingShape).default([]),
  /** Until then nothing is sent, and what happens is dropped. */
  pausedUntilMs: z.number().default(0),
  /** Everything that happened and that the service has a kind for. */
  happened: z.array(z.strictObject({ at: z.string(), kind: z.string(), account_id: z.string() })).default([]),
  dropped: z.int().default(0),
});

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * The rows of a list in time: row k is in the k-th cell of `stepMs`, counted from `fromMs`. Without `rows` the
 * list is infinite. Rows of the future are hidden.
 */
const planShape = z.strictObject({
  fromMs: z.number(),
  stepMs: z.number().min(1),
  rows: z.int().min(0).nullable(),
});
export interface Plan extends z.infer<typeof planShape> {}

/** No world starts before this, so that every new world has a past. */
const LINKS_FROM_MS = Date.UTC(2024, 0);
/** From then on there are links that bring fans. */
const FANS_FROM_MS = Date.UTC(2024, 3);

/**
 * The lists with generated rows, each of one account. They are endless and from a fixed date, so that a world without a file
 * shows the same rows in every run.
 */
export const DEFAULT_PLANS = {
  subscriptions: { fromMs: FANS_FROM_MS, stepMs: 12 * HOUR_MS, rows: null },
  tracking_links: { fromMs: LINKS_FROM_MS, stepMs: 10 * DAY_MS, rows: null },
  tracking_link_users: { fromMs: FANS_FROM_MS, stepMs: 12 * HOUR_MS, rows: null },
  trial_links: { fromMs: LINKS_FROM_MS, stepMs: 15 * DAY_MS, rows: null },
  trial_link_users: { fromMs: FANS_FROM_MS, stepMs: DAY_MS, rows: null },
  chargebacks: { fromMs: FANS_FROM_MS, stepMs: 5 * DAY_MS, rows: null },
  transactions: { fromMs: FANS_FROM_MS, stepMs: 6 * HOUR_MS, rows: null },
} as const satisfies Record<string, Plan>;
export type List = keyof typeof DEFAULT_PLANS;
export const LISTS = Object.keys(DEFAULT_PLANS) as List[];

/** The source of all generated rows of a world. Even a million rows use no storage. */
export const dataShape = z.strictObject({
  seed: z.int().default(1),
  members: z.int().default(12),
  plans: z.partialRecord(z.enum(LISTS), planShape).default({}),
});
