import { describe, expect, it } from 'vitest';
import { renderCsv } from '../../src/render/csv.ts';

describe('comma-separated values', () => {
  it('stand as they came, negative numbers, too, null is empty, and lists are JSON', () => {
    expect(renderCsv([[-5.5, -7n]])).toBe('-5.5,-7\n');
    const rows = [
      ['id', 'amount', 'note'],
      ['7', 12.5, null],
      [9_007_199_254_740_993_123n, true, [{ a: 1 }]],
    ];
    expect(renderCsv(rows)).toBe('id,amount,note\n7,12.5,\n9007199254740993123,true,"[{""a"":1}]"\n');
  });

  it.each(['=1+1', '+1', '-2+3', '@cmd', '\tx', '\rx', '\n=1', '\uFF1D1', '=HYPERLINK("x","y")'])(
    'never give a spreadsheet the formula %j',
    (text) => {
      const [field = ''] = renderCsv([[text]]).split('\n');
      expect(field.replace(/^"/, '').startsWith("'")).toBe(true);
    },
  );

  it.each([
    [['x;=1+1'], `"x;'=1+1"`],
    [['a', 'x;@SUM(1)'], `a,"x;'@SUM(1)"`],
    [['a', "x;-2+cmd|' /C calc'!A0;y"], `a,"x;'-2+cmd|' /C calc'!A0;y"`],
    [['a', 'x\t=1+1'], 'a,"x\t=1+1"'],
    [['hello ;-) see; +1'], '"hello ;-) see; +1"'],
    [['a,b', 'say "x"', 'one\ntwo'], '"a,b","say ""x""","one\ntwo"'],
  ])(
    'quote what breaks a line or a field, and never give a formula where a semicolon separates: %j',
    (row, line) => {
      expect(renderCsv([row])).toBe(`${line}\n`);
    },
  );

  it.each([
    ['a\u001b[2J\u009bb', 'a\\u{1b}[2J\\u{9b}b\n'],
    ['::error::x', '\\u{3a}:error::x\n'],
    ['a\n::error::x', '"a\n\\u{3a}:error::x"\n'],
    ['##vso[x]', '#\\u{23}vso[x]\n'],
    ['a\u202eb', 'a\\u{202e}b\n'],
    ['one\r\ntwo\tthree', '"one\ntwo\tthree"\n'],
  ])('show what a terminal or a CI runner would obey: %j', (text, line) => {
    expect(renderCsv([[text]])).toBe(line);
  });
});
