import { describe, expect, it } from 'vitest';
import type { ApplyReport } from '../../src/domain/change.ts';
import { NO_JOB } from '../../src/provider/job.ts';
import { HOSTILE } from '../render/forgery.ts';
import { anOutcome, aReport } from '../helpers/plan-builders.ts';
import { anyText, fc, runs } from '../helpers/properties.ts';
import {
  markerLine,
  markerStart,
  planArtifact,
  planComment,
  readMarker,
  reportApplied,
  workspaceDigest,
} from '../../src/ci/report.ts';
import type { PlanReport, ReviewMarker } from '../../src/ci/report.ts';

const FOLDER = 'ads/eu';

const aMarker = (more: Partial<ReviewMarker> = {}): ReviewMarker => ({
  schema: 'herald/ci/1',
  run: '77',
  plan: `sha256:${'a'.repeat(64)}`,
  head: 'h1',
  ...more,
});

describe('the marker of a comment', () => {
  it('is read as it was written, and is one line that ends only at its end', () => {
    fc.assert(
      fc.property(anyText(), (head) => {
        const marker = aMarker({ head });
        const line = markerLine(FOLDER, marker);
        expect(line).toMatch(/^<!-- herald:[0-9a-f]{12} [\w-]+ -->$/);
        expect(readMarker(FOLDER, `${line}\nrest`)).toEqual(marker);
      }),
      runs(10),
    );
  });

  it.each([
    ['of another workspace', markerLine('ads/us', aMarker())],
    ['that is not at the beginning', `\n${markerLine(FOLDER, aMarker())}`],
    ['that is not JSON', `${markerStart(FOLDER)}bm90IGpzb24 -->`],
    ['of another schema', `${markerStart(FOLDER)}${Buffer.from('{"schema":"x"}').toString('base64url')} -->`],
    ['without an end', markerLine(FOLDER, aMarker()).slice(0, -3)],
    ['in an empty comment', ''],
  ])('is not read from one %s', (_title, body) => {
    expect(readMarker(FOLDER, body)).toBeNull();
  });
});

const RUN = { job: NO_JOB, folder: '', version: '1.2.3', head: 'c'.repeat(40) };
const REPORT: PlanReport = {
  fingerprint: `sha256:${'a'.repeat(64)}`,
  state: 'success',
  counts: '1 to create',
  base: 'b'.repeat(40),
  notices: ['> Look at this.'],
  draw: () => 'PLAN',
};

describe('the comment of a plan', () => {
  it('has the marker, notices, the plan and where it is from, in this order', () => {
    const body = planComment(RUN, REPORT, 65_536);
    expect(readMarker('', body)).toMatchObject({
      plan: REPORT.fingerprint,
      head: RUN.head,
    });
    const footer = 'Planned for cccccccccccc, compared with bbbbbbbbbbbb.';
    const places = ['> Look at this.', 'PLAN', footer].map((part) => body.indexOf(part));
    expect(places).toEqual(places.toSorted((left, right) => left - right));
    expect(places).not.toContain(-1);
  });

  it('never has more characters than the provider takes, and gives the plan most of them', () => {
    const given: number[] = [];
    const draw = (bytes: number) => (given.push(bytes), 'é'.repeat(Math.floor(bytes / 2)));
    const body = planComment(RUN, { ...REPORT, draw }, 65_536);
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(65_536);
    expect(given[0]).toBeGreaterThan(65_536 * 0.9);
  });
});

it('tells the workspaces of a repository apart, in letters that any name may have', () => {
  const folders = ['', 'ads', 'ads/eu', 'ads-eu', 'Ads', 'höhe'];
  expect(new Set(folders.map(workspaceDigest)).size).toBe(folders.length);
  for (const folder of folders) {
    expect(workspaceDigest(folder)).toMatch(/^[0-9a-f]{12}$/);
    expect(planArtifact(folder)).toBe(`herald-plan-${workspaceDigest(folder)}`);
  }
});

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
