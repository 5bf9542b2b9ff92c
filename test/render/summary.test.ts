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
