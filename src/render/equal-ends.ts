/** How many items two lists have in common at their beginnings and, not counting those again, at their ends. */
export function equalEnds(
  left: readonly string[],
  right: readonly string[],
): { readonly head: number; readonly tail: number } {
  const shorter = Math.min(left.length, right.length);
  let head = 0;
  while (head < shorter && left[head] === right[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && left.at(-1 - tail) === right.at(-1 - tail)) tail += 1;
  return { head, tail };
}
