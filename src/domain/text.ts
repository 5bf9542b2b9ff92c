import { digest } from './digest.ts';

/** Without differences of editors and transports: Unicode form, line ends, last line breaks (CONTENT-12). */
export function plainText(text: string | null | undefined): string {
  return (text ?? '').normalize('NFC').replace(/\r\n?/g, '\n').replace(/\n+$/, '');
}

/**
 * The form in which Herald compares a name (CONTENT-2). Unicode has two forms for many letters, which look the same: files,
 * live objects and the state may differ in them.
 */
export function nameForm(name: string): string {
  return name.normalize('NFC');
}

/** A name composed, trimmed and without case: people read names that are equal in this as one (CONTENT-1). */
export function foldName(name: string): string {
  // Upper case first: it turns ß into SS, as case folding would.
  return nameForm(nameForm(name).trim().toUpperCase().toLowerCase());
}

/** Whether a file that begins so is what Git LFS leaves in place of one that it did not fetch. */
export function isLfsPointer(start: string): boolean {
  return start.startsWith('version https://git-lfs.github.com/spec/v1');
}

/*
 * The state has a digest in place of each message text. A digest tells whether a live text is the same. It does not hide a text
 * that can be guessed, such as "Hi".
 */

/** What the state has in place of a text. Texts that are compared as equal have the same digest (CONTENT-12). */
export function digestText(text: string): string {
  return `text-${digest(plainText(text), 'whole')}`;
}

export function isTextDigest(text: unknown): text is string {
  return typeof text === 'string' && /^text-sha256:[0-9a-f]{64}$/.test(text);
}

/** True if `stored`, which is in the state, is the text or its digest. */
export function isStoredAs(stored: string, text: string): boolean {
  return stored === text || (isTextDigest(stored) && stored === digestText(text));
}
