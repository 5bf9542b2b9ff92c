import { expect, it } from 'vitest';
import { toNode } from '../../src/import/resource-file.ts';

it.each([
  ['Hello', undefined],
  ['two\nlines', 'BLOCK_LITERAL'],
  ['ends with a space \nand more', 'QUOTE_DOUBLE'],
  [' begins with one\nand more', 'QUOTE_DOUBLE'],
  ['right \u202e to left', 'QUOTE_DOUBLE'],
  ['a tab\there', 'QUOTE_DOUBLE'],
])('%j is written as %s', (text, type) => {
  expect(Reflect.get(toNode(text), 'type')).toBe(type);
});
