import { describe, expect, it } from 'vitest';
import { FieldPath } from '../../src/domain/field-path.ts';
import { Glob } from '../../src/domain/glob.ts';

describe('a glob', () => {
  it.each([
    ['Welcome', 'Welcome'],
    ['Welcome*', 'Welcome series'],
    ['*', ''],
    ['*', 'a/b'],
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
    expect(new Glob(pattern).matches(text)).toBe(true);
  });

  it.each([
    ['Welcome', 'Welcome series'],
    ['Welcome', 'welcome'],
    ['', 'a'],
    ['?', ''],
    ['a*b', 'abc'],
    ['\\*', 'a'],
    ['W.lcome', 'Welcome'],
  ])('%j does not match %j', (pattern, text) => {
    expect(new Glob(pattern).matches(text)).toBe(false);
  });

  it('with many stars ends soon on a long text that nearly matches', () => {
    const glob = new Glob(`${'*a'.repeat(100)}b`);
    expect(glob.matches('a'.repeat(20_000))).toBe(false);
  });
});

describe('a path of a field', () => {
  it('is read alike in brackets and with dots', () => {
    expect(new FieldPath('messages[0].text').steps).toEqual(['messages', '0', 'text']);
    expect(new FieldPath('messages.0.text').steps).toEqual(['messages', '0', 'text']);
    expect(new FieldPath('audience_filters[*].options.lists[2].name').steps).toEqual(
      new FieldPath('audience_filters.*.options.lists.2.name').steps,
    );
  });

  it.each([
    ['messages[3].text', 'messages.*.text', true],
    ['messages[3].text', 'messages', true],
    ['messages[3]', 'messages.*', true],
    ['messages[3].text', 'messages.1.text', false],
    ['messages[3]', 'messages.*.text', false],
    ['messages.length', 'messages.*', false],
    ['rules.end_at', 'rules.end', false],
  ])('%s lies within %s: %s', (field, pattern, within) => {
    expect(new FieldPath(field).isWithin(new FieldPath(pattern).steps)).toBe(within);
  });
});
