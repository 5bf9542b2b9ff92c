import * as z from 'zod';

const MIB = 1_048_576;

/** Unusual ends of an export: a bad file, or a state in which it waits for a retry. */
export const UPLOAD_ENDINGS = ['failed', 'unprocessable', 'stuck_uploaded', 'stuck_processed'] as const;

/**
 * Points that the document leaves open, as switches. The default is our assumption; the other values test a client
 * against a service that decided differently. See docs/service for the open points.
 */
export const modesShape = z.strictObject({
  /** Assumed: `{code, message, details}` at the top (ERROR-11). */
  errorBody: z.enum(['flat', 'nested', 'text', 'html']).default('flat'),
  /** Assumed: an account outside the key's scope is a plain 403 (ACCOUNT-9). */
  scopeStatus: z.union([z.literal(403), z.literal(404)]).default(403),
  /** Assumed: the order of campaigns is arbitrary but stable. `reshuffled` changes it with every scan (CAMPAIGN-15). */
  campaignOrder: z.enum(['stable', 'reshuffled']).default('stable'),
  /** Assumed: the states of a broadcast that the API names. All others read as null (BROADCAST-8, BROADCAST-12). */
  namedStates: z.array(z.string()).default(['scheduled', 'queued', 'sending', 'paused', 'archived']),
  /** `none` accepts any number of requests, to measure the speed of a client. */
  rates: z.enum(['published', 'none']).default('published'),
  /**
   * A request takes effect within this time, or never; an answer that takes longer is cut off (LIMIT-5). More than the
   * documented 65 seconds is a service that breaks its word.
   */
  requestTimeoutSec: z.number().min(0).default(65),
  /** Access of the organisation to payout requests. Without it the create is a plain 403. */
  payoutsEnabled: z.boolean().default(true),
  /** Rejects payout requests with a 200 and this reason; null accepts them (PAYOUT-4). */
  payoutRejectReason: z.string().min(1).nullable().default(null),
  /** Assumed: the details of a refused text are `{words: […]}`; `list` returns only the words (CHAT-3). */
  restrictedDetails: z.enum(['words', 'list']).default('words'),
  chatDelaySec: z.number().min(0).default(3),
  /** The price of following a fan. With 0 it is free and does not end. */
  followPriceUsd: z.number().min(0).default(4.99),
  /** Assumed: decided by an unpublished size limit (VAULT-5). */
  uploadShape: z.enum(['threshold', 'single', 'multipart']).default('threshold'),
  /** The service's size of a part. It publishes only the number of parts. */
  uploadPartBytes: z
    .int()
    .min(1)
    .default(16 * MIB),
  /** Assumed: it has the document's first status. `null` leaves it without one (VAULT-13). */
  unfinishedStatus: z.enum(['null', 'uploaded']).default('uploaded'),
  /** Seconds that an exported upload stays in each state (VAULT-12). */
  uploadStepSec: z.number().min(0).default(2),
  /** Uploads with this text in their name end this way. The first match counts. */
  uploadFates: z
    .array(z.strictObject({ name_contains: z.string(), fate: z.enum(UPLOAD_ENDINGS) }))
    .default([]),
  /** Assumed: payloads name their transaction; `bare` has only the documented members and the fan (EVENT-5). */
  webhookNames: z.enum(['full', 'bare']).default('full'),
  /** The clocks of the servers behind the address, in seconds off the right time. Each answer uses any of them. */
  serverClocksSec: z.array(z.number()).min(1).default([0]),
});

export type ModeChanges = z.input<typeof modesShape>;
