/** Whether something stands in a text. */
export type TextSearch = (text: string) => boolean;

/** A banned word that is a regular expression. */
export interface BannedPattern {
  readonly source: string;
  readonly flags: string;
}

/** Makes a pattern ready to search, or says why it cannot be used. */
export type CompilePattern = (pattern: BannedPattern) => TextSearch | { readonly problem: string };

/** What `/pattern/flags` holds, composed as texts are; null for a word or a phrase. */
export function bannedPattern(word: string): BannedPattern | null {
  const [, source, flags] = /^\/(.+)\/([a-z]*)$/s.exec(word.normalize('NFC')) ?? [];
  return source === undefined ? null : { source, flags: flags ?? '' };
}
