import { expect, it } from 'vitest';
import { gitHubSite, gitLabSite } from './ci-site.ts';
import { CiStory, files, named } from './ci-story.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { messages, outcomes, writesSent } from '../helpers/flows.ts';
import { WORKSPACE } from '../helpers/scene.ts';

let story: CiStory;

type Tree = Readonly<Record<string, string>>;
const NONE = files(named('One'));
const CAMPAIGN = {
  on: files(named('One'), campaign({ name: 'Two' })),
  off: files(named('One'), campaign({ name: 'Two', status: 'paused' })),
};
const BROADCAST = {
  on: declaring({ campaigns: [named('One')], broadcasts: [broadcast()] }),
  off: declaring({ campaigns: [named('One')], broadcasts: [broadcast({ status: 'paused' })] }),
};

const SETTINGS = `${WORKSPACE}allow: [prune, large, resume]\n`;

async function begin(site = gitHubSite): Promise<void> {
  story = await CiStory.begin(NONE, SETTINGS, site);
}

async function merged(tree: Tree): Promise<string> {
  return story.merge(await story.planned(tree), tree);
}

async function mergedAndApplied(tree: Tree): Promise<string> {
  const commit = await merged(tree);
  story.pushed();
  expect((await story.apply()).code).toBe(0);
  return commit;
}

it.each([
  ['starts no campaign that a newer merge has paused', CAMPAIGN.off, CAMPAIGN.on, gitHubSite],
  ['pauses no broadcast that a newer merge has started', BROADCAST.on, BROADCAST.off, gitLabSite],
])('the apply job of an older merge that runs again %s', async (_what, first, second, site) => {
  await begin(site);
  await mergedAndApplied(first);
  const seven = await mergedAndApplied(second);
  await mergedAndApplied(first);
  const sent = await writesSent(story.scene);
  story.again(seven);
  const run = await story.apply();
  expect([run.code, outcomes(run)]).toEqual([5, ['blocked not_attempted']]);
  expect(messages(run)).toContain('Outdated: the tip of main, 00000000000');
  expect(messages(run)).toMatch(/herald plan --target alice\/(campaign\/Two|broadcast\/Teaser)/);
  expect(await writesSent(story.scene)).toEqual(sent);
});

it('a job of an older merge applies what the newer one leaves as it is', async () => {
  await begin();
  const seven = await merged(files(named('One'), named('Two')));
  await merged(files(named('One'), named('Two'), named('Three')));
  story.again(seven);
  const run = await story.apply();
  expect([run.code, outcomes(run)]).toEqual([0, ['create applied']]);
});
