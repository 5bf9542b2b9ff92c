import { afterEach, describe, expect, it } from 'vitest';
import { files, named } from '../helpers/ci-files.ts';
import { CiStory } from '../helpers/ci-story.ts';
import { messages, outcomes, writesSent } from '../helpers/flows.ts';
import { WORKSPACE } from '../helpers/scene.ts';

let story: CiStory;
afterEach(() => story.provider.close());

const ONE = files(named('One'));
const BOTH = files(named('One'), named('Two'));

/** Merges a change and applies it; answers its commit. */
async function mergedAndApplied(tree: Readonly<Record<string, string>>): Promise<string> {
  const commit = story.merge(await story.planned(tree), tree);
  story.pushed();
  expect((await story.apply()).code).toBe(0);
  return commit;
}

describe('the apply job of an earlier merge, run again after a later merge was applied,', () => {
  it.each([
    ['removed the campaign', ONE, 'Herald would activate it. It was reviewed as create'],
    ['changed its text', files(named('One'), named('Two', 'Newer')), 'Herald would replace it'],
  ])('brings nothing back if the later one %s', async (_title, later, words) => {
    story = await CiStory.begin(ONE, `${WORKSPACE}allow: [prune, large]\n`);
    const first = await mergedAndApplied(BOTH);
    await mergedAndApplied(later);
    const sent = await writesSent(story.scene);
    story.again(first);
    const run = await story.apply();
    expect([run.code, outcomes(run)]).toEqual([5, ['blocked not_attempted']]);
    expect(messages(run)).toContain(words);
    expect(await writesSent(story.scene)).toEqual(sent);
  });
});
