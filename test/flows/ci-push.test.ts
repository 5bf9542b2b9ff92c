import { beforeAll, describe, expect, it } from 'vitest';
import { WorkspaceNames } from '../../src/ci/workspace-names.ts';
import { computeSeal } from '../../src/plan/saved.ts';
import { gitHubSite, gitLabSite } from './ci-site.ts';
import { CiStory, AFTER, BEFORE, files, named } from './ci-story.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { createsSent, liveOn, messages, outcomes, writesSent } from '../helpers/flows.ts';
import { WORKSPACE } from '../helpers/scene.ts';
import { serveGitHub } from '../provider/github-server.ts';

/** The description of the provider is large, and read once. */
beforeAll(async () => (await serveGitHub()).close(), 120_000);

let story: CiStory;

async function liveTexts(): Promise<readonly string[]> {
  const live = await liveOn(story.scene, '101', 'campaign');
  return live.filter(({ status }) => status === 'active').map(({ text }) => text ?? '');
}

it('herald ci apply refuses a push of more than 250, and names the rest', async () => {
  story = await CiStory.begin(BEFORE);
  const before = story.tip;
  const pull = await story.planned(AFTER);
  story.merge(pull, AFTER, 'squash');
  for (let commit = 0; commit < 250; commit += 1) story.commit(AFTER);
  story.pushed({ before });
  const ran = await story.applied();
  expect([ran.code, await createsSent(story.scene)]).toEqual([5, 2]);
  expect(ran.stderr).toContain('This push has more than 250 commits');
  expect(ran.stderr).toContain(
    `Not looked at: ${before.slice(0, 12)}..${(pull.mergeCommit ?? '').slice(0, 12)}.`,
  );
  expect(ran.stderr).toContain('herald apply plan.json');
  expect(story.provider.world.statuses.at(-1)).toMatchObject({ sha: story.tip, state: 'failure' });
  const run = await story.apply('--allow-unreviewed');
  expect([run.code, outcomes(run)]).toEqual([0, ['replace applied']]);
});

describe('herald ci apply for a push with a merge and a direct commit', () => {
  const BOTH = files(named('One', 'Direct'), named('Two', 'New text'));

  it.each(['after', 'before'] as const)(
    'applies what was reviewed, and reports the commit %s it, which was not',
    async (when) => {
      story = await CiStory.begin(BEFORE);
      const before = story.tip;
      const pull = await story.planned(AFTER);
      if (when === 'before') story.commit(files(named('One', 'Direct'), named('Two')));
      story.merge(pull, when === 'before' ? BOTH : AFTER);
      if (when === 'after') story.commit(BOTH);
      story.pushed({ before });
      const run = await story.apply();
      expect([run.code, outcomes(run).toSorted()]).toEqual([5, ['blocked not_attempted', 'replace applied']]);
      expect((await liveTexts()).toSorted()).toEqual(['I am One', 'New text']);
      expect(messages(run)).toContain('Not reviewed: Herald would replace it');
      expect(story.commentsOf(pull)[1]).toContain('1 change was not applied');
      expect(story.commentsOf(pull)[1]).toContain('<code>alice/campaign/One</code>');
      expect(story.provider.world.statuses.at(-1)).toMatchObject({ sha: story.tip, state: 'failure' });
    },
  );
});

it('a pull request that was merged before its last plan reports what the later commit changed, because no one reviewed that', async () => {
  story = await CiStory.begin(BEFORE);
  const pull = await story.planned(AFTER);
  const more = files(named('One', 'Later'), named('Two', 'New text'));
  const head = story.commit(more, [pull.head]);
  story.provider.world.push(pull, head);
  story.merge(pull, more);
  story.pushed({ before: pull.base });
  const run = await story.apply();
  expect([run.code, outcomes(run).toSorted()]).toEqual([5, ['blocked not_attempted', 'replace applied']]);
  expect(messages(run)).toContain('Not reviewed: Herald would replace it');
});

it('herald ci apply refuses an artifact with another plan than its fingerprint says', async () => {
  story = await CiStory.begin(BEFORE);
  const pull = await story.planned(AFTER);
  story.merge(pull, AFTER);
  await story.scene.herald('plan', '--out', 'other.json');
  const [artifact] = story.provider.world.artifacts.splice(0);
  const other = JSON.parse(story.scene.files.tree['other.json'] ?? '') as { plan: Record<string, unknown> };
  const marker = new WorkspaceNames('').readMarker(story.commentsOf(pull)[0] ?? '');
  Object.assign(other.plan, { fingerprint: marker?.plan, commit: { id: marker?.head }, changes: [] });
  const sealed = JSON.stringify({ ...other, digest: computeSeal(other) });
  story.provider.world.upload(artifact?.run ?? '', artifact?.name ?? '', { 'herald-plan.json': sealed });
  story.pushed();
  const ran = await story.applied();
  expect([ran.code, ran.stderr]).toEqual([
    5,
    expect.stringContaining('has another plan than the comment of'),
  ]);
});

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
