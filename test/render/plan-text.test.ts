import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import type { Change, Plan } from '../../src/domain/change.ts';
import type { PrintedDiagnostic } from '../../src/domain/diagnostic.ts';
import { formatAddress } from '../../src/domain/resource.ts';
import { renderPlanMarkdown } from '../../src/render/plan-markdown.ts';
import { renderPlanText } from '../../src/render/plan-text.ts';
import { A_SERVICE, aChange, aPlan } from '../helpers/plan-builders.ts';
import { SAMPLE_PLAN } from '../page/sample-plan.ts';

const PLAIN = { colour: false, width: 100, title: 'plan' } as const;
const SERVICE = 'Service: https://api.example (from herald.yaml)\n\n';
const DRIFT = { ...PLAIN, title: 'drift' } as const;

const first = (service: Partial<Plan['service']>): string | undefined =>
  renderPlanText(aPlan([aChange()], { service: { ...A_SERVICE, ...service } }), PLAIN).split('\n')[0];

test('the service of a plan is its first line, with where the address came from', () => {
  expect(first({})).toBe('Service: https://api.example (from herald.yaml)');
  expect(first({ source: 'HERALD_BASE_URL' })).toBe(
    'Service: https://api.example (HERALD_BASE_URL overrides herald.yaml)',
  );
  expect(first({ simulator: true })).toBe('Service: https://api.example (from herald.yaml; a simulator)');
  expect(first({ origin: 'simulator:.herald/world.json', simulator: true })).toBe(
    'Service: simulator .herald/world.json',
  );
});

describe('a plan as text', () => {
  test('is the same as ever at 80 columns', async () => {
    await expect(renderPlanText(SAMPLE_PLAN, { ...PLAIN, width: 80 })).toMatchFileSnapshot(
      'snapshots/plan-80.txt',
    );
  });

  test.each([40, 80, 200])('keeps every line within %i columns', (width) => {
    const text = renderPlanText(SAMPLE_PLAN, { ...PLAIN, width });
    for (const line of text.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(width);
  });

  test('reads the same with colour: signs and words carry the meaning', () => {
    const coloured = renderPlanText(SAMPLE_PLAN, { ...PLAIN, colour: true });
    expect(stripVTControlCharacters(coloured)).toBe(renderPlanText(SAMPLE_PLAN, PLAIN));
    expect(coloured).toContain('\u001b[31m\u001b[9m[-joining-]\u001b[29m\u001b[39m\u001b[32m{+being here+}');
  });

  test('never lets a style run over the end of a line', () => {
    const coloured = renderPlanText(SAMPLE_PLAN, { ...PLAIN, colour: true, width: 40 });
    for (const line of coloured.split('\n')) {
      const opened = line.match(/\u001b\[(?:1|2|9|31|32|33)m/g) ?? [];
      const closed = line.match(/\u001b\[(?:22|29|39)m/g) ?? [];
      expect(closed).toHaveLength(opened.length);
    }
  });

  test('with nothing to do says so and nothing else', () => {
    const kept = Array.from({ length: 12 }, (_, index) => aChange({ action: 'keep', name: `C${index}` }));
    expect(renderPlanText(aPlan(kept), PLAIN)).toBe(`${SERVICE}No changes: 12 unchanged.\n`);
    expect(renderPlanText(aPlan(kept), DRIFT)).toBe(`${SERVICE}No drift: 12 unchanged.\n`);
  });

  test('with nothing to do leaves that to the result of the apply that follows', () => {
    const kept = [aChange({ action: 'keep', name: 'A' })];
    const before = { ...PLAIN, isBeforeResult: true };
    expect(renderPlanText(aPlan(kept), before)).toBe(SERVICE.trimEnd() + '\n');
    expect(renderPlanText(aPlan([...kept, aChange({ name: 'New' })]), before)).toContain(
      '1 to create; 1 unchanged.',
    );
  });

  test('with only unmanaged and missed ones still has nothing to do', () => {
    const plan = aPlan([
      aChange({ action: 'missed', name: 'Late' }),
      aChange({ action: 'unmanaged', name: 'Theirs', live_id: '8' }),
    ]);
    expect(renderPlanText(plan, PLAIN)).toBe(
      SERVICE +
        'Other changes (1)\n' +
        '  ? missed campaign "Late" on alice\n' +
        '\n' +
        '1 missed; 1 unmanaged.\n',
    );
  });

  test('names what a blocked change needs', () => {
    const text = renderPlanText(aPlan([aChange({ action: 'blocked', needs: ['adopt', 'resume'] })]), PLAIN);
    expect(text).toContain(
      '! blocked campaign "Welcome series" (4711) on alice  [needs --allow adopt --allow resume]',
    );
  });

  test('calls a campaign live at once, and not a broadcast that waits for its hour', () => {
    const steps: Change['steps'] = [{ kind: 'activate', live_id: '1' }];
    const draw = (kind: 'campaign' | 'broadcast', action: 'activate' | 'resume') =>
      renderPlanText(aPlan([aChange({ kind, action, steps })]), PLAIN);
    expect(draw('campaign', 'activate')).toContain('[live at once]');
    expect(draw('broadcast', 'resume')).not.toContain('at once');
  });

  test('gives long waits in minutes and hours', () => {
    const eta = (eta_sec: number): string => renderPlanText(aPlan([aChange()], { eta_sec }), PLAIN);
    expect(eta(0.2)).toContain('Takes at least 1 s (rate limits)');
    expect(eta(600)).toContain('Takes at least 10 min (rate limits)');
    expect(eta(7_500)).toContain('Takes at least 2 h 5 min (rate limits)');
    expect(eta(0)).not.toContain('at least');
  });
});

test('drift as text speaks of what differs live, without steps or undoing', () => {
  const text = renderPlanText(SAMPLE_PLAN, DRIFT);
  expect(text).toContain('± differs broadcast "Spring challenge" on 4 accounts: bruno, finn, ines, jonas\n');
  expect(text).not.toMatch(/steps:|undo:|at least/);
});

describe('a plan that is refused as a whole', () => {
  const tooMany = {
    severity: 'error',
    code: 'too-many-changes',
    message: '180 changes, more than policy.max_changes (20). Review them, then use --allow large.',
  } as const;
  const denial = {
    severity: 'error',
    code: 'required-field',
    message: 'it has no end_at',
    file: 'campaigns/a.yaml',
    line: 3,
    column: 5,
    address: 'alice/campaign/Welcome',
  } as const;
  const lastLine = (...diagnostics: Plan['diagnostics']): string =>
    renderPlanText(aPlan([aChange()], { diagnostics }), { ...PLAIN, width: 200 })
      .trimEnd()
      .split('\n')
      .slice(-2)
      .join('\n');

  test('says so in its last line, and not what it would do', () => {
    expect(lastLine(tooMany)).toBe('Not applied: 1 to create.\nRefused: 1 error. Nothing will be changed.');
    expect(lastLine(denial)).toBe('Not applied: 1 to create.\nRefused: 1 error. Nothing will be changed.');
    expect(lastLine(denial, tooMany)).toMatch(
      /^Not applied.*\nRefused: 2 errors\. Nothing will be changed\.$/,
    );
  });

  test('says so in the heading of a comment, with every reason below it', () => {
    const markdown = renderPlanMarkdown(aPlan([aChange()], { diagnostics: [denial, tooMany] }));
    expect(markdown.split('\n').slice(0, 13)).toEqual([
      '### Herald plan: refused, nothing will be changed',
      '',
      'Service: <code>https&#58;//api.example</code> (from herald.yaml)',
      '',
      '**Refused: 2 errors. Nothing will be changed.**',
      '',
      'Not applied: 1 to create.',
      '',
      '#### 2 errors',
      '',
      expect.stringContaining('- **error** too-many-changes: 180 changes'),
      expect.stringContaining('- **error** campaigns/a.yaml:3:5: required-field: it has no end'),
      '',
    ]);
    expect(markdown).not.toContain('at least');
  });
});

test('a duplicate is archived or paused by its kind, in the word before its name', () => {
  const copies = [aChange({ action: 'retire', name: 'A' }), aChange({ action: 'retire', kind: 'broadcast' })];
  const text = renderPlanText(aPlan(copies), PLAIN);
  expect(text).toContain('− archive duplicate campaign "A" (4711) on alice');
  expect(text).toContain('− pause duplicate broadcast "Welcome series" (4711) on alice');
  expect(text).toContain('2 to stop.');
});

describe('what a prune would stop', () => {
  const owned = (name: string, index = 0) =>
    aChange({ action: 'unmanaged', name, needs: ['prune'], live_id: `${index}` });
  const theirs = aChange({ action: 'unmanaged', name: 'Theirs', live_id: '8' });

  test('what a prune would retire stands apart from what is someone else’s, in text', () => {
    expect(renderPlanText(aPlan([owned('Old'), theirs]), { ...PLAIN, width: 80 })).toBe(
      `${SERVICE}Unmanaged, created by Herald; --allow prune stops them (1)
  · unmanaged campaign "Old" (0) on alice

No changes: 2 unmanaged.
`,
    );
  });

  test('each of them is named, also when there are many', () => {
    const many = Array.from({ length: 150 }, (_, index) => owned(`C${index}`, index));
    expect(renderPlanText(aPlan(many), { ...PLAIN, width: 80 })).toContain('"C149"');
  });
});

const FIELDS = [{ path: 'messages[0].text', old: 'live', new: 'declared' }];

const keep = (name: string, parts: Partial<Change> = {}) => aChange({ action: 'keep', name, ...parts });
const done = (name: string, parts: Partial<Change> = {}) => aChange({ action: 'done', name, ...parts });
const about = ({ address }: Change, code: string): PrintedDiagnostic => ({
  severity: 'warning',
  code,
  message: code,
  address: formatAddress(address),
});

function lastLine(
  title: 'plan' | 'drift',
  changes: readonly Change[],
  diagnostics: readonly PrintedDiagnostic[],
) {
  const plan = aPlan(changes, { diagnostics: [...diagnostics] });
  const text = renderPlanText(plan, { colour: false, width: 500, title });
  const lines = text.trimEnd().split('\n');
  // A drift ends with what to do.
  return lines.findLast((line) => title === 'plan' || /^(?:Drift|No (?:other )?drift)/.test(line));
}

const late = done('Late', { fields: FIELDS });
const stopped = keep('Stopped', { fields: FIELDS });
const missed = aChange({ action: 'missed', name: 'Missed' });
const request = about(keep('A'), 'open-entry');

describe('the last line of a drift, when', () => {
  test.each([
    ['its hour is too near', done('One'), 'too-late'],
    ['it was paused until its hour had passed', done('One'), 'never-left'],
    ['it is declared paused and goes out', done('One'), 'going-out'],
    ['it cannot be read', keep('One'), 'unreadable'],
  ])('one differs, and %s', (_, change, code) => {
    expect(lastLine('drift', [change], [about(change, code)])).toBe(
      'No other drift: 1 different and left as it is.',
    );
  });

  test.each<[string, readonly Change[], readonly PrintedDiagnostic[], string]>([
    ['all is as declared', [keep('A'), keep('B')], [], 'No drift: 2 unchanged.'],
    ['one was sent long ago', [keep('A'), done('B')], [], 'No drift: 1 unchanged, 1 done.'],
    ['one is stopped, and differs', [stopped], [], 'No other drift: 1 different and left as it is.'],
    ['one was missed', [missed], [about(missed, 'missed')], 'No other drift: 1 missed.'],
    ['parts cannot be compared', [keep('A')], [about(keep('A'), 'unverifiable')], 'No drift: 1 unchanged.'],
    [
      'a request is open',
      [keep('A')],
      [request],
      'No other drift: 1 unchanged, 1 request still unconfirmed.',
    ],
    ['a request is settled', [keep('A')], [{ ...request, severity: 'info' }], 'No drift: 1 unchanged.'],
    [
      'something else differs as well',
      [keep('A'), late, done('B'), aChange({ name: 'New' }), stopped],
      [about(late, 'too-late')],
      'Drift: 1 missing live; 1 unchanged, 2 different and left as it is, 1 done.',
    ],
  ])('%s', (_, changes, diagnostics, line) => {
    expect(lastLine('drift', changes, diagnostics)).toBe(line);
  });
});

test('a plan with nothing to do says no more of what it cannot fix than that', () => {
  const line = '1 missed; 1 unchanged, 1 different and left as it is.';
  const changes = [keep('A'), late, missed];
  expect(lastLine('plan', changes, [about(late, 'too-late')])).toBe(line);
  const comment = renderPlanMarkdown(aPlan(changes, { diagnostics: [about(late, 'too-late')] }));
  expect(comment).toContain(line);
});

test('a plan of which everything is left out does not say that nothing is declared', () => {
  expect(lastLine('plan', [], [about(keep('A'), 'left-out')])).toBe(
    'No changes: nothing is declared differently.',
  );
});
