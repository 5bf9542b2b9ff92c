import { expect, it } from 'vitest';
import { chooseFileName } from '../../src/import/draft.ts';

it.each([
  ['Welcome series', 'welcome-series'],
  ['Ünïcode & Co.', 'unicode-co'],
  ['😀', 'campaign'],
  ['../../etc/passwd', 'etc-passwd'],
])('makes the file name of %j', (name, slug) => {
  expect(chooseFileName(name, 'campaign')).toBe(slug);
});
