import { RE2JS } from 're2js';
import { expect, test } from 'vitest';
import { compilePattern, readPattern, setPatternEngine } from '../../src/policy/patterns.ts';

setPatternEngine(RE2JS);

const compiled = (written: string) => {
  const pattern = readPattern(written);
  if (pattern === null) throw new Error(`${written} is a word`);
  return compilePattern(pattern);
};
const finds = (written: string, text: string) => {
  const search = compiled(written);
  return typeof search === 'function' ? search(text) : search.problem;
};

test.each([
  ['/free/i', 'It is FREE', 'cost'],
  ['/\\bt\\.me\\/\\w+/i', 'see T.me/abc', 'tame/abc'],
  ['/(free|gratis) money/', 'gratis money', 'gratis, money'],
  ['/(\\d{4}[ -]?){3}\\d{4}/', '1234 5678-90123456', '1234 5678'],
  ['/(?:https?:)?\\/\\//', 'x //y', 'x/y'],
  ['/\\p{Sc}\\d+/u', 'costs €5', 'costs 5'],
  ['/\\u00e9t\\u00e9/i', 'ÉTÉ', 'ete'],
  ['/(?<word>\\w+)@x/', 'me@x', '@x'],
  ['/^b$/m', 'a\nb\nc', 'ab'],
  ['/a.b/s', 'a\nb', 'ab'],
])('%s finds %j and not %j', (written, found, notFound) => {
  expect([finds(written, found), finds(written, notFound)]).toEqual([true, false]);
});

test.each([
  ['what looks behind', '/(?<!no )refund/', 'This pattern is not valid: '],
  ['what looks ahead', '/a(?=b)/', 'This pattern is not valid: '],
  ['a reference back', '/(a)\\1/', 'invalid escape sequence: `\\1`. Use the syntax of RE2'],
  ['too high a count', '/a{2000}/', 'invalid repeat count'],
  ['counts that multiply', '/((a{100}){100}){100}/', 'invalid repeat count'],
  ['an open group', '/(a/', 'missing closing )'],
  ['nothing at all', '/a*/', 'matches every text'],
  ['an end alone', '/$/', 'matches every text'],
  ['a flag that finds nothing else', '/a/g', 'may have the flags i, m, s and u'],
  ['a flag that is a word', '/a/constructor', 'may have the flags i, m, s and u'],
])('%s is refused', (_, written, expected) => {
  expect(compiled(written)).toEqual({ problem: expect.stringContaining(expected) });
});

test.each(['/.*x.*x.*y/', '/(x+)+$/', '/(x|xx)+y/', '/(x?){50}y/', '/(.*)*y/', '/(x*)*(x*)*y/'])(
  '%s is over in a moment, whatever the text',
  (written) => {
    const cpu = process.cpuUsage();
    finds(written, 'x'.repeat(50_000));
    expect(process.cpuUsage(cpu).user / 1e6).toBeLessThan(5);
  },
);

test.each(['free', 'and/or', '/', '//', '/half', 'half/', '/a/ or b', '/a/B'])('%s is a word', (written) => {
  expect(readPattern(written)).toBeNull();
});
