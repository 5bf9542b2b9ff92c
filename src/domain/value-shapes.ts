import * as z from 'zod/mini';

/* Shapes of single values that many keys have. Each is made once, because making shapes takes part of every start. */

export const textShape = z.string();
/** Text that is not empty. */
export const filledShape = z.string().check(z.minLength(1));
export const maybeTextShape = z.nullish(textShape);
export const maybeFlagShape = z.optional(z.boolean());
