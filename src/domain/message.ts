import * as z from 'zod';
import { idShape } from './ids.ts';

/** Dollars with at most two decimals, as declared (CONTENT-7; 0 is free). */
export const priceShape = z
  .number()
  .min(0, 'a price is 0 (free) or more')
  .refine(
    (price) => Math.abs(price * 100 - Math.round(price * 100)) < 1e-6,
    'a price has at most two decimals',
  );

/** Seconds or minutes of a rule or delay; their bounds are not known, so only sanity is checked (CONTENT-22). */
export const durationShape = z
  .int('a duration is a whole number')
  .min(0, 'a duration is 0 or more')
  .max(2 ** 31 - 1, 'a duration fits 31 bits');

export const attachmentShape = z.strictObject({
  id: idShape,
  type: z.string().min(1),
  is_paid: z.boolean().optional(),
});

/** A message as a create sends it (CONTENT-8); `step` is read only and never sent. */
export const messageShape = z.strictObject({
  text: z.string().nullable().optional(),
  price_gross: priceShape.optional(),
  delay_sec: durationShape.optional(),
  attachments: z.array(attachmentShape).optional(),
  text_is_paid: z.boolean().optional(),
  tagged_platform_account_ids: z.array(idShape).optional(),
});

/** A message as the service takes it. */
export type Message = z.infer<typeof messageShape>;

/** A local file that a message shows, as it was when the files were loaded. */
export interface MediaFile {
  /** From the workspace's directory. */
  readonly path: string;
  /** As the vault shall know it. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly content_type: string;
  /** Fingerprint of its bytes, as the ledger keeps that of an upload; empty where nothing is compared. */
  readonly digest: string;
}

/** Media in the vault by its id; `file` is what it was uploaded from, where Herald did that. */
type VaultAttachment = z.infer<typeof attachmentShape> & { readonly file?: MediaFile };

/** Media by its local file, which is uploaded when it is first needed. */
export interface FileAttachment {
  readonly file: MediaFile;
  readonly type: string;
  readonly is_paid?: boolean | undefined;
}

export type DeclaredAttachment = VaultAttachment | FileAttachment;

/** A message as declared, with variables filled in and text files read. Only what the YAML says is present. */
export interface DeclaredMessage extends Omit<Message, 'attachments'> {
  attachments?: DeclaredAttachment[] | undefined;
}
