import { expect, it } from 'vitest';
import { RECENT_KEYS_MIN, RecentKeys } from '../../src/host/recent-keys.ts';

const NOON = Date.UTC(2026, 5, 1, 12);

it('the memory for recent keys has a fixed size, and knows the newest for certain', () => {
  const keys = new RecentKeys();
  const total = 2.5 * RECENT_KEYS_MIN;
  for (let number = 0; number < total; number += 1) keys.add(`id:${number}`, NOON);
  expect(keys.has(`id:${total - RECENT_KEYS_MIN}`, NOON)).toBe(true);
  expect(keys.has(`id:${total}`, NOON)).toBe(false);
  expect(keys.has('id:0', NOON)).toBe(false);
});
