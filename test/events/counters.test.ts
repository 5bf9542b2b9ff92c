import { expect, it } from 'vitest';
import { Counters } from '../../src/events/counters.ts';

it('says a problem once a minute with its count, and each kind of problem for itself', () => {
  let nowMs = 0;
  const said: string[] = [];
  const counters = new Counters(
    () => nowMs,
    (what, count) => said.push(`${what} ${count}`),
  );
  for (; nowMs < 121_000; nowMs += 1_000) counters.complain('wrong_signature');
  counters.complain('wrong_path');
  expect(said).toEqual(['wrong_signature 1', 'wrong_signature 61', 'wrong_signature 121', 'wrong_path 1']);
});
