import * as z from 'zod';

/** A "big integer id": up to 19 digits, so it never fits a JavaScript number (ACCOUNT-1). */
export const BIG_INTEGER_ID = /^(0|[1-9]\d*)$/;
export const BIG_INTEGER_ID_MAX_DIGITS = 19;

/** The id as we write it: always a string, so that no digit is lost. */
export const idShape = z
  .string({
    error: ({ input }) =>
      input === undefined
        ? 'is missing'
        : 'an id is a quoted string of digits: put it in quotes so that no digit is lost',
  })
  .regex(BIG_INTEGER_ID, 'an id is a string of digits without leading zeros')
  .max(BIG_INTEGER_ID_MAX_DIGITS, `an id has at most ${BIG_INTEGER_ID_MAX_DIGITS} digits`);

/** An id as replies carry it: text, a number or a bigint, always read as text. */
export const wireIdShape = z
  .union([z.string().min(1), z.int(), z.bigint()])
  .transform((value) => String(value));

/**
 * The same of an object that Herald acts on by its id: digits as the document says, or the reply as a whole is not what
 * the document says. A success with another id proves nothing about what was made (ERROR-2).
 */
export const wireBigIdShape = wireIdShape.refine(
  (id) => id.length <= BIG_INTEGER_ID_MAX_DIGITS && BIG_INTEGER_ID.test(id),
);

/** Orders ids as numbers ("9" before "10") without ever turning them into numbers. */
export function compareIds(left: string, right: string): number {
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : left > right ? 1 : 0;
}
