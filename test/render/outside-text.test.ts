import { expect, test } from 'vitest';
import { renderPlanText } from '../../src/render/plan-text.ts';
import { aChange, aPlan } from '../helpers/plan-builders.ts';

const PLAIN = { colour: false, width: 100, title: 'plan' } as const;

test('text from outside of 100,000 characters takes little time, and only as much space as what changes', () => {
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
  const started = process.cpuUsage();
  const text = renderPlanText(aPlan([aChange({ action: 'replace', reasons: [words], fields })]), PLAIN);
  const whole = renderPlanText(aPlan([aChange({ action: 'replace', fields: rewritten })]), PLAIN);
  // Processor time, to which a busy machine adds little.
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(10_000);
  expect(text).toContain('[-w500-]{+here+}');
  expect(text.length).toBeLessThan(12_000);
  // Every word of what was rewritten is there: half of them on lines of their own.
  expect(whole.match(/\bv\d+/g)).toHaveLength(2 * other.split(' ').length);
});
