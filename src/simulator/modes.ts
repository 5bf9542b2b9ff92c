import * as z from 'zod';

const DAY_SEC = 86_400;
const MIB = 1_048_576;

/** Unusual ends of an export: a bad file, or a state in which it waits for a retry. */
export const UPLOAD_ENDINGS = [
  'failed',
  'unprocessable',
  'stuck_uploaded',
  'stuck_processed',
  'late_media',
] as const;

/**
 * Points that the document leaves open, as switches. The default is our assumption; the other values test a client
 * against a service that decided differently. See docs/service for the open points.
 */
export const modesShape = z.strictObject({
  /** Assumed: `{code, message, details}` at the top (ERROR-11). */
  errorBody: z.enum(['flat', 'nested', 'text', 'html']).default('flat'),
  /** Assumed: 400 for every refused input (ERROR-12). */
  validationStatus: z.union([z.literal(400), z.literal(422)]).default(400),
  /** Assumed: 400 for all invalid input (ERROR-12). */
  wrongPlatformStatus: z.union([z.literal(400), z.literal(403)]).default(400),
  /** Assumed: an account outside the key's scope is a plain 403 (ACCOUNT-9). */
  scopeStatus: z.union([z.literal(403), z.literal(404)]).default(403),
  /**
   * Assumed: the order of campaigns is arbitrary but stable. `reshuffled` changes it with every scan,
   * `last_change` puts the latest change first (CAMPAIGN-15).
   */
  campaignOrder: z.enum(['stable', 'reshuffled', 'last_change']).default('stable'),
  /** Assumed: answers omit days filters; `dates` returns the dates that they mean now (CONTENT-18). */
  daysReadBack: z.enum(['omitted', 'dates']).default('omitted'),
  /** Assumed: names are stored as sent (CONTENT-2). */
  trimNames: z.boolean().default(false),
  /** Assumed: "any to active" covers archived (CAMPAIGN-10). */
  archivedToActive: z.enum(['allow', 'refuse']).default('allow'),
  /** Assumed: `queued` for a scheduled or sending broadcast is refused (BROADCAST-19). */
  resumeOfRunning: z.enum(['refuse', 'accept']).default('refuse'),
  /** Assumed: the API does not name the state of a finished broadcast; `sent` names it (BROADCAST-8). */
  endedStatus: z.enum(['null', 'sent']).default('null'),
  /** Assumed: a paused campaign holds its queue; `drain` continues to send it (CAMPAIGN-8). */
  pausedQueue: z.enum(['hold', 'drain']).default('hold'),
  /** Assumed: pausing a paused campaign does not restart its seven days (CAMPAIGN-9). */
  samePauseRestartsClock: z.boolean().default(false),
  /** `none` accepts any number of requests, to measure the speed of a client. */
  rates: z.enum(['published', 'none']).default('published'),
  /**
   * A request takes effect within this time, or never; an answer that takes longer is cut off (LIMIT-5). More than the
   * documented 65 seconds is a service that breaks its word.
   */
  requestTimeoutSec: z.number().min(0).default(65),
  /** Assumed: a 429 does not tell when to retry (ERROR-3). */
  retryAfter: z.enum(['none', 'seconds', 'date']).default('none'),
  /** Assumed: a new object is listed at once (ERROR-6). */
  listLagSec: z.number().min(0).default(0),
  /** Assumed: the API names the state of an archived broadcast; `null` does not name it (BROADCAST-12). */
  archivedStatus: z.enum(['archived', 'null']).default('archived'),
  /** Assumed: a parameter or member that the document does not name is refused; `ignore` drops it (ERROR-12). */
  unknownParameters: z.enum(['refuse', 'ignore']).default('refuse'),
  /** Assumed: triggers are lower-case words; `any` takes every text (CAMPAIGN-3). */
  triggers: z.enum(['words', 'any']).default('words'),
  /** Assumed: a paused broadcast is archived two days after the resume window (BROADCAST-17). */
  archiveAfterResumeWindowSec: z
    .number()
    .min(0)
    .default(2 * DAY_SEC),
  /** Access of the organisation to payout requests. Without it the create is a plain 403. */
  payoutsEnabled: z.boolean().default(true),
  /** Rejects payout requests with a 200 and this reason; null accepts them (PAYOUT-4). */
  payoutRejectReason: z.string().min(1).nullable().default(null),
  /** Whether the list of payout requests returns a marker for its snapshot. */
  payoutMarker: z.enum(['number', 'null']).default('number'),
  /** Assumed: a range includes both ends; `half_open` excludes the later one (READ-2). */
  rangeEnds: z.enum(['inclusive', 'half_open']).default('inclusive'),
  /** Assumed: a page of a chat starts after the given message; true includes that message (LIST-6). */
  messageIdInclusive: z.boolean().default(false),
  /** The moderation check refuses messages with these words, in any case and as part of a word. */
  restrictedWords: z.array(z.string().min(1)).default(['paypal', 'meet in person']),
  /** Assumed: the details of that refusal are `{words: […]}`; `list` returns only the words (CHAT-3). */
  restrictedDetails: z.enum(['words', 'list']).default('words'),
  /** Messages with these words are queued, and then stopped by the message guard. The API does not report this. */
  guardedWords: z.array(z.string().min(1)).default(['guarded']),
  /** The time until a queued chat message is visible. */
  chatDelaySec: z.number().min(0).default(3),
  /** The price of following a fan. With 0 it is free and does not end. */
  followPriceUsd: z.number().min(0).default(4.99),
  /** Assumed: decided by an unpublished size limit (VAULT-5). */
  uploadShape: z.enum(['threshold', 'random', 'single', 'multipart']).default('threshold'),
  /** Uploads of this size or more come in parts. */
  uploadThresholdBytes: z
    .int()
    .min(1)
    .default(64 * MIB),
  /** The service's size of a part. It publishes only the number of parts. */
  uploadPartBytes: z
    .int()
    .min(1)
    .default(16 * MIB),
  /** Assumed: start returns `key` and `get_url` together with the parts (VAULT-5). */
  multipartKeys: z.enum(['present', 'absent']).default('present'),
  /** Assumed: 15 minutes (VAULT-7). */
  presignedLifetimeSec: z.number().min(0).default(900),
  /**
   * With `expired=true` an upload that was started and not exported is listed after its addresses expired; `listed`
   * shows it at once, `hidden` never (VAULT-13).
   */
  unfinishedUploads: z.enum(['listed', 'lapsed', 'hidden']).default('lapsed'),
  /** Assumed: it has the document's first status. `null` leaves it without one (VAULT-13). */
  unfinishedStatus: z.enum(['null', 'uploaded']).default('uploaded'),
  /** Assumed: a repeated export creates a second media (VAULT-11). */
  exportAgain: z.enum(['twice', 'refuse']).default('twice'),
  /** Assumed: the store quotes its ETags, as HTTP does (VAULT-6). */
  etagQuotes: z.boolean().default(true),
  /** `none` discards the bytes without hashing them, to measure speed. */
  storageHash: z.enum(['sha256', 'none']).default('sha256'),
  /** Seconds that an exported upload stays in each state; `random` is 50% to 150% of it (VAULT-12). */
  uploadStepSec: z.number().min(0).default(2),
  uploadTiming: z.enum(['fixed', 'random']).default('random'),
  /** Uploads with this text in their name end this way. The first match counts. */
  uploadFates: z
    .array(z.strictObject({ name_contains: z.string(), fate: z.enum(UPLOAD_ENDINGS) }))
    .default([]),
  /** The form of media ids in uploads. The document says only that they are texts (VAULT-12). */
  mediaIds: z.enum(['digits', 'text']).default('digits'),
  /** The host of links to fans. */
  platformHost: z.string().min(1).default('platform.example'),
  /** Assumed: "several consecutive deliveries" are three (EVENT-2). */
  webhookFailuresMax: z.int().min(1).default(3),
  /** "About a minute" (EVENT-2). */
  webhookPauseSec: z.number().min(0).default(60),
  /** Assumed: the time for an answer is not shown (EVENT-2). */
  webhookTimeoutSec: z.number().min(0.001).default(5),
  /** Assumed: payloads name their transaction; `bare` has only the documented members and the fan (EVENT-5). */
  webhookNames: z.enum(['full', 'bare']).default('full'),
  /** Assumed: the event of a blocked message has its `send_id` (EVENT-3). */
  webhookSendId: z.enum(['present', 'absent']).default('present'),
  /** Sends kinds that the document does not name, for replies and read messages. */
  webhookNewKinds: z.boolean().default(false),
  /** Adds members that the document does not name (READ-1). */
  extraFields: z.boolean().default(true),
  /** The clocks of the servers behind the address, in seconds off the right time. Each answer uses any of them. */
  serverClocksSec: z.array(z.number()).min(1).default([0]),
  /** Seconds that a broadcast waits in the queue, that a whole send takes, and that a campaign's recall takes. */
  queueDelaySec: z.number().min(0).default(5),
  sendDurationSec: z.number().min(0).default(60),
  recallDelaySec: z.number().min(0).default(30),
});

export interface Modes extends z.output<typeof modesShape> {}

/** Some of the modes, for tests and `/__sim/modes`. */
export type ModeChanges = z.input<typeof modesShape>;
