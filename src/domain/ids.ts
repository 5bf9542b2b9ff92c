import * as z from 'zod';

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
/** Of media in the vault. */
export type MediaId = string & IdOf<'media'>;
/** Of an upload to the vault; the media that it becomes has another. */
export type UploadId = string & IdOf<'upload'>;
/** Of a campaign or a broadcast on the service. */
export type LiveId = string & IdOf<'campaign or broadcast'>;

/** A "big integer id" has up to 19 digits, which do not fit a JavaScript number (ACCOUNT-1). */
export const BIG_INTEGER_ID = /^(0|[1-9]\d*)$/;
export const BIG_INTEGER_ID_MAX_DIGITS = 19;

/** The message for an id that is not text. */
export const ID_ERROR = {
  error: ({ input }: { readonly input?: unknown }) =>
    input === undefined ? 'is missing' : 'an id must be in quotes, so that no digit is lost',
};

/** An id as Herald writes it: always a string, so that no digit is lost. */
export const idShape = z
  .string(ID_ERROR)
  .regex(BIG_INTEGER_ID, 'an id has only digits, without leading zeros')
  .max(BIG_INTEGER_ID_MAX_DIGITS, `an id has at most ${BIG_INTEGER_ID_MAX_DIGITS} digits`);

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

/** Compares ids as numbers ("9" before "10") without converting them. */
export function compareIds(left: string, right: string): number {
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : left > right ? 1 : 0;
}
