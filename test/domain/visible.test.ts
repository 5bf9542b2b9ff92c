import { describe, expect, test } from 'vitest';
import { harmless, quoted, visible, visibleLines, visibleProse } from '../../src/domain/visible.ts';
import { HOSTILE, obeyedIn } from '../render/forgery.ts';

describe('text made visible', () => {
  test.each([
    ['::set-output name=approved::true', '\\u{3a}:set-output name=approved::true'],
    ['a ##[error]', 'a #\\u{23}[error]'],
    ['##vso[task.setvariable variable=PATH]x', '#\\u{23}vso[task.setvariable variable=PATH]x'],
    ['名##teamcity[x]', '名#\\u{23}teamcity[x]'],
  ])('starts no command on a CI runner: %j', (text, shown) => {
    expect(visible(text)).toBe(shown);
    expect(harmless(`first\n${text}\n`)).toBe(`first\n${shown}\n`);
    expect(harmless(`first\n\u00a0${text}`)).toBe(`first\n\u00a0${shown}`);
  });

  test('has nothing left that a terminal obeys', () => {
    for (const text of HOSTILE) expect(obeyedIn(visible(text))).toBeNull();
  });

  test.each([
    'Foo::bar, 12::30',
    '## Heading',
    'C## and ##',
    '::1',
    '#[x]',
    'a ::b',
    'Grüße',
    '最高',
    '👩‍👩‍👧 👍🏽 🇩🇪 1️⃣ ❤️',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    'می\u200cخواهم',
    'हिन्दी',
  ])('leaves %s as it is', (text) => {
    expect(visible(text)).toBe(text);
  });

  test.each([
    // Blanks that are not the space.
    ['a\u2800b\u3000c\u2009d\u202fe\u00a0f g', 'a\\u{2800}b\\u{3000}c\\u{2009}d\\u{202f}e\\u{a0}f g'],
    // Joiners where they only hide.
    ['pay\u200cpal\u200d', 'pay\\u{200c}pal\\u{200d}'],
    ['a\ufe0f', 'a\\u{fe0f}'],
    ['hi\u{e0068}\u{e0069}\u{e007f}', 'hi\\u{e0068}\\u{e0069}\\u{e007f}'],
    // Marks that are piled too high.
    [`a${'\u0301'.repeat(10)}`, `a${'\u0301'.repeat(8)}\\u{301}\\u{301}`],
  ])('shows the characters that only hide or disguise: %j', (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  test('keeps lines apart, or joins them where a sentence is one', () => {
    expect(visibleLines('a\r\nb\n\tc')).toEqual(['a', 'b', '\\tc']);
    expect(visibleProse(' one\n   two\n')).toBe('one two');
    expect(visible('a\nb\rc')).toBe('a\\nb\\rc');
  });

  test('leaves a document nothing that a terminal obeys, but line breaks, tabs and its own colours', () => {
    const text = 'a\tb\n\u001b[31mred\u001b[0m \u001b]8;;x\u0007 \u009b2J \u202e';
    expect(harmless(text)).toBe('a\tb\n\\u{1b}[31mred\\u{1b}[0m \\u{1b}]8;;x\\u{7} \\u{9b}2J \\u{202e}');
    expect(harmless('\u001b[1m \u001b[31m::error::\u001b[0m', true)).toBe(
      '\u001b[1m \u001b[31m\\u{3a}:error::\u001b[0m',
    );
    expect(harmless(text, true)).toContain('\u001b[31mred\u001b[0m \\u{1b}]8');
  });

  test('shows where a name begins and ends', () => {
    expect(quoted('say "hi" ')).toBe('"say \\"hi\\" "');
  });
});
