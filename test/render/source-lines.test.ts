import { expect, test } from 'vitest';
import { sourceLines } from '../../src/render/source-lines.ts';

const at = (text: string, column: number) =>
  sourceLines({ file: 'a.yaml', line: 2, column }, new Map([['a.yaml', ['first', text]]]));

test('the line of a finding is shown with a mark below its column', () => {
  expect(at('    price_gross: "9"', 18)).toEqual(['  2 |     price_gross: "9"', '    |                  ^']);
});

test('a wide character before the place takes its columns', () => {
  expect(at('最高: x', 5)).toEqual(['  2 | 最高: x', '    |       ^']);
});

test('of a long line the part around the place is shown', () => {
  const [line = '', mark = ''] = at(`${'a'.repeat(500)}HERE${'b'.repeat(500)}`, 501);
  expect(line.length).toBeLessThan(150);
  expect(line.slice(mark.indexOf('^'), mark.indexOf('^') + 4)).toBe('HERE');
});

test('nothing is shown of a line that is unknown or empty', () => {
  expect(at('   ', 1)).toEqual([]);
  expect(sourceLines({ file: 'b.yaml', line: 1 }, new Map())).toEqual([]);
  expect(sourceLines({}, new Map([['a.yaml', ['x']]]))).toEqual([]);
});

test('control characters of a file are made visible', () => {
  expect(at('a: \u001b[2J', 4)[0]).toBe('  2 | a: \\u{1b}[2J');
});
