import { expect, test } from 'vitest';
import { patternProblem } from '../../src/files/pattern-risk.ts';
import { bannedPattern } from '../../src/domain/policy.ts';

const problemOf = (written: string) => {
  const pattern = bannedPattern(written);
  return pattern === null ? 'a word' : patternProblem(pattern);
};

test.each([
  '/free/i',
  '/\\bt\\.me\\/\\w+/i',
  '/(free|gratis) money/',
  '/(\\d{4}[ -]?){0,1}\\d{4}/',
  '/(\\d{4}){4}/',
  '/(?:https?:)?\\/\\//',
  '/(?<!no )refund/u',
  '/[+*?{}()|]+x/',
  '/\\(+a\\)+/',
  '/\\p{Sc}\\d+/u',
  '/\\w+@\\w+\\.\\w+/',
  '/free.*money/is',
  '/a+?b/',
  '/a*(?:b|c)d*e/',
  '/\\d{1,5}[ -]?\\d+/',
])('%s can be used', (written) => {
  expect(problemOf(written)).toBeNull();
});

test.each([
  ['a repetition in a repetition', '/(a+)+$/', 'repeats a group'],
  ['deeper down', '/((ab)*c)*d/', 'repeats a group'],
  ['a choice in a repetition', '/(a|aa)+$/', 'repeats a group'],
  ['something optional in one', '/(a?){50}b/', 'repeats a group'],
  ['a repetition that is counted', '/(a{1,9}){9}b/', 'repeats a group'],
  ['in a group with a name', '/(?<word>\\w+\\s?)*x/', 'repeats a group'],
  ['many open ends', '/a*b.*c.*d.*e/', 'more than 3 open-ended'],
  ['two open ends in a row', '/a*a*b/', 'follows another open-ended repetition'],
  ['with something optional between', '/\\d+[ -]?\\d+x/', 'follows another open-ended repetition'],
  ['with a mere place between', '/\\w+\\b.*x/', 'follows another open-ended repetition'],
  ['one at the end of a group', '/(a|b+)c*d/', 'follows another open-ended repetition'],
  ['one at the beginning of a group', '/a*(?:b|c*)d/', 'follows another open-ended repetition'],
  ['one in an optional group', '/(a+)?b*c/', 'follows another open-ended repetition'],
  ['as many as without an end', '/a{1,99}a*b/', 'follows another open-ended repetition'],
  ['a reference back', '/(a)\\1/', 'refers back'],
  ['a named one', '/(?<one>a)\\k<one>/u', 'refers back'],
  ['nothing at all', '/a*/', 'matches every text'],
  ['an end alone', '/$/', 'matches every text'],
  ['an open group', '/(a/', 'This is no pattern'],
  ['a flag that finds nothing else', '/a/g', 'takes the flags i, m, s and u'],
])('%s is refused', (_, written, expected) => {
  expect(problemOf(written)).toContain(expected);
});

test.each(['free', 'and/or', '/', '//', '/half', 'half/', '/a/ or b', '/a/B'])('%s is a word', (written) => {
  expect(bannedPattern(written)).toBeNull();
});
