import { describe, expect, test } from 'vitest';
import { quoted, visible, visibleLines, visibleProse } from '../../src/render/visible.ts';
import { HOSTILE, OBEYED } from './hostile.ts';

describe('text made visible', () => {
  test('has nothing left that a terminal obeys', () => {
    for (const text of HOSTILE) expect(visible(text)).not.toMatch(OBEYED);
  });

  test.each([
    'Grüße',
    '最高',
    '👩‍👩‍👧 👍🏽 🇩🇪 1️⃣ ❤️',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    'می\u200cخواهم',
    'हिन्दी',
  ])('leaves %s as it is', (text) => {
    expect(visible(text)).toBe(text);
  });

  test('shows joiners where they only hide', () => {
    expect(visible('pay\u200cpal\u200d')).toBe('pay\\u{200c}pal\\u{200d}');
    expect(visible('a\ufe0f')).toBe('a\\u{fe0f}');
    expect(visible('hi\u{e0068}\u{e0069}\u{e007f}')).toBe('hi\\u{e0068}\\u{e0069}\\u{e007f}');
  });

  test('shows the marks that are piled too high', () => {
    expect(visible(`a${'\u0301'.repeat(10)}`)).toBe(`a${'\u0301'.repeat(8)}\\u{301}\\u{301}`);
  });

  test('keeps lines apart, or joins them where a sentence is one', () => {
    expect(visibleLines('a\r\nb\n\tc')).toEqual(['a', 'b', '\\tc']);
    expect(visibleProse(' one\n   two\n')).toBe('one two');
    expect(visible('a\nb\rc')).toBe('a\\nb\\rc');
  });

  test('shows where a name begins and ends', () => {
    expect(quoted('say "hi" ')).toBe('"say \\"hi\\" "');
  });
});
