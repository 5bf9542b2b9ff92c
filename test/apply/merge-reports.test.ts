import { describe, expect, it } from 'vitest';
import { mergeReports, reportOf } from '../../src/apply/merge-reports.ts';
import type { Outcome } from '../../src/domain/change.ts';

const address = { account: 'alice', kind: 'campaign', name: 'Welcome' } as const;
const anOutcome = (more: Partial<Outcome> = {}): Outcome => ({
  address,
  action: 'create',
  outcome: 'unknown',
  live_id: null,
  message: 'lost',
  ...more,
});

/** What an unknown outcome becomes by what a second look came to. */
function merged(unknown: Partial<Outcome>, ...found: Partial<Outcome>[]): string[] {
  const first = reportOf([anOutcome(unknown)]);
  const second = reportOf(found.map((outcome) => anOutcome({ message: '', ...outcome })));
  return mergeReports(first, second).outcomes.map(
    ({ action, outcome, live_id: id }) => `${action} ${outcome} ${id ?? '-'}`,
  );
}

describe('an unknown outcome after a second look', () => {
  it.each<[string, Partial<Outcome>, Partial<Outcome>[], string[]]>([
    ['nothing was found for it', {}, [], ['create unknown -']],
    ['still unknown', {}, [{ outcome: 'unknown' }], ['create unknown -']],
    ['adopted', {}, [{ action: 'keep', outcome: 'adopted', live_id: '7' }], ['create adopted 7']],
    ['carried out now', {}, [{ outcome: 'applied', live_id: '7' }], ['create applied 7']],
    ['refused now', {}, [{ outcome: 'failed' }], ['create failed -']],
    ['held back', {}, [{ action: 'blocked', outcome: 'not_attempted' }], ['create unknown -']],
    ['its time passed', {}, [{ action: 'missed', outcome: 'unchanged' }], ['create unknown -']],
    [
      'the target shows',
      { action: 'pause', live_id: '7' },
      [{ action: 'keep', outcome: 'unchanged', live_id: '7' }],
      ['pause applied 7'],
    ],
    [
      'it went out instead',
      { action: 'pause', live_id: '7' },
      [{ action: 'done', outcome: 'unchanged', live_id: '7' }],
      ['pause unknown 7'],
    ],
    [
      'the time of the replaced one is over, and it is still the one that is there',
      { action: 'replace', live_id: '7' },
      [{ action: 'done', outcome: 'unchanged', live_id: '7' }],
      ['replace unknown 7'],
    ],
    [
      'the new one has gone out by now',
      { action: 'replace', live_id: '7' },
      [{ action: 'done', outcome: 'unchanged', live_id: '8' }],
      ['replace applied 8'],
    ],
    [
      'what was made has gone out by now',
      {},
      [{ action: 'done', outcome: 'unchanged', live_id: '8' }],
      ['create applied 8'],
    ],
    [
      'no file has it, and it is still there',
      { action: 'pause', live_id: '7' },
      [{ action: 'unmanaged', outcome: 'unchanged', live_id: '7' }],
      ['pause unknown 7'],
    ],
    [
      'adopted, and an extra copy stopped beside it',
      {},
      [
        { action: 'keep', outcome: 'adopted', live_id: '7' },
        { action: 'retire', outcome: 'applied', live_id: '8' },
      ],
      ['create adopted 7', 'retire applied 8'],
    ],
    [
      'only an extra copy was stopped: that says nothing about it',
      {},
      [{ action: 'retire', outcome: 'applied', live_id: '8' }],
      ['create unknown -', 'retire applied 8'],
    ],
  ])('%s', (_title, unknown, found, expected) => {
    expect(merged(unknown, ...found)).toEqual(expected);
  });

  it('leaves what was known as it was, and counts anew', () => {
    const first = reportOf([anOutcome({ outcome: 'applied', live_id: '1' })]);
    const second = reportOf([anOutcome({ outcome: 'failed' })]);
    const { outcomes, summary } = mergeReports(first, second);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['applied']);
    expect(summary).toMatchObject({ applied: 1, failed: 0 });
  });
});
