import { describe, expect, it } from 'vitest';
import { chooseStyle } from '../../src/import/resource-file.ts';

describe('how a text is written', () => {
  it.each([
    ['Hello', 'PLAIN'],
    ['yes', 'QUOTE_SINGLE'],
    ['18:00', 'QUOTE_SINGLE'],
    ["It's", 'QUOTE_DOUBLE'],
    ['two\nlines', 'BLOCK_LITERAL'],
    ['ends with a space \nand more', 'QUOTE_DOUBLE'],
    [' begins with one\nand more', 'QUOTE_DOUBLE'],
    ['right \u202e to left', 'QUOTE_DOUBLE'],
    ['a tab\there', 'QUOTE_DOUBLE'],
  ] as const)('%j as %s', (text, style) => {
    expect(chooseStyle(text)).toBe(style);
  });
});
