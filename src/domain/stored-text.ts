import { sha256Of } from './digest.ts';
import { plainText } from './plain-text.ts';

/*
 * The state has a digest in place of each message text. A digest tells whether a live text is the same. It does not hide a text
 * that can be guessed, such as "Hi".
 */

const DIGEST = /^text-sha256:[0-9a-f]{64}$/;

/** What the state has in place of a text. Texts that are compared as equal have the same digest (CONTENT-12). */
export function digestInPlaceOf(text: string): string {
  return `text-${sha256Of(plainText(text))}`;
}

export function isTextDigest(text: unknown): text is string {
  return typeof text === 'string' && DIGEST.test(text);
}

/** True if `stored`, which is in the state, is the text or its digest. */
export function isStoredAs(stored: string, text: string): boolean {
  return stored === text || (isTextDigest(stored) && stored === digestInPlaceOf(text));
}
