import * as z from 'zod';
import { FATES } from './state.ts';

const MIB = 1_048_576;

/** What the document leaves open about the vault (docs/service/vault.md), as switches. */
export const VAULT_MODES = {
  /** Assumed: by a threshold of size that nobody is told (VAULT-5). */
  uploadShape: z.enum(['threshold', 'random', 'single', 'multipart']).default('threshold'),
  /** From this size on an upload comes in parts. */
  uploadThresholdBytes: z
    .int()
    .min(1)
    .default(64 * MIB),
  /** What the service thinks a part is; it tells only how many there are. */
  uploadPartBytes: z
    .int()
    .min(1)
    .default(16 * MIB),
  /** Assumed: start names `key` and `get_url` beside the parts as well (VAULT-5). */
  multipartKeys: z.enum(['present', 'absent']).default('present'),
  /** Assumed: a quarter of an hour (VAULT-7). */
  presignedLifetimeSec: z.number().min(0).default(900),
  /**
   * Assumed: what was started and not exported is listed with `expired=true` from the start on; `lapsed` once its
   * addresses have lapsed, `hidden` never (VAULT-13).
   */
  unfinishedUploads: z.enum(['listed', 'lapsed', 'hidden']).default('listed'),
  /** Assumed: it has no status before the export; `uploaded` is the first that the document names (VAULT-13). */
  unfinishedStatus: z.enum(['null', 'uploaded']).default('null'),
  /** Assumed: an export that is repeated makes a second media (VAULT-11). */
  exportAgain: z.enum(['twice', 'refuse']).default('twice'),
  /** Assumed: the store quotes its ETags, as HTTP does (VAULT-6). */
  etagQuotes: z.boolean().default(true),
  /** What the store does with the bytes: `none` throws them away unread, for measurements of speed. */
  storageHash: z.enum(['sha256', 'none']).default('sha256'),
  /** How long an exported upload stays in each state; `random` is from half to one and a half of it (VAULT-12). */
  uploadStepSec: z.number().min(0).default(2),
  uploadTiming: z.enum(['fixed', 'random']).default('random'),
  /** Uploads whose names contain a text end so; the first that fits counts. */
  uploadFates: z.array(z.strictObject({ name_contains: z.string(), fate: z.enum(FATES) })).default([]),
  /** The host that links to fans lead to. */
  platformHost: z.string().min(1).default('platform.example'),
} as const;
