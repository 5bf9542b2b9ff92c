import * as z from 'zod';

/** How a put to the object store goes wrong. */
const STORAGE_BREAKAGES = [
  /** The connection breaks after `after_bytes`; half of the body where they are not given. */
  'reset',
  /** Nothing is read any more after `after_bytes`, and nothing is answered. */
  'stall',
  /** The bytes are stored, and the connection breaks instead of an answer. */
  'lost_answer',
  /** 503 before any byte is read. */
  'unavailable',
  /** No connection. */
  'refused',
  /** Stored, and answered without an ETag. */
  'missing_etag',
  /** 403, as if the address had lapsed. */
  'expired',
  /** 307 to another host. */
  'redirect',
  /** Stored, and answered after `delay_ms`. */
  'slow',
] as const;

/** What a fault of the object store has beside its selection of puts. */
export const STORAGE_FAULT = {
  kind: z.literal('storage'),
  /** Absent: every part, and whole objects. */
  part: z.int().optional(),
  how: z.enum(STORAGE_BREAKAGES),
  after_bytes: z.int().min(0).optional(),
  delay_ms: z.number().min(0).default(0),
} as const;
