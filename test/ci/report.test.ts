import { describe, expect, it } from 'vitest';
import type { ApplyReport } from '../../src/domain/change.ts';
import { HOSTILE } from '../render/forgery.ts';
import { anOutcome, aReport } from '../helpers/plan-builders.ts';
import { reportApplied } from '../../src/ci/report.ts';

const APPLIED = { name: 'Two', live_id: '12', message: 'Done.' };
const reportOf = (...parts: readonly Parameters<typeof anOutcome>[0][]) =>
  aReport(parts.map((one) => anOutcome({ ...APPLIED, ...one })));

/** The summary of the job, in at most so many bytes. */
async function drawSummary(report: ApplyReport, bytes: number): Promise<string> {
  const run = { provider: null, commit: 'c'.repeat(40), folder: '', url: 'https://ci/(1)' };
  const drawn: string[] = [];
  const ports = {
    say: () => undefined,
    summary: async (draw: (bytes: number) => string) => void drawn.push(draw(bytes)),
  };
  await reportApplied(ports, run, report, { pulls: [], isDone: true });
  return drawn.join('');
}

describe('the outcome of an apply', () => {
  it('is one table, with what needs a person first and why', async () => {
    const report = reportOf(
      {},
      { action: 'blocked', outcome: 'not_attempted', live_id: null, message: 'Why.' },
    );
    expect(await drawSummary(report, 9_000)).toBe(
      [
        '### 1 change was not applied at cccccccccccc by [this run](https://ci/%281%29)',
        '',
        '| outcome | change | resource | id | message |',
        '| --- | --- | --- | --- | --- |',
        '| blocked | blocked | <code>alice/campaign/Two</code> |  | Why. |',
        '| applied | create | <code>alice/campaign/Two</code> | 12 |  |',
      ].join('\n'),
    );
  });

  it('fits, and counts the rest', async () => {
    const report = reportOf(...Array.from({ length: 2_000 }, () => ({})));
    const text = await drawSummary(report, 10_000);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(10_000);
    expect(text).toMatch(/And 1\d\d\d more\.$/);
  });

  it.each(HOSTILE)('stays one row, whatever the name and the message are: %j', async (text) => {
    const report = reportOf({ name: text, outcome: 'failed', live_id: text, message: text });
    const lines = (await drawSummary(report, 60_000)).split('\n');
    expect(lines).toHaveLength(5);
    expect(lines[4]?.split('|')).toHaveLength(7);
    expect(lines[4]).not.toMatch(/<(?!\/?code>)|@\w/);
  });
});
