/** Sentences in a row, each with its full stop; empty ones are left out. */
export function joinSentences(parts: readonly (string | null)[]): string {
  return parts
    .filter((part) => part !== null && part !== '')
    .map((part) => (/[.!?]$/.test(part ?? '') ? part : `${part}.`))
    .join(' ');
}
