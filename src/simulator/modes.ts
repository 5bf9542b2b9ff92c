import { z } from 'zod';

const DAY_SEC = 86_400;

/**
 * What the document leaves open, as switches: the default is the choice that we assume,
 * the others let a client be tried against a service that chose differently (rulebook 3.2).
 */
export const modesShape = z.strictObject({
  /** Assumed: `{code, message, details}` at the top (N22). */
  errorBody: z.enum(['flat', 'nested', 'text', 'html']).default('flat'),
  /** Assumed: 400 for every refused input (N23). */
  validationStatus: z.union([z.literal(400), z.literal(422)]).default(400),
  /** Assumed: an account of the other platform is a plain 400 (N23). */
  wrongPlatformStatus: z.union([z.literal(400), z.literal(403)]).default(400),
  /** Assumed: an account outside the key's scope is a plain 403 (N42). */
  scopeStatus: z.union([z.literal(403), z.literal(404)]).default(403),
  /**
   * Assumed: the order of campaigns is arbitrary but holds still; `reshuffled` changes it with every scan
   * (N28).
   */
  campaignOrder: z.enum(['stable', 'reshuffled']).default('stable'),
  /** Assumed: days filters are not read back at all; `dates` answers the instants that they mean now (N48). */
  daysReadBack: z.enum(['omitted', 'dates']).default('omitted'),
  /** Assumed: names are kept as sent (N38). */
  trimNames: z.boolean().default(false),
  /** Assumed: "any to active" covers archived (N43). */
  archivedToActive: z.enum(['allow', 'refuse']).default('allow'),
  /** Assumed: `queued` asked of a scheduled or sending broadcast is refused (N10). */
  resumeOfRunning: z.enum(['refuse', 'accept']).default('refuse'),
  /** Assumed: a schedule off the whole hour is refused; `truncate` drops the minutes. */
  scheduleMinutes: z.enum(['refuse', 'truncate']).default('refuse'),
  /** Assumed: a finished broadcast is in a state that the API does not name; `sent` names it (N37). */
  endedStatus: z.enum(['null', 'sent']).default('null'),
  /** Assumed: a paused campaign holds its queue; `drain` goes on sending it (N39). */
  pausedQueue: z.enum(['hold', 'drain']).default('hold'),
  /** Assumed: pausing what is paused does not restart its seven days (N40). */
  samePauseRestartsClock: z.boolean().default(false),
  /** Assumed: a 429 says nothing about when to come back (N34). */
  retryAfter: z.enum(['none', 'seconds', 'date']).default('none'),
  /** Assumed: what was created is listed at once (N47). */
  listLagSec: z.number().min(0).default(0),
  /** Assumed: two days after the resume window a paused broadcast is archived (N35). */
  archiveAfterResumeWindowSec: z
    .number()
    .min(0)
    .default(2 * DAY_SEC),
  /** Adds members that no version of the document names (N24). */
  extraFields: z.boolean().default(true),
  /** How long a queued broadcast waits for its turn, a whole send takes, and a campaign's recall runs. */
  queueDelaySec: z.number().min(0).default(5),
  sendDurationSec: z.number().min(0).default(60),
  recallDelaySec: z.number().min(0).default(30),
});

export interface Modes extends z.output<typeof modesShape> {}

/** Some modes, as tests and `/__sim/modes` set them. */
export type ModeChanges = z.input<typeof modesShape>;
