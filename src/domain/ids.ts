import * as z from 'zod/mini';

/*
 * Ids are text, so that no digit is lost. Each kind has a type of its own, so that the compiler refuses a fan's id where an
 * account's is asked for. Text from outside, such as an argument, is none of them yet and fits all.
 */
interface IdOf<Owner extends string> {
  readonly idOf?: Owner;
}

/** Of a creator's account with the service (ACCOUNT-1). */
export type AccountId = string & IdOf<'account'>;
/** Of an account on its platform; it is not the account's id. */
export type PlatformAccountId = string & IdOf<'platform account'>;
export type FanId = string & IdOf<'fan'>;
export type MediaId = string & IdOf<'media'>;
/** Of an upload to the vault; the media that it becomes has another. */
export type UploadId = string & IdOf<'upload'>;
export type LiveId = string & IdOf<'campaign or broadcast'>;

/** A "big integer id" has up to 19 digits, which do not fit a JavaScript number (ACCOUNT-1). */
export const BIG_INTEGER_ID = /^(0|[1-9]\d*)$/;
export const BIG_INTEGER_ID_MAX_DIGITS = 19;

export const ID_ERROR = {
  error: ({ input }: { readonly input?: unknown }) =>
    input === undefined ? 'is missing' : 'an id must be in quotes, so that no digit is lost',
};

/** An id as Herald writes it: always a string, so that no digit is lost. */
export const idShape = z
  .string(ID_ERROR)
  .check(
    z.regex(BIG_INTEGER_ID, 'an id has only digits, without leading zeros'),
    z.maxLength(BIG_INTEGER_ID_MAX_DIGITS, `an id has at most ${BIG_INTEGER_ID_MAX_DIGITS} digits`),
  );

/** Compares ids as numbers ("9" before "10") without converting them. */
export function compareIds(left: string, right: string): number {
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : left > right ? 1 : 0;
}
