import { describe, expect, it } from 'vitest';
import {
  commentBody,
  markerLine,
  markerStart,
  planArtifact,
  readMarker,
  type CommentText,
  type ReviewMarker,
  workspaceDigest,
} from '../../src/ci/comment.ts';
import { anyText, fc, runs } from '../helpers/properties.ts';

const WORKSPACE = '0123456789ab';

const aMarker = (more: Partial<ReviewMarker> = {}): ReviewMarker => ({
  schema: 'herald/ci/1',
  run: '77',
  artifact: 'herald-plan-0123456789ab',
  plan: `sha256:${'a'.repeat(64)}`,
  head: 'h1',
  base: 'b1',
  changes: { 'alice/campaign/Welcome': [`sha256:${'b'.repeat(64)}`] },
  version: '1.2.3',
  ...more,
});

const aComment = (head: string, plan: string, more: Partial<CommentText> = {}): CommentText => ({
  workspace: WORKSPACE,
  marker: aMarker({ head }),
  notices: [],
  plan: () => plan,
  footer: `Planned for ${head}.`,
  summary: `1 to create, for ${head}`,
  ...more,
});

const PLACE = { bodyMax: 65_536, earlier: null };

describe('the marker of a comment', () => {
  it('is read as it was written, whatever the addresses are', () => {
    fc.assert(
      fc.property(anyText(), fc.array(fc.string()), (address, prints) => {
        const marker = aMarker({ changes: { [`a${address}`]: prints } });
        expect(readMarker(WORKSPACE, `${markerLine(WORKSPACE, marker)}\nrest`)).toEqual(marker);
      }),
      runs(10),
    );
  });

  it('is one line that ends only at its end', () => {
    const line = markerLine(WORKSPACE, aMarker({ changes: { '-->\n<!-- herald:x': [] } }));
    expect(line).toMatch(/^<!-- herald:0123456789ab [\w-]+ -->$/);
    expect(line.indexOf('-->')).toBe(line.length - 3);
  });

  it('leaves out changes that are too many, and keeps the rest', () => {
    const changes = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`alice/campaign/C${index}`, [`sha256:${'c'.repeat(64)}`]]),
    );
    const line = markerLine(WORKSPACE, aMarker({ changes }));
    expect(line.length).toBeLessThan(1_000);
    const read = readMarker(WORKSPACE, line);
    expect(read).not.toHaveProperty('changes');
    expect(read?.plan).toBe(aMarker().plan);
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

describe('the comment', () => {
  it('has the marker, notices, the plan and the footer in this order', () => {
    const body = commentBody(aComment('h1', 'PLAN', { notices: ['> Look at this.'] }), PLACE);
    expect(body.startsWith(markerStart(WORKSPACE))).toBe(true);
    const places = ['> Look at this.', 'PLAN', 'Planned for h1.'].map((part) => body.indexOf(part));
    expect(places).toEqual(places.toSorted((left, right) => left - right));
    expect(places).not.toContain(-1);
  });

  it('folds earlier plans away, the newest first', () => {
    const first = commentBody(aComment('h1', 'FIRST'), PLACE);
    const second = commentBody(aComment('h2', 'SECOND'), { ...PLACE, earlier: first });
    const third = commentBody(aComment('h3', 'THIRD'), { ...PLACE, earlier: second });
    expect(third.indexOf('THIRD')).toBeLessThan(third.indexOf('<details>'));
    expect(third).toMatch(
      /<summary>Earlier: 1 to create, for h2<\/summary>\n\nSECOND\n\n<\/details>[^]*for h1<\/summary>\n\nFIRST/,
    );
    expect(readMarker(WORKSPACE, third)?.head).toBe('h3');
  });

  it('does not fold the plan of a run that is repeated', () => {
    const first = commentBody(aComment('h1', 'FIRST'), PLACE);
    const again = commentBody(aComment('h1', 'AGAIN'), { ...PLACE, earlier: first });
    expect(again).not.toContain('FIRST');
    expect(again).not.toContain('<details>');
  });

  it('keeps a few earlier plans only', () => {
    let body: string | null = null;
    for (let index = 0; index < 20; index += 1)
      body = commentBody(aComment(`h${index}`, `TEXT ${index}.`), { ...PLACE, earlier: body });
    expect(body?.match(/Earlier: /g)?.length).toBe(5);
    expect(body).toContain('TEXT 14.');
  });

  it('never has more characters than the provider takes, and gives the plan most of them', () => {
    const large = (bytes: number) => 'é'.repeat(Math.floor(bytes / 2));
    const earlier = commentBody(aComment('h1', '', { plan: large }), PLACE);
    expect(Buffer.byteLength(earlier)).toBeLessThanOrEqual(PLACE.bodyMax);
    const given: number[] = [];
    const plan = (bytes: number) => (given.push(bytes), large(bytes));
    const body = commentBody(aComment('h2', '', { plan }), { ...PLACE, earlier });
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(PLACE.bodyMax);
    expect(given[0]).toBeGreaterThan(PLACE.bodyMax * 0.65);
    expect(body).toContain('Earlier: 1 to create, for h1');
  });

  it('replaces a comment that a person changed to something else', () => {
    const body = commentBody(aComment('h2', 'PLAN'), { ...PLACE, earlier: 'gone' });
    expect(body).toContain('PLAN');
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
