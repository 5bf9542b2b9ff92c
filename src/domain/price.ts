/** The message for a price that is not dollars and cents, such as 1e1 or 9.999 (`invalid-price`). */
export function notAPrice(written: string): string {
  return `${written} is not a price. Write dollars with up to two decimals, such as 9.99.`;
}
