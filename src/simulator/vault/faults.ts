import * as z from 'zod';

/** Ways in which a put to the object store fails. */
const STORAGE_BREAKAGES = [
  /** The connection breaks after `after_bytes`, or half of the body. */
  'reset',
  /** Reading stops after `after_bytes`, and no answer follows. */
  'stall',
  /** The bytes are stored, and the connection breaks before the answer. */
  'lost_answer',
  /** 503 before the first byte. */
  'unavailable',
  /** No connection. */
  'refused',
  /** Stored, and answered without an ETag. */
  'missing_etag',
  /** 403, as if the address had expired. */
  'expired',
  /** 307 to another host. */
  'redirect',
  /** Stored, and answered after `delay_ms`. */
  'slow',
] as const;

/** The members of an object store's fault, besides its selection of puts. */
export const STORAGE_FAULT = {
  kind: z.literal('storage'),
  /** Absent: every part, and whole objects. */
  part: z.int().optional(),
  how: z.enum(STORAGE_BREAKAGES),
  after_bytes: z.int().min(0).optional(),
  delay_ms: z.number().min(0).default(0),
} as const;
