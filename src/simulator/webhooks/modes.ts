import * as z from 'zod';

/** Points about events that the document leaves open (docs/service/events.md), as switches. */
export const WEBHOOK_MODES = {
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
} as const;
