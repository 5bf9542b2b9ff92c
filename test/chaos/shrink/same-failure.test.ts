import { expect, it } from 'vitest';
import { isSameFailure } from './same-failure.ts';

const TWICE = {
  kind: 'duplicate',
  words: 'created twice: 101/campaign/Second Second says 1 with be91e8 (1)',
} as const;

it('knows a failure again when names, ids and contents have changed', () => {
  const other = {
    kind: 'duplicate',
    words: 'created twice: 102/campaign/Welcome Welcome says 2 (17)',
  } as const;
  expect(isSameFailure(TWICE, [other])).toBe(true);
});

it.each([
  { kind: 'duplicate', words: 'sent twice: 101/campaign/Second fan 1' },
  { kind: 'loss', words: TWICE.words },
] as const)('takes $kind "$words" for another failure', (other) => {
  expect(isSameFailure(TWICE, [other])).toBe(false);
});

it('tells two reasons against one write apart', () => {
  const near = {
    kind: 'forbidden write',
    words: 'a create of alice/broadcast/Teaser that says Teaser says 1, too near its hour',
  } as const;
  const undeclared = {
    kind: 'forbidden write',
    words: 'a create of alice/broadcast/Teaser that says Teaser says 1, which is not declared',
  } as const;
  expect(isSameFailure(near, [undeclared])).toBe(false);
});
