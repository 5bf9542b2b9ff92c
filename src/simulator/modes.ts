import * as z from 'zod';
import { VAULT_MODES } from './vault/modes.ts';

const DAY_SEC = 86_400;

/**
 * What the document leaves open, as switches: the default is the choice that we assume,
 * the others let a client be tried against a service that chose differently. The open points are in docs/service.
 */
export const modesShape = z.strictObject({
  /** Assumed: `{code, message, details}` at the top (ERROR-11). */
  errorBody: z.enum(['flat', 'nested', 'text', 'html']).default('flat'),
  /** Assumed: 400 for every refused input (ERROR-12). */
  validationStatus: z.union([z.literal(400), z.literal(422)]).default(400),
  /** Assumed: an account of the other platform is a plain 400 (ERROR-12). */
  wrongPlatformStatus: z.union([z.literal(400), z.literal(403)]).default(400),
  /** Assumed: an account outside the key's scope is a plain 403 (ACCOUNT-9). */
  scopeStatus: z.union([z.literal(403), z.literal(404)]).default(403),
  /**
   * Assumed: the order of campaigns is arbitrary but does not change; `reshuffled` changes it with every scan,
   * `last_change` puts what changed last first (CAMPAIGN-15).
   */
  campaignOrder: z.enum(['stable', 'reshuffled', 'last_change']).default('stable'),
  /** Assumed: days filters are not read back at all; `dates` answers the instants that they mean now (CONTENT-18). */
  daysReadBack: z.enum(['omitted', 'dates']).default('omitted'),
  /** Assumed: names are kept as sent (CONTENT-2). */
  trimNames: z.boolean().default(false),
  /** Assumed: "any to active" covers archived (CAMPAIGN-10). */
  archivedToActive: z.enum(['allow', 'refuse']).default('allow'),
  /** Assumed: `queued` asked of a scheduled or sending broadcast is refused (BROADCAST-19). */
  resumeOfRunning: z.enum(['refuse', 'accept']).default('refuse'),
  /** Assumed: a schedule off the whole hour is refused; `truncate` drops the minutes (BROADCAST-5). */
  scheduleMinutes: z.enum(['refuse', 'truncate']).default('refuse'),
  /** Assumed: a finished broadcast is in a state that the API does not name; `sent` names it (BROADCAST-8). */
  endedStatus: z.enum(['null', 'sent']).default('null'),
  /** Assumed: a paused campaign holds its queue; `drain` goes on sending it (CAMPAIGN-8). */
  pausedQueue: z.enum(['hold', 'drain']).default('hold'),
  /** Assumed: pausing what is paused does not restart its seven days (CAMPAIGN-9). */
  samePauseRestartsClock: z.boolean().default(false),
  /** `none` lets any number of requests in, for measuring how fast a client can be. */
  rates: z.enum(['published', 'none']).default('published'),
  /** Assumed: a 429 says nothing about when to come back (ERROR-3). */
  retryAfter: z.enum(['none', 'seconds', 'date']).default('none'),
  /** Assumed: what was created is listed at once (ERROR-6). */
  listLagSec: z.number().min(0).default(0),
  /** Assumed: two days after the resume window a paused broadcast is archived (BROADCAST-17). */
  archiveAfterResumeWindowSec: z
    .number()
    .min(0)
    .default(2 * DAY_SEC),
  /** Whether the organisation has access to payout requests; without it the create is a plain 403. */
  payoutsEnabled: z.boolean().default(true),
  /** Answers a payout request with a 200 that rejects it for this reason; null accepts it (PAYOUT-4). */
  payoutRejectReason: z.string().min(1).nullable().default(null),
  /** Whether the list of payout requests hands out a marker for its snapshot. */
  payoutMarker: z.enum(['number', 'null']).default('number'),
  /** Assumed: a range of a read holds both of its ends; `half_open` leaves the later one out (READ-2). */
  rangeEnds: z.enum(['inclusive', 'half_open']).default('inclusive'),
  /** Assumed: a page of a chat begins after the message that it is asked from; true begins with it (LIST-6). */
  messageIdInclusive: z.boolean().default(false),
  /** Words whose message the moderation step refuses; matched in any part of the text, whatever the case. */
  restrictedWords: z.array(z.string().min(1)).default(['paypal', 'meet in person']),
  /** Assumed: the details of such a refusal are `{words: […]}`; `list` gives the words alone (CHAT-3). */
  restrictedDetails: z.enum(['words', 'list']).default('words'),
  /** Words whose message is queued, and then stopped by the message guard without a trace in the API. */
  guardedWords: z.array(z.string().min(1)).default(['guarded']),
  /** How long a queued chat message waits before it is seen. */
  chatDelaySec: z.number().min(0).default(3),
  /** What following a fan costs the account; 0 is free and has no end. */
  followPriceUsd: z.number().min(0).default(4.99),
  ...VAULT_MODES,
  /** Adds members that no version of the document names (READ-1). */
  extraFields: z.boolean().default(true),
  /** Clocks of the servers behind the address, in seconds off the right time; each answer comes from any of them. */
  serverClocksSec: z.array(z.number()).min(1).default([0]),
  /** How long a queued broadcast waits for its turn, a whole send takes, and a campaign's recall runs. */
  queueDelaySec: z.number().min(0).default(5),
  sendDurationSec: z.number().min(0).default(60),
  recallDelaySec: z.number().min(0).default(30),
});

export interface Modes extends z.output<typeof modesShape> {}

/** Some modes, as tests and `/__sim/modes` set them. */
export type ModeChanges = z.input<typeof modesShape>;
