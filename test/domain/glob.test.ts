import { describe, expect, it } from 'vitest';
import { globOf } from '../../src/domain/glob.ts';

describe('a glob', () => {
  it.each([
    ['Welcome', 'Welcome'],
    ['Welcome*', 'Welcome'],
    ['Welcome*', 'Welcome series'],
    ['*', ''],
    ['*', 'a/b'],
    ['*series', 'Welcome series'],
    ['W*c*e', 'Welcome'],
    ['a*b*c', 'abXbc'],
    ['Welcom?', 'Welcome'],
    ['?', '😀'],
    ['\\*', '*'],
    ['\\?\\\\', '?\\'],
    ['a\\', 'a\\'],
    ['[x]{1}', '[x]{1}'],
    ['caf\u00e9', 'cafe\u0301'],
    ['cafe\u0301*', 'caf\u00e9 one'],
  ])('%j matches %j', (pattern, text) => {
    expect(globOf(pattern)(text)).toBe(true);
  });

  it.each([
    ['Welcome', 'Welcome series'],
    ['Welcome', 'welcome'],
    ['', 'a'],
    ['?', ''],
    ['*a', 'b'],
    ['a*b', 'abc'],
    ['\\*', 'a'],
    ['[W]elcome', 'Welcome'],
    ['W.lcome', 'Welcome'],
  ])('%j does not match %j', (pattern, text) => {
    expect(globOf(pattern)(text)).toBe(false);
  });

  it('with many stars ends soon on a long text that nearly matches', () => {
    const isMatch = globOf(`${'*a'.repeat(100)}b`);
    expect(isMatch('a'.repeat(20_000))).toBe(false);
  });
});
