import { describe, expect, it } from 'vitest';
import { WorkspaceNames, type ReviewMarker } from '../../src/ci/workspace-names.ts';
import { anyText, fc, runs } from '../helpers/properties.ts';

const NAMES = new WorkspaceNames('ads/eu');

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
        const line = NAMES.writeMarker(marker);
        expect(line).toMatch(/^<!-- herald:[0-9a-f]{12} [\w-]+ -->$/);
        expect(NAMES.readMarker(`${line}\nrest`)).toEqual(marker);
      }),
      runs(10),
    );
  });

  it.each([
    ['of another workspace', new WorkspaceNames('ads/us').writeMarker(aMarker())],
    ['that is not at the beginning', `\n${NAMES.writeMarker(aMarker())}`],
    ['that is not JSON', `${NAMES.markerStart}bm90IGpzb24 -->`],
    ['of another schema', `${NAMES.markerStart}${Buffer.from('{"schema":"x"}').toString('base64url')} -->`],
    ['without an end', NAMES.writeMarker(aMarker()).slice(0, -3)],
    ['in an empty comment', ''],
  ])('is not read from one %s', (_title, body) => {
    expect(NAMES.readMarker(body)).toBeNull();
  });
});

it('tells the workspaces of a repository apart, in letters that any name may have', () => {
  const all = ['', 'ads', 'ads/eu', 'ads-eu', 'Ads', 'höhe'].map((folder) => new WorkspaceNames(folder));
  expect(new Set(all.map(({ digest }) => digest)).size).toBe(all.length);
  for (const { digest, artifact } of all) {
    expect(digest).toMatch(/^[0-9a-f]{12}$/);
    expect(artifact).toBe(`herald-plan-${digest}`);
  }
});
