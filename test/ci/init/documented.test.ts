import { expect, it } from 'vitest';
import { ciFile } from '../../../src/ci/init/file.ts';
import { aCi } from './variants.ts';

it.each([
  ['github', 'herald.yml'],
  ['gitlab', 'gitlab-ci.yml'],
] as const)('the guide shows what ci init writes for %s', async (provider, name) => {
  const file = ciFile(provider, aCi(), null);
  const text = file.kind === 'text' ? file.text : file.reason;
  await expect(text).toMatchFileSnapshot(`../../../docs/guides/ci/${name}`);
});
