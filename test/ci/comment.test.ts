import { describe, expect, it } from 'vitest';
import {
  markerLine,
  markerStart,
  planArtifact,
  planComment,
  type PlanReport,
  readMarker,
  type ReviewMarker,
  workspaceDigest,
} from '../../src/ci/comment.ts';
import { NO_JOB } from '../../src/provider/job.ts';
import { anyText, fc, runs } from '../helpers/properties.ts';

const WORKSPACE = '0123456789ab';

const aMarker = (more: Partial<ReviewMarker> = {}): ReviewMarker => ({
  schema: 'herald/ci/1',
  run: '77',
  artifact: 'herald-plan-0123456789ab',
  plan: `sha256:${'a'.repeat(64)}`,
  head: 'h1',
  version: '1.2.3',
  ...more,
});

describe('the marker of a comment', () => {
  it('is read as it was written, and is one line that ends only at its end', () => {
    fc.assert(
      fc.property(anyText(), (artifact) => {
        const marker = aMarker({ artifact });
        const line = markerLine(WORKSPACE, marker);
        expect(line).toMatch(/^<!-- herald:0123456789ab [\w-]+ -->$/);
        expect(readMarker(WORKSPACE, `${line}\nrest`)).toEqual(marker);
      }),
      runs(10),
    );
  });

  it.each([
    ['of another workspace', markerLine('ffffffffffff', aMarker())],
    ['that is not at the beginning', `\n${markerLine(WORKSPACE, aMarker())}`],
    ['that is not JSON', `${markerStart(WORKSPACE)}bm90IGpzb24 -->`],
    [
      'of another schema',
      `${markerStart(WORKSPACE)}${Buffer.from('{"schema":"x"}').toString('base64url')} -->`,
    ],
    ['without an end', markerLine(WORKSPACE, aMarker()).slice(0, -3)],
    ['in an empty comment', ''],
  ])('is not read from one %s', (_title, body) => {
    expect(readMarker(WORKSPACE, body)).toBeNull();
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
    expect(readMarker(workspaceDigest(''), body)).toMatchObject({
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
