import { expect, it } from 'vitest';
import { ResourceFile } from '../../src/import/resource-file.ts';

it.each([
  ['Hello', 'Hello'],
  ['two\nlines', '|-\n      two\n      lines'],
  ['ends with a space \nand more', '"ends with a space\\ \\nand more"'],
  [' begins with one\nand more', '" begins with one\\nand more"'],
  ['right \u202e to left', '"right \\u202e to left"'],
  ['a tab\there', '"a tab\\there"'],
])('%j is written as %s', (text, written) => {
  const file = ResourceFile.create(['alice']);
  file.append('campaign', ['alice'], { text });
  expect(file.toText()).toContain(`  - text: ${written}\n`);
});
