import * as z from 'zod';
import {
  BIG_INTEGER_ID,
  BIG_INTEGER_ID_MAX_DIGITS,
  type AccountId,
  type LiveId,
  type MediaId,
} from './ids.ts';

/** An id in replies: text, a number or a bigint, always read as text. */
export const wireIdShape = z
  .union([z.string().min(1), z.int(), z.bigint()])
  .transform((value) => String(value));

/**
 * The same for objects that Herald changes. The id must be digits as documented, or the reply is invalid: a success
 * with another id proves nothing (ERROR-2).
 */
const wireBigIdShape = wireIdShape.refine(
  (id) => id.length <= BIG_INTEGER_ID_MAX_DIGITS && BIG_INTEGER_ID.test(id),
);

export const wireAccountIdShape: z.ZodType<AccountId> = wireBigIdShape;
export const wireLiveIdShape: z.ZodType<LiveId> = wireBigIdShape;
export const wireVaultMediaIdShape: z.ZodType<MediaId> = wireBigIdShape;

/** The id of media in an upload. The service does not say what it looks like (CONTENT-8). */
export const wireMediaIdShape: z.ZodType<MediaId> = wireIdShape.refine((id) => /^\S+$/.test(id));
