import * as z from 'zod/mini';

/** At most 5 GiB (VAULT-4). */
const UPLOAD_MAXIMUM_BYTES = 5_368_709_120;

/**
 * The fields of a file in start and export (VAULT-4). Separate from the catalogue, because `validate` checks every
 * media file and needs nothing else of the service.
 */
export const UPLOAD_FILE = {
  name: z
    .string()
    .check(
      z.regex(
        /^[\w. \-()]{1,255}$/,
        '1 to 255 letters, digits, underscores, dots, spaces, hyphens, parentheses',
      ),
    ),
  size: z.int().check(z.minimum(1), z.maximum(UPLOAD_MAXIMUM_BYTES)),
  content_type: z
    .string()
    .check(
      z.maxLength(255),
      z.regex(/^(image|video|audio)\/[a-zA-Z0-9.+-]+$/, 'image/…, video/… or audio/…'),
    ),
  duration: z.optional(z.number().check(z.minimum(0))),
};
