import { digest } from './digest.ts';
import type { ChatDraft } from './chat-draft.ts';

/**
 * One normal form of a message, for comparing only: what is sent stays as it was typed. A message that is typed in
 * another way is the same message for the fan, and the service may keep it in another way. Assumed: it may trim a
 * text (CONTENT-12).
 *
 * | typed                              | the same as           |
 * |------------------------------------|-----------------------|
 * | spaces and line breaks at the ends | none                  |
 * | `\r\n`, `\r`                       | `\n`                  |
 * | letters in parts (NFD)             | letters as one (NFC)  |
 * | no text                            | an empty text         |
 * | a price of 0                       | no price              |
 * | 5.00                               | 5                     |
 * | media in another order             | media by their ids    |
 */
export function normalText(text: string | null | undefined): string {
  return (text ?? '').replaceAll(/\r\n?/g, '\n').normalize('NFC').trim();
}

export function normalIds(media: readonly { readonly id: string }[]): string {
  return JSON.stringify(media.map(({ id }) => id).toSorted());
}

/** What the state keeps of a message, to know it again: the digest of its normal form. */
export function digestDraft({ text, price, lockedText, media }: ChatDraft): string {
  return digest({
    text: normalText(text),
    price: Number(price ?? 0),
    locked_text: lockedText,
    media: media.map(({ id, type, isPaid }) => JSON.stringify([id, type, isPaid])).toSorted(),
  });
}
