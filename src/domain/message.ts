import * as z from 'zod/mini';
import { ID_ERROR, idShape } from './ids.ts';
import { filledShape, maybeFlagShape, maybeTextShape, withCode } from './value-shapes.ts';

/** True for dollars with up to two decimals, without a sign. The digits that are sent decide: 0.1 + 0.2 has 17 decimals. */
function isPrice(price: number): boolean {
  return /^\d+(?:\.\d{1,2})?$/.test(String(price));
}

/** The price of a file. 0 means free (CONTENT-7). */
export const writtenPriceShape = z
  .number()
  .check(
    z.minimum(0),
    z.refine(
      isPrice,
      withCode('invalid-price', 'This is not a price. Write dollars with up to two decimals, such as 9.99.'),
    ),
  );

/** Dollars with up to two decimals (CONTENT-7). 0 means free. */
export const priceShape = z.number().check(
  z.minimum(0, 'a price must be 0 (free) or more'),
  z.refine((price) => price < 0 || isPrice(price), 'a price has at most two decimals'),
);

/** Seconds or minutes of a rule or delay. The real bounds are not documented (CONTENT-22). */
export const durationShape = z
  .int('a duration is a whole number')
  .check(z.minimum(0, 'a duration is 0 or more'), z.maximum(2 ** 31 - 1, 'a duration fits 31 bits'));

export const maybeDurationShape = z.optional(durationShape);

/** Media in the vault. The service does not say what its id looks like (CONTENT-8). */
export const attachmentShape = z.strictObject({
  id: z.string(ID_ERROR).check(z.minLength(1, 'is empty')),
  type: filledShape,
  is_paid: maybeFlagShape,
});

/** A message as a create sends it (CONTENT-8). `step` is read-only. */
export const messageShape = z.strictObject({
  text: maybeTextShape,
  price_gross: z.optional(priceShape),
  delay_sec: maybeDurationShape,
  attachments: z.optional(z.array(attachmentShape)),
  text_is_paid: maybeFlagShape,
  tagged_platform_account_ids: z.optional(z.array(idShape)),
});

export type Message = z.infer<typeof messageShape>;

/** What a file says about its media in the vault. The keys are the service's own, except for `fan`. */
export interface MediaWishes {
  readonly name?: string | undefined;
  readonly content_type?: string | undefined;
  /** In seconds. */
  readonly duration?: number | undefined;
  /** Link of the fan that the media is for. An apply asks the service for the id. */
  readonly fan?: string | undefined;
  readonly export_fan_id?: string | undefined;
  readonly rf_guest?: readonly string[] | undefined;
  readonly rf_partner?: readonly string[] | undefined;
  readonly rf_tag?: readonly string[] | undefined;
}

/** A local file of a message, as it was when the files were loaded. */
export interface MediaFile {
  /** Path in the workspace. */
  readonly path: string;
  /** Its name in the vault. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly content_type: string;
  /** Fingerprint of its bytes and its wishes, the same as in the state. Empty if nothing is compared. */
  readonly digest: string;
  readonly wishes?: MediaWishes | undefined;
}

/** Media in the vault. `file` is its source if Herald uploaded it. */
type VaultAttachment = z.infer<typeof attachmentShape> & { readonly file?: MediaFile };

/** Media from a local file, uploaded on first use. */
export interface FileAttachment {
  readonly file: MediaFile;
  readonly type: string;
  readonly is_paid?: boolean | undefined;
}

export type DeclaredAttachment = VaultAttachment | FileAttachment;

/** A declared message, with variables and text files filled in. Only fields present in the YAML are set. */
export interface DeclaredMessage extends Omit<Message, 'attachments'> {
  attachments?: DeclaredAttachment[] | undefined;
}
