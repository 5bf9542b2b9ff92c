import { expect, it } from 'vitest';
import { sameAsHead } from '../../../src/ci/approvals/same-content.ts';
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

it.each([
  ['was merged in', (git: (...args: string[]) => string) => git('merge', '--quiet', '--no-edit', 'main')],
  ['is below it after a rebase', (git: (...args: string[]) => string) => git('rebase', '--quiet', 'main')],
])('an earlier commit changes the same as the head if only the base %s', async (_title, move) => {
  const { origin, first, main } = aBranch();
  move(origin.git);
  const head = origin.git('rev-parse', 'HEAD');
  expect(head).not.toBe(first);
  expect(await sameAsHead(await origin.open('ads'), { base: main, head }, [first])).toEqual(new Set([first]));
});

it('an earlier commit does not change the same if a merge of the base also edited something', async () => {
  const { origin, first, main } = aBranch();
  origin.git('merge', '--quiet', '--no-commit', 'main');
  const head = origin.commit({ 'ads/a.yaml': long('slipped in') });
  expect(await sameAsHead(await origin.open('ads'), { base: main, head }, [first])).toEqual(new Set());
});

it('an earlier commit does not change the same if the base changed the same file', async () => {
  const { origin, first } = aBranch();
  origin.git('checkout', '--quiet', 'main');
  const main = origin.commit({ 'ads/a.yaml': `${long('a')}end\n` });
  origin.git('checkout', '--quiet', 'change');
  origin.git('merge', '--quiet', '--no-edit', 'main');
  const head = origin.git('rev-parse', 'HEAD');
  expect(await sameAsHead(await origin.open('ads'), { base: main, head }, [first])).toEqual(new Set());
});

it('no earlier commit changes the same as a head that the base has already', async () => {
  const { origin, first } = aBranch();
  const head = origin.commit({ 'ads/a.yaml': long('changed again') });
  origin.git('checkout', '--quiet', 'main');
  origin.git('merge', '--quiet', '--no-edit', 'change');
  const base = origin.git('rev-parse', 'HEAD');
  expect(await sameAsHead(await origin.open('ads'), { base, head }, [first])).toEqual(new Set());
});
