import { expect, it } from 'vitest';
import { needsEscapes } from '../../src/import/resource-file.ts';

it.each([
  ['Hello', false],
  ['two\nlines', false],
  ['ends with a space \nand more', true],
  [' begins with one\nand more', true],
  ['right \u202e to left', true],
  ['a tab\there', true],
])('%j is quoted with escapes: %s', (text, isQuoted) => {
  expect(needsEscapes(text)).toBe(isQuoted);
});
