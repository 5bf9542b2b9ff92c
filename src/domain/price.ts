/** The message about a price that is not written as dollars and cents, such as 1e1 or 9.999 (`invalid-price`). */
export function notAPrice(written: string): string {
  return `${written} is no price: write dollars with at most two decimals, such as 9.99.`;
}
