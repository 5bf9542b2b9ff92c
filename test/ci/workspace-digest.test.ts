import { expect, it } from 'vitest';
import { planArtifact, workspaceDigest } from '../../src/ci/workspace-digest.ts';

it('tells the workspaces of a repository apart, in letters that any name may have', () => {
  const folders = ['', 'ads', 'ads/eu', 'ads-eu', 'Ads', 'höhe'];
  expect(new Set(folders.map(workspaceDigest)).size).toBe(folders.length);
  for (const folder of folders) {
    expect(workspaceDigest(folder)).toMatch(/^[0-9a-f]{12}$/);
    expect(planArtifact(folder)).toBe(`herald-plan-${workspaceDigest(folder)}`);
  }
});
