import * as z from 'zod';

/** Ways in which the delivery of an event goes wrong. */
const WEBHOOK_BREAKAGES = [
  /** Never sent. */
  'lost',
  /** Sent, and sent again. */
  'twice',
  /** Sent `late_sec` later. */
  'late',
  /** Sent after the next event of its entry. */
  'out_of_order',
  /** The second half of the body is missing. */
  'truncated',
  /** Sent together with `copies` events of an unknown kind. */
  'flood',
] as const;

/** The members of a fault of deliveries, besides its selection of events. */
export const WEBHOOK_FAULT = {
  kind: z.literal('webhook'),
  /** Absent: every kind. */
  event: z.string().optional(),
  how: z.enum(WEBHOOK_BREAKAGES),
  late_sec: z.number().min(0).default(30),
  copies: z.int().min(1).max(10_000).default(100),
} as const;
