import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { renderPlanText } from '../../src/render/plan-text.ts';
import { aChange, aPlan } from '../helpers/plan-builders.ts';
import { HOSTILE } from './hostile.ts';

const PLAIN = { colour: false, width: 100, title: 'plan' } as const;

describe('text from outside', () => {
  test.each([40, 80, 200])('keeps to the width, and to the words without colour, at %i columns', (width) => {
    for (const text of HOSTILE) {
      const fields = [{ path: text, old: `long ${text} `.repeat(20), new: `long ${text} `.repeat(21) }];
      const plan = aPlan([aChange({ name: text, action: 'replace', reasons: [text], fields })]);
      const drawn = renderPlanText(plan, { ...PLAIN, width });
      for (const line of drawn.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(width);
      const coloured = renderPlanText(plan, { ...PLAIN, width, colour: true });
      expect(stripVTControlCharacters(coloured)).toBe(drawn);
    }
  });

  test('shows what it hid', () => {
    const plan = aPlan([aChange({ name: 'invoice\u202Egpj.exe \u001b[2J' })]);
    expect(renderPlanText(plan, PLAIN)).toContain('"invoice\\u{202e}gpj.exe \\u{1b}[2J"');
  });

  test('of 100,000 characters takes little time, and only as much space as what changes', () => {
    const words = Array.from({ length: 20_000 }, (_, index) => `w${index % 977}`).join(' ');
    const other = Array.from({ length: 20_000 }, (_, index) => `v${index % 983}`).join(' ');
    const fields = [
      { path: 'changed', old: words, new: words.replace('w500 ', 'here ') },
      { path: 'word', old: 'x'.repeat(100_000), new: `${'x'.repeat(50_000)}y${'x'.repeat(50_000)}` },
      { path: 'spaces', old: ' '.repeat(100_000), new: ' '.repeat(99_999) },
    ];
    const rewritten = [
      { path: 'other', old: words, new: other },
      { path: 'lines', old: words.replaceAll(' ', '\n'), new: other.replaceAll(' ', '\n') },
    ];
    const started = performance.now();
    const text = renderPlanText(aPlan([aChange({ action: 'replace', reasons: [words], fields })]), PLAIN);
    const whole = renderPlanText(aPlan([aChange({ action: 'replace', fields: rewritten })]), PLAIN);
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(text).toContain('[-w500-]{+here+}');
    expect(text.length).toBeLessThan(12_000);
    // Every word of what was rewritten is there: half of them on lines of their own.
    expect(whole.match(/\bv\d+/g)).toHaveLength(2 * other.split(' ').length);
  });
});
