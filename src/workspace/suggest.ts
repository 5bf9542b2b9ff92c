/** Longer words are not compared: it is slow and not useful. */
const WORD_LENGTH_MAX = 64;

/**
 * ` Did you mean "x"?` to append to a sentence: the nearest known word, if one differs in at most a third of its letters and
 * at most `lettersMax`. Otherwise an empty text.
 */
export function didYouMean(word: string, known: readonly string[], lettersMax = WORD_LENGTH_MAX): string {
  if (word.length > WORD_LENGTH_MAX) return '';
  const limit = Math.min(lettersMax, Math.max(1, Math.floor(word.length / 3)));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) > limit) continue;
    const distance = countEdits(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best === undefined ? '' : ` Did you mean "${best}"?`;
}

/** Number of letters to add, remove or replace (Levenshtein). */
function countEdits(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const exchange = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(exchange, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}
