import * as z from 'zod';

/** `herald/event/1`: one event of the service, as it was received or found in a list. */
export const storedEventShape = z.strictObject({
  /** Two with the same key are the same event. */
  key: z.string(),
  schema: z.literal('herald/event/1'),
  /** `list`: it did not come, and a list shows that it happened. */
  source: z.enum(['webhook', 'list']),
  /** By the clock of the machine. */
  received_at: z.string(),
  /** Null if none was found in the body. */
  kind: z.string().nullable(),
  id: z.string().nullable(),
  /** As the body has it. */
  time: z.string().nullable(),
  account_id: z.string().nullable(),
  platform_account_id: z.string().nullable(),
  fan_id: z.string().nullable(),
  /** How `body` is written. `base64` is for bytes that are not text. */
  encoding: z.enum(['utf8', 'base64']),
  /** As it came. */
  body: z.string(),
});
export interface StoredEvent extends z.infer<typeof storedEventShape> {}

/** The number of an event in the order of storing. A reading goes on after it. */
export type EventPosition = number;

/** The position before the first event. */
export const EVENTS_BEGIN: EventPosition = 0;

/** Selects events before they are parsed, because most readers need few of many. */
export interface EventFilter {
  /** Received at this instant or later (ISO 8601, UTC). */
  readonly since?: string;
  /** How the kind begins. */
  readonly kind?: string;
}
