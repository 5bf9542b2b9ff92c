/** Numbers of equal items at the beginnings and at the ends of two lists, without counting an item twice. */
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
