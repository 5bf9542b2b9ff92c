import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import type { ServiceError } from '../../src/api/errors.ts';
import type { Reason } from '../../src/engine/reasons.ts';
import { renderApplyText } from '../../src/render/report-text.ts';
import { type Again, describeResults } from '../../src/render/results.ts';
import type { Hindrance, RequestRow } from '../../src/state/shapes.ts';
import { aChange, anOutcome, aReport } from '../helpers/plan-builders.ts';

const PLAIN = { colour: false, width: 120 };

const MIXED = aReport([
  anOutcome({
    outcome: 'unknown',
    kind: 'broadcast',
    name: 'Teaser',
    live_id: null,
    message:
      'Broadcast "Teaser" may exist on account alice: no answer in 75 s. Run "herald plan" before trying again.',
  }),
  anOutcome({ name: 'Welcome series' }),
  anOutcome({
    outcome: 'failed',
    action: 'activate',
    name: 'Summer',
    live_id: '812',
    message: 'Answered 409.',
  }),
  anOutcome({ outcome: 'adopted', account: 'bob', live_id: '4712', message: 'Found after a lost answer.' }),
  anOutcome({ outcome: 'unchanged', action: 'keep', name: 'Winter' }),
  anOutcome({ outcome: 'unchanged', action: 'unmanaged', name: 'Of a person' }),
  anOutcome({
    outcome: 'not_attempted',
    action: 'pause',
    account: 'bob',
    name: 'Trial',
    message: 'Stopped.',
  }),
]);

describe('the report of an apply', () => {
  test('has a line for each outcome, failures and unknowns last with what to look at, then the counts', () => {
    expect(renderApplyText(MIXED, PLAIN)).toBe(
      `✓ applied create campaign "Welcome series" (4711) on alice
= adopted create campaign "Welcome series" (4712) on bob  Found after a lost answer.
- not sent pause campaign "Trial" (4711) on bob  Stopped.

✗ FAILED activate campaign "Summer" (812) on alice
    Answered 409.
? UNKNOWN create broadcast "Teaser" on alice
    Broadcast "Teaser" may exist on account alice: no answer in 75 s. Run "herald plan" before trying again.

1 applied, 1 adopted, 1 not attempted, 1 failed, 1 unknown; 1 unchanged, 1 unmanaged.
`,
    );
  });

  test('has one line for equal outcomes of many accounts, and one each for the others', () => {
    const accounts = Array.from({ length: 40 }, (_, index) => `acc${String(index).padStart(2, '0')}`);
    const blocked = { outcome: 'not_attempted', action: 'blocked', name: 'Old', live_id: null } as const;
    const report = aReport([
      ...accounts.map((account, index) => anOutcome({ account, name: 'Welcome', live_id: String(index) })),
      ...accounts.slice(0, 6).map((account) =>
        anOutcome({
          ...blocked,
          account,
          message: `To see it: herald campaigns list --account ${account}.`,
        }),
      ),
      ...accounts.slice(0, 5).map((account) => anOutcome({ account, name: 'Few', live_id: '7' })),
    ]);
    const lines = renderApplyText(report, { ...PLAIN, width: 200 }).split('\n');
    expect(lines[0]).toMatch(/^✓ applied create campaign "Welcome" on 40 accounts: acc00 … acc39$/);
    expect(lines.filter((line) => line.includes('"Few"'))).toHaveLength(5);
    expect(lines.find((line) => line.startsWith('! blocked'))).toMatch(
      /campaign "Old" on 6 accounts: acc00, .*acc05 {2}To see it: herald campaigns list --account <account>\.$/,
    );
    expect(lines.at(-2)).toBe('45 applied, 6 blocked.');
  });

  describe('ends with what to do next', () => {
    const AGAIN = { command: 'herald apply', same: 'herald apply --exclude bob/*' };
    const endOf = (...outcomes: readonly Parameters<typeof anOutcome>[0][]) =>
      renderApplyText(aReport(outcomes.map((parts) => anOutcome(parts))), PLAIN, AGAIN)
        .split('\n\n')
        .at(-1);
    const blocked = { outcome: 'not_attempted', action: 'blocked' } as const;

    test('nothing, if all is done', () => {
      expect(endOf({}, { outcome: 'unchanged', action: 'keep', name: 'Winter' })).toBe(
        '1 applied; 1 unchanged.\n',
      );
    });

    test('the command that allows what is blocked, for each set of allowances', () => {
      expect(
        endOf(
          { ...blocked, name: "It's", needs: ['resume'] },
          { ...blocked, name: 'Summer', needs: ['adopt', 'resume'] },
          { ...blocked, name: 'Winter', needs: ['resume'] },
          { ...blocked, name: 'Stuck' },
        ),
      ).toBe(`4 blocked.
Do what the messages say. Then, to go on:
  herald apply --exclude bob/*
To allow 2 blocked changes:
  herald apply --allow resume --target 'alice/campaign/It'\\''s' --target alice/campaign/Winter
To allow the blocked change:
  herald apply --allow adopt --allow resume --target alice/campaign/Summer
`);
    });

    test.each([
      ['unknown', 'To find out what happened, and to finish it:'],
      ['failed', 'Do what the messages say. Then, to go on:'],
      ['missed', 'Do what the messages say. Then, to go on:'],
      ['not_attempted', 'Do what the messages say. Then, to go on:'],
    ] as const)('the command for what is %s', (outcome, words) => {
      const end = endOf({ outcome }) ?? '';
      expect(end).toContain(`${words}\n  herald apply --exclude bob/*\n`);
    });

    test('a pattern in place of addresses that are too many to read', () => {
      const many = Array.from({ length: 11 }, (_, index) => ({
        ...blocked,
        name: `N${index}`,
        needs: ['adopt' as const],
      }));
      expect(endOf(...many)).toContain('\n  herald apply --allow adopt --target PATTERN\n');
    });
  });

  test('says so when nothing was changed', () => {
    const report = aReport([anOutcome({ outcome: 'unchanged' })]);
    expect(renderApplyText(report, PLAIN)).toBe('No changes: 1 unchanged.\n');
    expect(renderApplyText(aReport([]), PLAIN)).toBe('No changes.\n');
  });

  test.each([40, 80, 200])('keeps every word within %i columns', (width) => {
    const text = renderApplyText(MIXED, { ...PLAIN, width });
    for (const line of text.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(width);
    expect(text.replace(/\s+/g, ' ')).toContain('alice: no answer in 75 s. Run "herald plan" before');
  });

  test('has one blank line between its sections, however wide the terminal is', () => {
    for (let width = 24; width < 80; width += 1)
      expect(renderApplyText(MIXED, { ...PLAIN, width }).split('\n\n')).toHaveLength(3);
  });
});

const request = { entry: 'run-1', who: 'mia', name: 'Other', command: 'campaigns pause' } as RequestRow;
const hindered = (kind: Hindrance['kind']): Reason => ({
  kind: 'hindered',
  hindrance: kind === 'lease-lost' || kind === 'ended' ? { kind } : { kind, request },
});

function describeOne(reason: Reason, again?: Again): string {
  const results = [
    { change: aChange({ name: 'Welcome' }), outcome: 'failed' as const, liveId: '7', reasons: [reason] },
  ];
  return describeResults(results, again && (() => again)).outcomes[0]?.message ?? '';
}

const byHand = (command: string): Again => ({ kind: 'by-hand', command });

const PLAN = 'To see what is live now: herald plan.';
const APPLY = 'To go on: herald apply.';

describe('a reason has its sentence and the next command', () => {
  test.each<[Reason, string]>([
    [hindered('lease-lost'), `Another run has the lease of the state, so nothing more was sent. ${APPLY}`],
    [
      hindered('stopped-by-hand'),
      'mia stopped it with "campaigns pause" meanwhile, so it does not run. To start it: herald apply --target alice/campaign/Welcome --allow resume.',
    ],
    [
      hindered('open-start'),
      `An earlier start of "Other", which has its content, has no answer yet (run-1). ${APPLY}`,
    ],
    [
      hindered('open-stop'),
      `An earlier stop of it has no answer yet (run-1), and could undo this start. ${APPLY}`,
    ],
    [hindered('ended'), `It was closed meanwhile. ${PLAN}`],
    [{ kind: 'unread', message: 'answered 500', isDenied: false }, `cannot be read: answered 500. ${APPLY}`],
    [
      { kind: 'list-changed', ids: ['8', '9'] },
      `8, 9 appeared with this name or has another status since the plan was made`,
    ],
    [
      { kind: 'not-shown', id: '7', status: null },
      `7 reads as no status, although the service confirmed the change.`,
    ],
    [{ kind: 'not-agreed' }, `What is left to do is not what was agreed to, so it was not done. ${PLAN}`],
    [
      { kind: 'bug', message: 'x' },
      `Herald itself failed during this change: x. Check it on the service. ${PLAN}`,
    ],
    [{ kind: 'start-open' }, 'To see it: herald campaigns list --account alice.'],
    [
      { kind: 'needs-again', action: 'pause', id: '7', status: 'active' },
      `By now 7 is active, and "pause" would be`,
    ],
    [{ kind: 'had-begun', id: '7', percent: 40 }, '7 had begun to go out before it was paused (40 % done).'],
    [
      { kind: 'left', id: '7', isPaused: true },
      'To send the rest: herald broadcasts resume 7 --account alice.',
    ],
    [
      { kind: 'left', id: '7', isPaused: false },
      'To stop it now: herald broadcasts pause 7 --account alice.',
    ],
    [
      { kind: 'unclear', ids: ['8', '9'], entry: 'run-1' },
      'To stop one: herald campaigns pause 8 --account alice. After that, or to keep one: herald state close run-1',
    ],
    [
      { kind: 'differs', id: '7', what: 'status', was: null, is: 'active' },
      `7 was without a status when the plan was made and is active now. It was not changed. ${PLAN}`,
    ],
    [
      { kind: 'differs', id: '7', what: 'content', was: null, is: null },
      `7 was edited after the plan was made. It was not changed. ${PLAN}`,
    ],
    [{ kind: 'new-is-live', id: '8', oldId: '7' }, 'and the old one 7 runs as well, so fans could get both.'],
    [
      { kind: 'old-stays-paused', id: '7', because: { kind: 'interrupted' } },
      'Herald paused the old version 7, and did not start it again. The run was interrupted before it began.',
    ],
  ])('%j', (reason, words) => {
    expect(describeOne(reason)).toContain(words);
  });

  test('that is the command itself where a person made the change by hand', () => {
    expect(describeOne(hindered('lease-lost'), byHand('herald campaigns activate 7'))).toContain(
      'To try it again: herald campaigns activate 7.',
    );
    expect(
      describeOne({ kind: 'differs', id: '7', what: 'hour', was: 'a', is: null }, byHand('herald x')),
    ).toContain(
      '7 was a when the plan was made and is without an hour now. It was not changed. To see what is live now: herald campaigns list --account alice.',
    );
  });

  const silence = {
    what: 'no answer',
    method: 'POST',
    url: 'https://api.example',
  } as ServiceError['problem'];
  test.each<Reason>([
    { kind: 'lost-twice' },
    { kind: 'interrupted' },
    hindered('open-stop'),
    hindered('stopped-by-hand'),
    { kind: 'no-answer', operation: 'campaigns.create', problem: silence },
  ])('that is never an apply at the desk of a reader, in a job: %j', (reason) => {
    const words = describeOne(reason, { kind: 'job', commit: '0123456789abcdef' });
    expect(words).not.toContain('herald apply');
    if (reason.kind !== 'hindered' || reason.hindrance.kind === 'open-stop')
      expect(words).toContain('the apply job of 0123456789ab');
  });

  test('that has the limits of the run', () => {
    const again = { kind: 'apply', command: 'herald apply --target x' } as const;
    expect(describeOne({ kind: 'interrupted' }, again)).toContain('To go on: herald apply --target x.');
  });
});
