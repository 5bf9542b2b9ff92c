/** Quotes one word of a command, so that it can be copied. */
export function inShell(word: string): string {
  return /^[\w./@:+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
