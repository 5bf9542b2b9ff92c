import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { renderApplyText } from '../../src/render/report-text.ts';
import { anOutcome, aReport } from '../helpers/plan-builders.ts';

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
