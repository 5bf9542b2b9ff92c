import * as z from 'zod';
import { UPLOAD_ENDINGS } from './state.ts';

const MIB = 1_048_576;

/** Points about the vault that the document leaves open (docs/service/vault.md), as switches. */
export const VAULT_MODES = {
  /** Assumed: decided by an unpublished size limit (VAULT-5). */
  uploadShape: z.enum(['threshold', 'random', 'single', 'multipart']).default('threshold'),
  /** Uploads of this size or more come in parts. */
  uploadThresholdBytes: z
    .int()
    .min(1)
    .default(64 * MIB),
  /** The service's size of a part. It publishes only the number of parts. */
  uploadPartBytes: z
    .int()
    .min(1)
    .default(16 * MIB),
  /** Assumed: start returns `key` and `get_url` together with the parts (VAULT-5). */
  multipartKeys: z.enum(['present', 'absent']).default('present'),
  /** Assumed: 15 minutes (VAULT-7). */
  presignedLifetimeSec: z.number().min(0).default(900),
  /**
   * Assumed: an upload that was started and not exported is listed with `expired=true` at once; `lapsed` lists it
   * after its addresses expired, `hidden` never (VAULT-13).
   */
  unfinishedUploads: z.enum(['listed', 'lapsed', 'hidden']).default('listed'),
  /** Assumed: it has the document's first status. `null` leaves it without one (VAULT-13). */
  unfinishedStatus: z.enum(['null', 'uploaded']).default('uploaded'),
  /** Assumed: a repeated export creates a second media (VAULT-11). */
  exportAgain: z.enum(['twice', 'refuse']).default('twice'),
  /** Assumed: the store quotes its ETags, as HTTP does (VAULT-6). */
  etagQuotes: z.boolean().default(true),
  /** `none` discards the bytes without hashing them, to measure speed. */
  storageHash: z.enum(['sha256', 'none']).default('sha256'),
  /** Seconds that an exported upload stays in each state; `random` is 50% to 150% of it (VAULT-12). */
  uploadStepSec: z.number().min(0).default(2),
  uploadTiming: z.enum(['fixed', 'random']).default('random'),
  /** Uploads with this text in their name end this way. The first match counts. */
  uploadFates: z
    .array(z.strictObject({ name_contains: z.string(), fate: z.enum(UPLOAD_ENDINGS) }))
    .default([]),
  /** The form of media ids in uploads. The document says only that they are texts (VAULT-12). */
  mediaIds: z.enum(['digits', 'text']).default('digits'),
  /** The host of links to fans. */
  platformHost: z.string().min(1).default('platform.example'),
} as const;
