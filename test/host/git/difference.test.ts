import { expect, it } from 'vitest';
import { aRepository } from '../../helpers/git-repository.ts';

const long = (first: string) => `${first}\n${'line\n'.repeat(20)}`;

/** A branch with a change of a.yaml, and a main branch that went on. */
function aBranch() {
  const origin = aRepository();
  origin.commit({ 'ads/a.yaml': long('a'), 'ads/b.yaml': 'b', 'README.md': 'r' });
  origin.git('checkout', '--quiet', '-b', 'change');
  const first = origin.commit({ 'ads/a.yaml': long('changed') });
  origin.git('checkout', '--quiet', 'main');
  const main = origin.commit({ 'ads/b.yaml': 'b2', 'README.md': 'r2' });
  origin.git('checkout', '--quiet', 'change');
  return { origin, first, main };
}

it('names the files of the workspace that differ, and no others', async () => {
  const { origin, first, main } = aBranch();
  const repository = await origin.open('ads');
  expect(await repository.differenceOf(first, first)).toBe('');
  const difference = await repository.differenceOf(first, main);
  expect([...difference.matchAll(/[\w./]+\.\w+/g)].map(([path]) => path)).toEqual([
    'ads/a.yaml',
    'ads/b.yaml',
  ]);
});

it('tells two changes of the same file apart', async () => {
  const { origin, first } = aBranch();
  const repository = await origin.open('ads');
  const second = origin.commit({ 'ads/a.yaml': long('changed again') });
  const base = (await repository.mergeBase('main', first)) ?? '';
  expect(await repository.differenceOf(base, first)).not.toBe(await repository.differenceOf(base, second));
});
