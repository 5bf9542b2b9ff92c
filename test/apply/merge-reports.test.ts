import { describe, expect, it } from 'vitest';
import { mergeReports, reportOf, type Found } from '../../src/apply/merge-reports.ts';
import type { Outcome } from '../../src/domain/change.ts';
import type { Kind } from '../../src/domain/resource.ts';

const address = { account: 'alice', kind: 'campaign', name: 'Welcome' } as const;
const anOutcome = (more: Partial<Outcome> = {}): Outcome => ({
  address,
  action: 'create',
  outcome: 'unknown',
  live_id: null,
  message: 'lost',
  ...more,
});

function found(more: Partial<Found>): Found {
  return {
    adopted: new Map(),
    open: new Set(),
    before: new Set(),
    confirmed: new Set(),
    halfDone: new Map(),
    newcomers: new Map(),
    ...more,
  };
}

/** What an unknown outcome becomes by what a second look came to. */
function merged(unknown: Partial<Outcome>, later: readonly Partial<Outcome>[], facts?: Found): string[] {
  const first = reportOf([anOutcome(unknown)]);
  const second = reportOf(later.map((outcome) => anOutcome({ message: '', ...outcome })));
  return mergeReports(first, second, facts).outcomes.map(
    ({ action, outcome, live_id: id }) => `${action} ${outcome} ${id ?? '-'}`,
  );
}

/** The message of an unknown create of this kind after a second look. */
function mergedMessage(
  { kind, later }: { kind: Kind; later: Partial<Outcome> },
  facts: Found,
): string | undefined {
  const at = { ...address, kind };
  const second = reportOf([anOutcome({ address: at, message: '', ...later })]);
  return mergeReports(reportOf([anOutcome({ address: at })]), second, facts).outcomes[0]?.message;
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
      'the target shows, which is not an answer',
      { action: 'pause', live_id: '7' },
      [{ action: 'keep', outcome: 'unchanged', live_id: '7' }],
      ['pause unknown 7'],
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
      ['replace adopted 8'],
    ],
    [
      'what was made has gone out by now',
      {},
      [{ action: 'done', outcome: 'unchanged', live_id: '8' }],
      ['create adopted 8'],
    ],
    [
      'no file has it, and it is still there',
      { action: 'pause', live_id: '7' },
      [{ action: 'unmanaged', outcome: 'unchanged', live_id: '7' }],
      ['pause unknown 7'],
    ],
    [
      'adopted, and a duplicate stopped next to it',
      {},
      [
        { action: 'keep', outcome: 'adopted', live_id: '7' },
        { action: 'retire', outcome: 'applied', live_id: '8' },
      ],
      ['create adopted 7', 'retire applied 8'],
    ],
    [
      'only a duplicate was stopped: that says nothing about it',
      {},
      [{ action: 'retire', outcome: 'applied', live_id: '8' }],
      ['create unknown -', 'retire applied 8'],
    ],
  ])('%s', (_title, unknown, later, expected) => {
    expect(merged(unknown, later)).toEqual(expected);
  });

  const LOST_TIME = { action: 'missed', outcome: 'unchanged' } as const;
  const OLDER = { action: 'done', outcome: 'unchanged', live_id: '6' } as const;
  const before = new Set(['campaign/6', 'broadcast/6']);

  it.each([
    ['campaign', LOST_TIME, 'rules.end_at'],
    ['broadcast', LOST_TIME, 'scheduled_at'],
    ['campaign', OLDER, 'rules.end_at'],
  ] as const)('of a create of a %s says which time has passed: %o', (kind, later, key) => {
    const words = mergedMessage({ kind, later }, found({ before }));
    expect(words).toMatch(/^Not created\. /);
    expect(words).toContain(`change ${key}.`);
  });

  it('of a create keeps its words while its request may still be carried out', () => {
    const open = new Set(['alice/campaign/Welcome']);
    expect(mergedMessage({ kind: 'campaign', later: OLDER }, found({ before, open }))).toBe('lost');
  });

  const KEPT = { action: 'keep', outcome: 'unchanged', live_id: '7' } as const;
  const at = 'alice/campaign/Welcome';

  it('of a create is never "applied" for an equal object, which another person may have made', () => {
    expect(merged({}, [KEPT])).toEqual(['create adopted 7']);
    expect(merged({ action: 'replace' }, [KEPT])).toEqual(['replace adopted 7']);
  });

  it('of a create that was answered is "applied", and says what got no answer', () => {
    const own = { action: 'replace', live_id: '7' } as const;
    expect(merged(own, [KEPT])).toEqual(['replace applied 7']);
    expect(merged(own, [KEPT], found({ open: new Set([at]) }))).toEqual(['replace unknown 7']);
    expect(merged(own, [KEPT], found({ before: new Set(['campaign/7']) }))).toEqual(['replace adopted 7']);
  });

  it('of a replace is not judged by another version that was there before, and goes out by now', () => {
    const gone = { action: 'done', outcome: 'unchanged', live_id: '8' } as const;
    const before = new Set(['campaign/8']);
    expect(merged({ action: 'replace', live_id: '7' }, [gone], found({ before }))).toEqual([
      'replace unknown 7',
    ]);
  });

  it('of a create stays unknown next to an equal object as long as its request may still be carried out', () => {
    expect(merged({}, [KEPT], found({ open: new Set([at]) }))).toEqual(['create unknown -']);
  });

  it.each(['pause', 'archive', 'retire', 'activate', 'resume'] as const)(
    'of %s is "applied" only where a repeat of this very change was confirmed',
    (action) => {
      const unknown = { action, live_id: '7' } as const;
      const end = (...confirmed: string[]) =>
        merged(unknown, [KEPT], found({ confirmed: new Set(confirmed) }))[0];
      expect(end(`${at} 7`)).toBe(`${action} applied 7`);
      expect(end(`${at} 8`, 'bob/campaign/Welcome 7')).toBe(`${action} unknown 7`);
    },
  );

  it('that shows and that no answer confirmed stays unknown, and says so', () => {
    const first = reportOf([anOutcome({ action: 'pause', live_id: '7' })]);
    const halfDone = new Map([[at, '7 shows paused, but may be half done']]);
    const { outcomes } = mergeReports(first, reportOf([]), found({ halfDone }));
    expect(outcomes).toMatchObject([{ outcome: 'unknown', message: '7 shows paused, but may be half done' }]);
  });

  it('of a create that made an object is adopted, and what is to be done about it needs a person', () => {
    const blocked = { action: 'blocked', outcome: 'not_attempted', live_id: '7' } as const;
    expect(merged({}, [blocked], found({ adopted: new Map([[at, '7']]) }))).toEqual([
      'create adopted 7',
      'blocked not_attempted 7',
    ]);
  });

  it('leaves what was known as it was, and counts again', () => {
    const first = reportOf([anOutcome({ outcome: 'applied', live_id: '1' })]);
    const second = reportOf([anOutcome({ outcome: 'failed' })]);
    const { outcomes, summary } = mergeReports(first, second);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['applied']);
    expect(summary).toMatchObject({ applied: 1, failed: 0 });
  });
});
