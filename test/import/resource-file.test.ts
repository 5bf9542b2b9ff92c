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

it('a text that looks like a number of another form stays a text, in quotes', () => {
  const file = new ResourceFile('campaigns:\n  - name: 1e5\n    text: 0x1F\n    more: old\n');
  const place = { file: 'a.yaml', line: 2, column: 5 };
  const form = file.read(place);
  expect(form).toEqual({ name: '1e5', text: '0x1F', more: 'old' });
  file.replace(place, { ...form, more: 'new' });
  expect(file.toText()).toBe("campaigns:\n  - name: '1e5'\n    text: '0x1F'\n    more: new\n");
});
