import { describe, expect, test } from 'vitest';
import type { Change } from '../../src/domain/change.ts';
import type { PrintedDiagnostic } from '../../src/domain/diagnostic.ts';
import { formatAddress } from '../../src/domain/resource.ts';
import { renderPlanMarkdown } from '../../src/render/plan-markdown.ts';
import { renderPlanText } from '../../src/render/plan-text.ts';
import { aChange, aPlan } from '../helpers/plan-builders.ts';

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
  const text = renderPlanText(aPlan(changes, { diagnostics: [...diagnostics] }), {
    colour: false,
    width: 500,
    title,
  });
  const lines = text.trimEnd().split('\n');
  // A drift ends with what to do.
  return lines.findLast((line) => title === 'plan' || /^(?:Drift|No (?:other )?drift)/.test(line));
}

const late = done('Late', { fields: FIELDS });
const lost = done('Never');
const leaving = done('Leaving');
const blank = keep('Blank');
const stopped = keep('Stopped', { fields: FIELDS });
const dim = keep('Dim');
const missed = aChange({ action: 'missed', name: 'Missed' });

const CASES: readonly (readonly [string, readonly Change[], readonly PrintedDiagnostic[], string])[] = [
  ['all is as declared', [keep('A'), keep('B')], [], 'No drift: 2 unchanged.'],
  [
    'one was sent long ago, whatever the file says now',
    [keep('A'), done('B')],
    [],
    'No drift: 1 unchanged, 1 done.',
  ],
  [
    'one differs and its hour is too near',
    [keep('A'), late],
    [about(late, 'too-late')],
    'No other drift: 1 unchanged, 1 different and left as it is.',
  ],
  [
    'one waits unreadable, and its hour is too near',
    [done('Late')],
    [about(late, 'too-late')],
    'No other drift: 1 different and left as it is.',
  ],
  [
    'one was paused until its hour had passed',
    [lost],
    [about(lost, 'never-left')],
    'No other drift: 1 different and left as it is.',
  ],
  [
    'one is declared paused and goes out',
    [leaving],
    [about(leaving, 'going-out')],
    'No other drift: 1 different and left as it is.',
  ],
  [
    'one cannot be read',
    [blank, keep('A')],
    [about(blank, 'unreadable')],
    'No other drift: 1 different and left as it is, 1 unchanged.',
  ],
  [
    'one is stopped, as declared, and says something else',
    [stopped],
    [],
    'No other drift: 1 different and left as it is.',
  ],
  [
    'one was missed',
    [keep('A'), missed],
    [about(missed, 'missed')],
    'No other drift: 1 missed; 1 unchanged.',
  ],
  [
    'one has parts that no one can compare, which its finding says',
    [dim, keep('A')],
    [about(dim, 'unverifiable')],
    'No drift: 2 unchanged.',
  ],
  [
    'a request may still be carried out',
    [keep('A')],
    [about(keep('A'), 'open-entry')],
    'No other drift: 1 unchanged, 1 request still unconfirmed.',
  ],
  [
    'an earlier run found out what became of its request',
    [keep('A')],
    [{ ...about(keep('A'), 'open-entry'), severity: 'info' }],
    'No drift: 1 unchanged.',
  ],
  [
    'something else differs as well',
    [keep('A'), late, done('B'), aChange({ name: 'New' }), stopped],
    [about(late, 'too-late')],
    'Drift: 1 missing live; 1 unchanged, 2 different and left as it is, 1 done.',
  ],
];

describe('the last line of a drift, when', () => {
  test.each(CASES)('%s', (_, changes, diagnostics, line) => {
    expect(lastLine('drift', changes, diagnostics)).toBe(line);
  });
});

describe('a plan with nothing to do', () => {
  test('says no more of what it cannot fix than that', () => {
    const line = '1 missed; 1 unchanged, 1 different and left as it is.';
    const changes = [keep('A'), late, missed];
    expect(lastLine('plan', changes, [about(late, 'too-late')])).toBe(line);
    const comment = renderPlanMarkdown(aPlan(changes, { diagnostics: [about(late, 'too-late')] }));
    expect(comment).toContain(line);
  });
});
