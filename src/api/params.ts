import * as z from 'zod';
import { idShape } from '../domain/ids.ts';

/** Parameters travel as text, so these shapes take a value or its text and give the value. */

export function integerParam(minimum: number, maximum: number = Number.MAX_SAFE_INTEGER) {
  const upTo = maximum === Number.MAX_SAFE_INTEGER ? `at least ${minimum}` : `from ${minimum} to ${maximum}`;
  const error = `a whole number ${upTo}`;
  const digits = z.string().regex(/^-?\d{1,16}$/);
  return z
    .union([z.number(), digits.transform(Number)], { error })
    .pipe(z.int({ error }).min(minimum, error).max(maximum, error));
}

/** An id that is an integer. It stays text, because it may have more digits than a number holds. */
export const idParam = z
  .union([z.string(), z.int(), z.bigint()], { error: 'an id is a whole number' })
  .transform(String)
  .pipe(idShape);

/** Up to 100 ids, given as several values or as one. */
export const idsParam = z
  .preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    z.array(idParam).min(1).max(100, 'the service takes at most 100'),
  )
  .optional();

/** A whole number of any size that is returned to the service unchanged. */
export const markerParam = z
  .union([z.string(), z.number(), z.bigint()], { error: 'a marker is a number' })
  .transform(String)
  .pipe(z.string().regex(/^-?\d+(\.\d+)?$/, 'a marker is a number'));

export const flagParam = z.union(
  [z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')],
  { error: 'true or false' },
);

/** The parameters of a list that pages by an offset. */
export const offsetPage = (most: number) => ({
  limit: integerParam(1, most).optional(),
  offset: integerParam(0).optional(),
});

/** An instant; the service's reads take full ISO 8601 values (READ-2). */
export const instantParam = z.iso.datetime({ offset: true });

/** A free-form path segment: anything that stays one segment of the URL. */
export const segmentParam = z
  .string()
  .min(1)
  .refine((text) => text !== '.' && text !== '..', 'must not be "." or "..": the URL would lose it')
  .refine((text) => !/\p{Surrogate}/u.test(text), 'contains half a character, which is not allowed in a URL');

export const accountParams = z.strictObject({ account_id: idShape });

/** The platform's id of an account: an integer, or any string on some endpoints (ACCOUNT-2). */
export const platformParams = z.strictObject({
  platform: segmentParam,
  platform_account_id: segmentParam,
});
