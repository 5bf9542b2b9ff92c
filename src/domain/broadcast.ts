import * as z from 'zod/mini';
import type { DeclaredFilter } from './audience.ts';
import { maybeDurationShape, type DeclaredMessage } from './message.ts';
import { maybeFlagShape, maybeTextShape } from './value-shapes.ts';

export const BROADCAST_NAME_MAX = 100;

/**
 * Shortest time before the schedule for a create. Resolving and repeating a create takes time, and one that arrives
 * after its schedule is sent immediately (BROADCAST-6). Assumed: five minutes are enough.
 */
export const SCHEDULE_LEAD_MS = 5 * 60_000;

/** A pause sent later than this before the schedule may arrive while it is being sent. */
export const LEAVING_MS = 60_000;

/** Rules that a broadcast create accepts. `unsend_if_not_replied_enabled` can be read, but not created. */
export const broadcastRulesShape = z.strictObject({
  online_check_mode: maybeTextShape,
  unsend_delay_sec: maybeDurationShape,
  unsend_if_not_read_enabled: maybeFlagShape,
  mimic_on_reply_enabled: maybeFlagShape,
  /** A UTC instant on a whole hour, `YYYY-MM-DDTHH:00:00Z`. */
  end_at: maybeTextShape,
});

/** Declared content. Only fields present in the YAML are set. */
export interface BroadcastContent {
  readonly rules?: z.infer<typeof broadcastRulesShape> | undefined;
  readonly audience_filters: readonly DeclaredFilter[];
  readonly messages: readonly DeclaredMessage[];
}
