import { expect, it } from 'vitest';
import { Learning } from '../../../src/cli/events/learning.ts';

const MINUTE = 60;

/** Ticks once a second, and gives the seconds at which the accounts were asked for. */
async function askedAt(seconds: number, answers: readonly boolean[]): Promise<readonly number[]> {
  let second = 0;
  const asked: number[] = [];
  const learning = new Learning({ monotonicMs: () => second * 1000 }, async () => {
    asked.push(second);
    return answers[asked.length - 1] ?? true;
  });
  for (; second < seconds; second += 1) {
    learning.tick();
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
  }
  return asked;
}

it('accounts are asked for each minute until they are known', async () => {
  expect(await askedAt(5 * MINUTE, [false, false, true])).toEqual([0, MINUTE, 2 * MINUTE]);
});

it('accounts that are known are asked for each hour, also after one that fails', async () => {
  expect(await askedAt(181 * MINUTE, [true, false, true])).toEqual([
    0,
    60 * MINUTE,
    120 * MINUTE,
    180 * MINUTE,
  ]);
});

it('accounts are not asked for while an answer is waited for', () => {
  let second = 0;
  let asked = 0;
  const learning = new Learning({ monotonicMs: () => second * 1000 }, () => {
    asked += 1;
    return new Promise(() => undefined);
  });
  for (; second < 10 * MINUTE; second += 1) learning.tick();
  expect(asked).toBe(1);
});
