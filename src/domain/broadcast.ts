import * as z from 'zod';
import type { DeclaredFilter } from './audience.ts';
import { durationShape, type DeclaredMessage } from './message.ts';

export const BROADCAST_NAME_MAX = 100;

/**
 * A schedule nearer than this is too near: settling and repeating a create may take longer, and one that
 * lands after its hour goes out at once (BROADCAST-6). Assumed: five minutes are enough.
 */
export const SCHEDULE_LEAD_MS = 5 * 60_000;

/** A pause sent nearer to the hour than this may arrive half-way through the sending. */
export const LEAVING_MS = 60_000;

/**
 * A paused broadcast can be resumed for five days (BROADCAST-17). After that it never goes out any more,
 * although it still reads as paused until the service archives it.
 */
export const RESUME_WINDOW_MS = 5 * 86_400_000;

/** Rules a broadcast create accepts; `unsend_if_not_replied_enabled` is read but cannot be created. */
export const broadcastRulesShape = z.strictObject({
  online_check_mode: z.string().nullable().optional(),
  unsend_delay_sec: durationShape.optional(),
  unsend_if_not_read_enabled: z.boolean().optional(),
  mimic_on_reply_enabled: z.boolean().optional(),
  /** A UTC instant on a whole hour, `YYYY-MM-DDTHH:00:00Z`. */
  end_at: z.string().nullable().optional(),
});

/** What a broadcast says and to whom, as declared. Only what the YAML says is present. */
export interface BroadcastContent {
  readonly rules?: z.infer<typeof broadcastRulesShape> | undefined;
  readonly audience_filters: readonly DeclaredFilter[];
  readonly messages: readonly DeclaredMessage[];
}
