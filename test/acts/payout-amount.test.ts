import { describe, expect, it } from 'vitest';
import { formatCents, parsePayoutAmount, readCents } from '../../src/acts/payout-amount.ts';

// PAYOUT-2
describe('the amount of a payout', () => {
  it.each([
    ['100.10', 10010, '100.1'],
    ['0.01', 1, '0.01'],
    ['0.29', 29, '0.29'],
    ['999999.99', 99_999_999, '999999.99'],
    ['1000000', 100_000_000, '1000000'],
    [' 5.00 ', 500, '5'],
  ])('%s is %i cents, and %s in the request', (text, cents, json) => {
    expect(parsePayoutAmount(text)).toBe(cents);
    expect(JSON.stringify(cents / 100)).toBe(json);
  });

  it.each([
    ['', 'Cannot read the amount'],
    ['0', 'is not above 0'],
    ['-5', 'Cannot read the amount'],
    ['1e3', 'Cannot read the amount'],
    ['0.30000000000000004', 'has 17 decimals; a payout has at most 2'],
    ['1000000.01', 'is above 1000000.00 USD'],
    ['9'.repeat(400), 'is above 1000000.00 USD'],
    ['1,000.00', 'Cannot read the amount'],
    ['100,10', 'Cannot read the amount'],
    ['١٢', 'Cannot read the amount'],
  ])('%j is refused: %s', (text, words) => {
    expect(parsePayoutAmount(text)).toContain(words);
  });
});

it.each([
  [100.1, 10010],
  [0.1 + 0.2, 30],
  [1_000_000.01, 100_000_001],
  [0, 0],
  [100.105, null],
  [Number.NaN, null],
  [Infinity, null],
  [null, null],
  [undefined, null],
])('an amount of %s that the service sends is %s whole cents', (amount, cents) => {
  expect(readCents(amount, 'amount')).toBe(cents);
});

it.each([
  [-50, '-0.50'],
  [-12_345, '-123.45'],
  [0, '0.00'],
])('%i cents are said with their sign: %s', (cents, text) => {
  expect(formatCents(cents)).toBe(text);
});
