import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { CHANGE_KINDS } from '../../src/domain/change.ts';
import { renderPlanText } from '../../src/render/plan-text.ts';
import { aChange, aPlan } from '../helpers/plan-builders.ts';
import { frozen } from './freeze.ts';
import { HOSTILE, OBEYED } from './hostile.ts';
import { SAMPLE_PLAN } from './sample-plan.ts';

const PLAIN = { colour: false, width: 100, title: 'plan' } as const;
const DRIFT = { ...PLAIN, title: 'drift' } as const;

describe('a plan as text', () => {
  test.each([40, 80, 200])('keeps every line within %i columns', async (width) => {
    const text = renderPlanText(SAMPLE_PLAN, { ...PLAIN, width });
    for (const line of text.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(width);
    await expect(text).toMatchFileSnapshot(`snapshots/plan-${width}.txt`);
  });

  test('reads the same with colour: signs and words carry the meaning', () => {
    const coloured = renderPlanText(SAMPLE_PLAN, { ...PLAIN, colour: true });
    expect(stripVTControlCharacters(coloured)).toBe(renderPlanText(SAMPLE_PLAN, PLAIN));
    expect(coloured).toContain('\u001b[31m\u001b[9m[-special-]\u001b[29m\u001b[39m\u001b[32m{+wonderful+}');
  });

  test('never lets a style run over the end of a line', () => {
    const coloured = renderPlanText(SAMPLE_PLAN, { ...PLAIN, colour: true, width: 40 });
    for (const line of coloured.split('\n')) {
      const opened = line.match(/\u001b\[(?:1|2|9|31|32|33)m/g) ?? [];
      const closed = line.match(/\u001b\[(?:22|29|39)m/g) ?? [];
      expect(closed).toHaveLength(opened.length);
    }
  });

  test('says in its last lines what cannot be undone, what is blocked and what goes live', () => {
    const text = renderPlanText(SAMPLE_PLAN, { ...PLAIN, width: 200 });
    expect(text.slice(text.indexOf('! 1 cannot'))).toBe(
      '! 1 cannot be undone: recall alice/campaign/Oops\n' +
        '! 2 blocked: alice/campaign/Summer (--allow resume), bob/campaign/Autumn 👩‍👩‍👧 最高\n' +
        '* 2 live at once: alice/campaign/Offer of the month, alice/campaign/Winter\n' +
        '* 1 may go out at once: alice/broadcast/Advent\n' +
        '1 to create, 1 to replace, 1 to activate, 1 to resume, 1 to pause, 1 to archive, 1 to recall, 1 to retire, ' +
        '1 missed, 2 blocked; 1 unchanged, 1 done, 1 unmanaged. At least 7 s at the published rates.\n',
    );
  });

  test('with nothing to do says so and nothing else', () => {
    const kept = Array.from({ length: 12 }, (_, index) => aChange({ action: 'keep', name: `C${index}` }));
    expect(renderPlanText(aPlan(kept), PLAIN)).toBe('Nothing to do: 12 resources match.\n');
    expect(renderPlanText(aPlan(kept), DRIFT)).toBe('No drift: 12 resources match.\n');
    expect(renderPlanText(aPlan(kept.slice(0, 1)), PLAIN)).toBe('Nothing to do: 1 resource matches.\n');
  });

  test('with only unmanaged and missed ones still has nothing to do', () => {
    const plan = aPlan([
      aChange({ action: 'missed', name: 'Late' }),
      aChange({ action: 'unmanaged', name: 'Theirs', live_id: '8' }),
    ]);
    expect(renderPlanText(plan, PLAIN)).toBe(
      'alice · campaigns\n' +
        '  ? missed   "Late"\n' +
        '  · in no file, never touched:\n' +
        '    "Theirs" (8)\n' +
        '\n' +
        'Nothing to do: 0 resources match; 1 missed, 1 unmanaged.\n',
    );
  });

  test('lists no more than ten unmanaged objects of a kind', () => {
    const many = Array.from({ length: 25 }, (_, index) => {
      return aChange({ action: 'unmanaged', name: `C${index}`, live_id: String(index) });
    });
    const text = renderPlanText(aPlan(many), PLAIN);
    expect(text).toContain('    … and 15 more\n');
    expect(text.match(/\(\d+\)/g)).toHaveLength(10);
  });

  test('names what a blocked change needs', () => {
    const text = renderPlanText(aPlan([aChange({ action: 'blocked', needs: ['adopt', 'resume'] })]), PLAIN);
    expect(text).toContain('! blocked  "Welcome series" (4711)  [needs --allow adopt --allow resume]');
  });

  test('marks a writing change that is not reversible', () => {
    const text = renderPlanText(aPlan([aChange({ action: 'archive', reversible: false })]), PLAIN);
    expect(text).toContain('[cannot be undone]');
  });

  test('gives long waits in minutes and hours', () => {
    const eta = (eta_sec: number): string => renderPlanText(aPlan([aChange()], { eta_sec }), PLAIN);
    expect(eta(0.2)).toContain('At least 1 s at');
    expect(eta(600)).toContain('At least 10 min at');
    expect(eta(7_500)).toContain('At least 2 h 5 min at');
    expect(eta(0)).not.toContain('At least');
  });

  test('has a mark and a word for every kind of change', () => {
    for (const action of CHANGE_KINDS) {
      const text = renderPlanText(aPlan([aChange({ action })]), PLAIN);
      expect(text).not.toContain('undefined');
      expect(text.endsWith('.\n')).toBe(true);
    }
  });
});

describe('drift as text', () => {
  test('speaks of what differs live, without steps or undoing', async () => {
    const text = renderPlanText(SAMPLE_PLAN, DRIFT);
    expect(text).toContain('± changed outside "Offer of the month" (4711)\n');
    expect(text).not.toMatch(/steps:|undo:|At least/);
    await expect(text).toMatchFileSnapshot('snapshots/drift-100.txt');
  });
});

describe('text from outside', () => {
  test.each([40, 80, 200])('is never obeyed by the terminal, at %i columns', (width) => {
    for (const text of HOSTILE) {
      const plan = hostilePlan(text);
      const drawn = renderPlanText(plan, { ...PLAIN, width });
      expect(drawn).not.toMatch(OBEYED);
      for (const line of drawn.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(width);
      const coloured = renderPlanText(plan, { ...PLAIN, width, colour: true });
      expect(stripVTControlCharacters(coloured)).toBe(drawn);
    }
  });

  test('shows what it hid', () => {
    const plan = aPlan([aChange({ name: 'invoice\u202Egpj.exe \u001b[2J' })]);
    expect(renderPlanText(plan, PLAIN)).toContain('"invoice\\u{202e}gpj.exe \\u{1b}[2J"');
  });

  test('of 100,000 characters takes neither long nor much room', () => {
    const words = Array.from({ length: 20_000 }, (_, index) => `w${index % 977}`).join(' ');
    const other = Array.from({ length: 20_000 }, (_, index) => `v${index % 983}`).join(' ');
    const fields = [
      { path: 'changed', old: words, new: words.replace('w500 ', 'here ') },
      { path: 'other', old: words, new: other },
      { path: 'lines', old: words.replaceAll(' ', '\n'), new: other.replaceAll(' ', '\n') },
      { path: 'word', old: 'x'.repeat(100_000), new: `${'x'.repeat(50_000)}y${'x'.repeat(50_000)}` },
      { path: 'spaces', old: ' '.repeat(100_000), new: ' '.repeat(99_999) },
    ];
    const started = performance.now();
    const text = renderPlanText(aPlan([aChange({ action: 'replace', reasons: [words], fields })]), PLAIN);
    expect(performance.now() - started).toBeLessThan(3_000);
    expect(text).toContain('[-w500-]{+here+}');
    expect(text.length).toBeLessThan(12_000);
  });
});

test('the same plan gives the same bytes and stays as it was', () => {
  const plan = frozen(structuredClone(SAMPLE_PLAN));
  const style = frozen({ ...PLAIN });
  expect(renderPlanText(plan, style)).toBe(renderPlanText(plan, style));
  const shuffled = { ...plan, changes: plan.changes.toReversed() };
  expect(renderPlanText(shuffled, style)).toBe(renderPlanText(plan, style));
});

function hostilePlan(text: string): ReturnType<typeof aPlan> {
  return aPlan(
    [
      aChange({
        account: text,
        name: text,
        action: 'replace',
        live_id: text,
        reasons: [text],
        undo: text,
        fields: [
          { path: text, old: text, new: `${text}!` },
          { path: 'a', old: `long ${text} `.repeat(20), new: `long ${text} `.repeat(21) },
          { path: 'b', old: { [text]: text }, new: [text, null, 1n] },
          { path: 'c', old: null, new: `${text}\n`.repeat(30) },
        ],
        steps: [{ kind: 'pause', live_id: text }],
      }),
      aChange({ name: text, action: 'unmanaged', live_id: text }),
      aChange({ name: text, action: 'blocked', live_id: text }),
    ],
    { diagnostics: [{ severity: 'warning', code: 'x', message: text, file: text, line: 1, column: 2 }] },
  );
}
