import { describe, expect, it } from 'vitest';
import { endApplied } from '../../src/ci/report-outcome.ts';
import { OUTCOMES, type ApplyReport, type Outcome } from '../../src/domain/change.ts';
import { HOSTILE } from '../render/hostile.ts';

function aReport(...outcomes: readonly Partial<Outcome>[]): ApplyReport {
  const all = outcomes.map((one): Outcome => ({
    address: { account: 'alice', kind: 'campaign', name: 'Two' },
    action: 'create',
    outcome: 'applied',
    live_id: '12',
    message: 'Done.',
    ...one,
  }));
  const count = (kind: string) => all.filter(({ outcome }) => outcome === kind).length;
  const summary = Object.fromEntries(OUTCOMES.map((kind) => [kind, count(kind)]));
  return { schema: 'herald/apply/1', outcomes: all, summary: summary as ApplyReport['summary'] };
}

const RUN = { commit: 'c'.repeat(40), url: 'https://ci/(1)' };
const draw = (report: ApplyReport, bytes: number) =>
  endApplied(report, [], { run: RUN, isDone: true }).draw(bytes);

describe('the outcome of an apply', () => {
  it('is one table, with what needs a person first and why', () => {
    const report = aReport(
      {},
      { action: 'blocked', outcome: 'not_attempted', live_id: null, message: 'Why.' },
    );
    const end = endApplied(report, [], { run: RUN, isDone: false });
    expect(end.draw(9_000)).toBe(
      [
        '### 1 change was not applied at cccccccccccc by [this run](https://ci/%281%29)',
        '',
        '| outcome | change | resource | id | message |',
        '| --- | --- | --- | --- | --- |',
        '| blocked | blocked | <code>alice/campaign/Two</code> |  | Why. |',
        '| applied | create | <code>alice/campaign/Two</code> | 12 |  |',
      ].join('\n'),
    );
    expect(end.description).toBe('1 applied, 1 blocked.');
  });

  it('fits, and counts the rest', () => {
    const report = aReport(...Array.from({ length: 2_000 }, () => ({})));
    const text = draw(report, 10_000);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(10_000);
    expect(text).toMatch(/And 1\d\d\d more\.$/);
  });

  it.each(HOSTILE)('stays one row, whatever the name and the message are: %j', (text) => {
    const address = { account: 'alice', kind: 'campaign', name: text } as const;
    const report = aReport({ address, outcome: 'failed', live_id: text, message: text });
    const lines = draw(report, 60_000).split('\n');
    expect(lines).toHaveLength(5);
    expect(lines[4]?.split('|')).toHaveLength(7);
    expect(lines[4]).not.toMatch(/<(?!\/?code>)|@\w/);
  });
});
