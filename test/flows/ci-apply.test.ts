import { describe, expect, it } from 'vitest';
import { gitHubSite, gitLabSite, SITES, type CiSite } from './ci-site.ts';
import { CiStory, ID, AFTER, BEFORE, files, named } from './ci-story.ts';
import { createsSent, dieBefore, editLive, outcomes, writesSent, expectEnd } from '../helpers/flows.ts';
import { WORKSPACE } from '../helpers/scene.ts';
import { ANA, BOT, type MergeMethod, type Pull } from '../provider/world.ts';

let story: CiStory;

/** A pull request was planned and merged, and the job of its push begins. */
async function merged(how: MergeMethod = 'merge', site: () => Promise<CiSite> = gitHubSite): Promise<Pull> {
  story = await CiStory.begin(BEFORE, WORKSPACE, site);
  const pull = await story.planned(AFTER);
  story.merge(pull, AFTER, how);
  story.pushed();
  return pull;
}

describe.each(SITES)('herald ci apply on %s', (_name, site) => {
  it.each(['merge', 'squash'] as const)('applies what was reviewed, after a %s', async (how) => {
    const pull = await merged(how, site);
    const [planned] = story.commentsOf(pull);
    const run = await story.apply();
    expect([run.code, outcomes(run)]).toEqual([0, ['replace applied']]);
    const [plan, outcome = '', ...others] = story.commentsOf(pull);
    expect([plan, others]).toEqual([planned, []]);
    const id = run.report.outcomes.find(({ outcome: what }) => what === 'applied')?.live_id;
    expect(outcome).toContain('### Applied at');
    expect(outcome).toContain(`| applied | replace | <code>alice/campaign/Two</code> | ${id ?? '?'} |`);
  });

  it('may be repeated, and goes on where a killed job has stopped', async () => {
    const pull = await merged('merge', site);
    let writes = 0;
    await dieBefore(story.scene, () => (writes += 1) >= 4, ['ci', 'apply', '--simulator']);
    expect((await story.apply()).code).toBe(0);
    const sent = await writesSent(story.scene);
    const again = await story.apply();
    expect([again.code, again.report.already_done?.length]).toEqual([0, 1]);
    expect([await writesSent(story.scene), await createsSent(story.scene)]).toEqual([sent, 3]);
    const [, outcome, ...others] = story.commentsOf(pull);
    expect(others).toEqual([]);
    expect(outcome).toContain('| already done | replace |');
  });

  it('holds back what someone changed by hand, and comments why', async () => {
    const pull = await merged('merge', site);
    await editLive(story.scene, 'campaign', { messages: [{ text: 'By hand' }] }, 'Two');
    const sent = await writesSent(story.scene);
    const run = await story.apply();
    expect([run.code, outcomes(run)]).toEqual([5, ['blocked not_attempted']]);
    expect(await writesSent(story.scene)).toEqual(sent);
    expect(story.commentsOf(pull)[1]).toContain('1 change was not applied');
    expect(story.commentsOf(pull)[1]).toContain('Not as reviewed: Herald would replace it.');
    expect(run.report.outcomes[0]?.unreviewed).toMatchObject({
      action: 'replace',
      fields: [{ path: 'messages[0].text', old: 'By hand' }],
    });
    await story.apply();
    expect(story.commentsOf(pull)).toHaveLength(2);
  });

  it.each([
    ['starts what a person stopped', 'allow: [resume]', 'activate applied', { status: 'paused' }],
    ['undoes a change', 'ci: { scope: all }', 'replace applied', { messages: [{ text: 'By hand' }] }],
  ])('%s after a merge that adds %s to herald.yaml', async (_what, setting, outcome, byHand) => {
    story = await CiStory.begin(BEFORE, WORKSPACE, site);
    story.scene.clock.move(60_000);
    await editLive(story.scene, 'campaign', byHand, 'Two');
    const changed = { ...BEFORE, 'herald.yaml': `${WORKSPACE}${setting}\n` };
    story.merge(await story.planned(changed), changed);
    story.pushed();
    const run = await story.apply();
    expect([run.code, outcomes(run)]).toEqual([0, [outcome]]);
  });

  it('applies everything of a push without a pull request only with --allow-unreviewed', async () => {
    story = await CiStory.begin(BEFORE, WORKSPACE, site);
    story.commit(AFTER);
    story.pushed();
    expectEnd(await story.applied(), 5, 'No pull request that was merged into main has the commit');
    const run = await story.apply('--allow-unreviewed');
    expect([run.code, outcomes(run)]).toEqual([0, ['replace applied']]);
    expect(run.stderr).toContain('Applied without a review, as --allow-unreviewed says.');
    expect(run.stderr).not.toContain('Nothing was changed');
  });

  it('refuses an artifact that is not the plan of the comment, and one of another version', async () => {
    await merged('merge', site);
    const { world } = story.provider;
    const [artifact] = world.artifacts.splice(0);
    const upload = (text: string) => {
      const path = site === gitHubSite ? 'herald-plan.json' : `${artifact?.name ?? ''}/herald-plan.json`;
      world.artifacts.splice(0);
      world.upload(artifact?.run ?? '', artifact?.name ?? '', { [path]: text });
    };
    story.checkOut(files(named('One'), named('Two', 'Slipped in')));
    await story.scene.herald('plan', '--out', 'other.json');
    const other = story.scene.files.tree['other.json'] ?? '';
    upload(other);
    expectEnd(await story.applied(), 5, 'has another plan than the comment');
    upload(other.replace('herald/saved-plan/', 'herald/saved-plan/9'));
    expectEnd(await story.applied(), 1, 'version of Herald');
    expect(await createsSent(story.scene)).toBe(2);
  });
});

describe('herald ci apply after a merge', () => {
  it('applies a fast-forward of GitLab, which names no commit of the merge', async () => {
    story = await CiStory.begin(BEFORE, WORKSPACE, gitLabSite);
    story.fastForward(await story.planned(AFTER));
    story.pushed();
    const run = await story.apply();
    expect([run.code, outcomes(run)]).toEqual([0, ['replace applied']]);
  });

  it('applies both pull requests of one push of a merge queue', async () => {
    story = await CiStory.begin(BEFORE);
    const one = files(named('One', 'New one'), named('Two'));
    const [first, second] = [await story.planned(one), await story.planned(AFTER)];
    const before = story.tip;
    story.merge(first, one);
    story.merge(second, files(named('One', 'New one'), named('Two', 'New text')));
    story.pushed({ before });
    const run = await story.apply();
    expect([run.code, outcomes(run)]).toEqual([0, ['replace applied', 'replace applied']]);
    const told = [first, second].map((pull) => story.commentsOf(pull)[1] ?? '');
    for (const text of told) expect(text.match(/\| applied \|/g)).toHaveLength(2);
  });
});

describe('herald ci apply of a pull request that was merged without a plan', () => {
  it.each<[string, (pull: Pull, own: string) => unknown]>([
    ['it has no comment, as from a fork', () => undefined],
    ['someone else wrote its comment', (pull, own) => story.provider.world.comment(pull, ANA, own)],
  ])('plans what it changed and blocks all of it, because %s', async (_why, comment) => {
    const pull = await merged();
    const [own] = story.provider.world.comments.splice(0);
    comment(pull, own?.body ?? '');
    const run = await story.apply();
    expect([run.code, outcomes(run)]).toEqual([5, ['blocked not_attempted']]);
    expect(run.stderr).toContain(`No plan: pull request ${pull.number}.`);
    expect(run.report.outcomes[0]?.unreviewed).toMatchObject({ action: 'replace' });
    expect(await createsSent(story.scene)).toBe(2);
    expect(story.commentsOf(pull).at(-1)).toContain('1 change was not applied');
    const allowed = await story.apply('--allow-unreviewed');
    expect([allowed.code, outcomes(allowed)]).toEqual([0, ['replace applied']]);
  });

  it('is done if it changes no resource, as an update of a package does', async () => {
    story = await CiStory.begin(BEFORE);
    const pull = story.provider.world.open({ head: 'f'.repeat(40), base: story.tip, isFork: true });
    story.merge(pull, BEFORE, 'squash');
    story.pushed();
    expect((await story.applied()).code).toBe(0);
  });
});

it.each<[string, (pull: Pull) => unknown, string]>([
  [
    'a comment that someone has changed',
    (pull) => {
      story.provider.world.comments.splice(0);
      story.provider.world.comment(pull, BOT, `<!-- herald:${ID} e30 -->\nx`);
    },
    'was changed, or another version of Herald made it',
  ],
  [
    'a branch that was pushed with force after its plan',
    (pull) => story.provider.world.push(pull, 'f'.repeat(40)),
    'was made for',
  ],
  [
    'two pull requests for one commit',
    ({ mergeCommit }) => {
      const other = story.provider.world.open({ head: 'd'.repeat(40) });
      Object.assign(other, { state: 'merged', mergeCommit });
    },
    'Herald does not guess',
  ],
  [
    'a pull request that went into another branch, where other people review',
    (pull) => Object.assign(pull, { baseBranch: 'drafts' }),
    'No pull request that was merged into main has the commit',
  ],
])('herald ci apply refuses: %s', async (title, spoil, says) => {
  const pull = await merged(title.includes('force') ? 'squash' : 'merge');
  spoil(pull);
  const ran = await story.applied();
  expect(story.provider.world.statuses.at(-1)).toMatchObject({
    sha: story.tip,
    context: 'herald apply',
    state: 'failure',
    description: expect.stringMatching(/^not applied: /),
  });
  expectEnd(ran, 5, says);
  expect(ran.stderr).toContain('Nothing was changed.');
  expect(await createsSent(story.scene)).toBe(2);
});

describe('herald ci apply --plan', () => {
  it('without a provider refuses a plan of a commit that is not in the history', async () => {
    story = await CiStory.begin(BEFORE);
    story.checkOut(AFTER);
    story.scene.env['CI_COMMIT_SHA'] = 'e'.repeat(40);
    await story.scene.herald('plan', '--out', 'other.json');
    story.commit(AFTER);
    story.pushed();
    const named = ['--provider', 'generic', '--plan', 'other.json'];
    expectEnd(await story.applied(...named), 5, 'was made for the commit eeeeeeeeeeee');
    expect((await story.apply(...named, '--allow-unreviewed')).code).toBe(0);
  });

  it('after a merge refuses a plan that was not reviewed there, unless that is allowed', async () => {
    story = await CiStory.begin(BEFORE);
    await story.planned(AFTER);
    const next = files(named('One', 'Newer'), named('Two'));
    const pull = await story.planned(next);
    story.merge(pull, next);
    story.pushed();
    const [first] = story.provider.world.artifacts;
    story.scene.files.tree['herald-plan.json'] = String(first?.files['herald-plan.json']);
    const ran = await story.applied('--plan', 'herald-plan.json');
    expectEnd(ran, 5, `is not the plan that was reviewed in pull request ${pull.number}`);
    expect(story.commentsOf(pull)[1]).toContain('### Not applied at');
    const allowed = await story.applied('--plan', 'herald-plan.json', '--allow-unreviewed');
    expect([allowed.code, await createsSent(story.scene)]).toEqual([0, 2]);
  });
});
