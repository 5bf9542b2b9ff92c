import { expect, test } from 'vitest';
import { Totals } from '../../src/render/totals.ts';

function totalsOf(...rows: readonly Record<string, unknown>[]) {
  const totals = new Totals({ sums: ['amount'], by: 'status' });
  totals.add(rows);
  return totals.table()?.rows;
}

test('rows are added up by account and by another column, sorted', () => {
  expect(
    totalsOf(
      { account: 'bob', status: 'done', amount: 1 },
      { account: 'alice', status: 'done', amount: 9.99 },
      { account: 'alice', status: 'refunded', amount: -5 },
      { account: 'alice', status: 'done', amount: 0.01 },
    ),
  ).toEqual([
    ['alice', 'done', '2', '10.00'],
    ['alice', 'refunded', '1', '-5.00'],
    ['bob', 'done', '1', '1.00'],
  ]);
});

test('cents add up exactly, however many there are', () => {
  const rows = Array.from({ length: 1_000 }, () => ({ account: 'alice', status: 'done', amount: 0.1 }));
  expect(totalsOf(...rows)).toEqual([['alice', 'done', '1000', '100.00']]);
  expect(totalsOf({ account: 'alice', status: 'done', amount: 0.125 })).toEqual([
    ['alice', 'done', '1', '0.125'],
  ]);
});

test('a sum with a row without an amount is not known', () => {
  expect(
    totalsOf(
      { account: 'alice', status: 'done', amount: 1 },
      { account: 'alice', status: 'done', amount: null },
      { account: 'alice', status: 'done', amount: 2 },
    ),
  ).toEqual([['alice', 'done', '3', 'n/a']]);
});

test('without rows, no totals are shown', () => {
  expect(totalsOf()).toBeUndefined();
});
