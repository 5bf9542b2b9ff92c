import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { AFTER, BEFORE, files, named } from '../helpers/ci-files.ts';
import { CiStory, ID } from '../helpers/ci-story.ts';
import { createsSent, dieBefore, outcomes, statuses, writesSent } from '../helpers/flows.ts';
import { WORKSPACE } from '../helpers/scene.ts';
import { serveGitHub } from '../provider/github-server.ts';
import { ANA, BO, BOT, type MergeMethod, type Pull } from '../provider/world.ts';

// Each test runs several jobs against a local server.
vi.setConfig({ testTimeout: 120_000 });

/** The description of the provider is large, and read once. */
beforeAll(async () => (await serveGitHub()).close(), 120_000);

let story: CiStory;
afterEach(() => story.provider.close());

/** A pull request was planned and merged, and the job of its push begins. */
async function merged(how: MergeMethod = 'merge'): Promise<Pull> {
  story = await CiStory.begin(BEFORE);
  const pull = await story.planned(AFTER);
  story.merge(pull, AFTER, how);
  story.pushed();
  return pull;
}

describe('herald ci apply after a merge', () => {
  it.each(['merge', 'squash', 'rebase'] as const)('applies what was reviewed, after a %s', async (how) => {
    const pull = await merged(how);
    const run = await story.apply();
    expect([run.code, outcomes(run)]).toEqual([0, ['replace applied']]);
    const [comment = '', ...others] = story.commentsOf(pull);
    expect(others).toEqual([]);
    const id = run.report.outcomes.find(({ outcome }) => outcome === 'applied')?.live_id;
    expect(comment).toContain(`| applied | replace | <code>alice/campaign/Two</code> | ${id ?? '?'} |`);
    expect(comment.startsWith(`<!-- herald:${ID} `)).toBe(true);
    expect(story.scene.files.tree['summary.md']).toContain('### Applied at');
  });

  it('may be repeated', async () => {
    const pull = await merged();
    await story.apply();
    const sent = await writesSent(story.scene);
    const again = await story.apply();
    expect([again.code, again.report.already_done?.length]).toEqual([0, 1]);
    expect(await writesSent(story.scene)).toEqual(sent);
    const [comment = ''] = story.commentsOf(pull);
    expect(comment.split('### Applied at')).toHaveLength(2);
    expect(comment).toContain('| already done | replace |');
  });

  it('goes on where a killed job has stopped', async () => {
    await merged();
    let writes = 0;
    await dieBefore(story.scene, () => (writes += 1) >= 4, ['ci', 'apply', '--simulator']);
    const run = await story.apply();
    expect([run.code, await createsSent(story.scene)]).toEqual([0, 3]);
  });

  it('finishes what the killed job of an earlier merge has left', async () => {
    await merged();
    let writes = 0;
    await dieBefore(story.scene, () => (writes += 1) >= 4, ['ci', 'apply', '--simulator']);
    const both = files(named('One', 'Newer'), named('Two', 'New text'));
    const next = await story.planned(both);
    story.merge(next, both);
    story.pushed();
    const run = await story.apply();
    expect([run.code, await statuses(story.scene, 'campaign')]).toEqual([
      0,
      ['paused', 'paused', 'active', 'active'],
    ]);
    for (const pull of story.provider.world.pulls.values())
      expect(story.commentsOf(pull)[0]).toContain('### Applied at');
  });

  it('survives an unrelated merge, which it leaves alone', async () => {
    story = await CiStory.begin(BEFORE);
    const pull = await story.planned(AFTER);
    const third = files(named('One'), named('Two'), named('Three'));
    story.commit(third);
    const both = files(named('One'), named('Two', 'New text'), named('Three'));
    story.merge(pull, both);
    story.pushed();
    const run = await story.apply();
    expect([run.code, outcomes(run)]).toEqual([0, ['replace applied']]);
  });

  it('holds back what someone changed by hand, and comments why', async () => {
    const pull = await merged();
    await story.scene.service((control, world) => {
      control.now();
      const two = Object.values(world.accounts['101']?.campaigns ?? {}).find(
        ({ live }) => live.name === 'Two',
      );
      Object.assign(two?.live.messages[0] ?? {}, { text: 'By hand' });
    });
    const sent = await writesSent(story.scene);
    const run = await story.apply();
    expect([run.code, outcomes(run)]).toEqual([5, ['blocked not_attempted']]);
    expect(await writesSent(story.scene)).toEqual(sent);
    const [comment = '', left = ''] = story.commentsOf(pull);
    expect(comment).toContain('| not applied | blocked |');
    expect(left).toContain('1 change was not applied');
    expect(left).toContain('Not as reviewed: Herald would replace it.');
    expect(run.report.outcomes[0]?.unreviewed).toMatchObject({
      action: 'replace',
      fields: [{ path: 'live messages[0].text', old: 'I am Two', new: 'By hand' }],
    });
    await story.apply();
    expect(story.commentsOf(pull)).toHaveLength(2);
  });

  it('applies both pull requests of one push of a merge queue', async () => {
    story = await CiStory.begin(BEFORE);
    const [first, second] = [
      await story.planned(files(named('One', 'New one'), named('Two'))),
      await story.planned(AFTER),
    ];
    const before = story.tip;
    story.merge(first, files(named('One', 'New one'), named('Two')));
    story.merge(second, files(named('One', 'New one'), named('Two', 'New text')));
    story.pushed({ before });
    const run = await story.apply();
    expect([run.code, outcomes(run)]).toEqual([0, ['replace applied', 'replace applied']]);
    for (const pull of [first, second]) expect(story.commentsOf(pull)[0]).toContain('### Applied at');
  });

  it('takes the fingerprints of the comment if the artifact has expired', async () => {
    await merged();
    for (const artifact of story.provider.world.artifacts) artifact.isExpired = true;
    const run = await story.apply();
    expect([run.code, outcomes(run)]).toEqual([0, ['replace applied']]);
    expect(run.stderr).toContain('Using the fingerprints of the comment');
  });

  it('needs the artifact if plans have to be signed', async () => {
    await merged();
    story.scene.env['HERALD_PLAN_KEY'] = 'a-key-of-thirty-two-characters!!';
    const unsigned = await story.applied();
    expect([unsigned.code, unsigned.stderr]).toEqual([5, expect.stringContaining('is not signed')]);
    for (const artifact of story.provider.world.artifacts) artifact.isExpired = true;
    const gone = await story.applied();
    expect([gone.code, await createsSent(story.scene)]).toEqual([1, 2]);
    expect(gone.stderr).not.toContain('Using the fingerprints');
  });

  it('refuses an artifact that is not the plan of the comment', async () => {
    await merged();
    const [artifact] = story.provider.world.artifacts.splice(0);
    story.checkOut(files(named('One'), named('Two', 'Slipped in')));
    await story.scene.herald('plan', '--out', 'other.json');
    const other = story.scene.files.tree['other.json'] ?? '';
    story.provider.world.upload(artifact?.run ?? '', artifact?.name ?? '', { 'herald-plan.json': other });
    const ran = await story.applied();
    expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining('has another plan than the comment')]);
    expect(await createsSent(story.scene)).toBe(2);
  });

  it('reports what it applied although the token was revoked meanwhile', async () => {
    await merged();
    story.provider.fail({
      method: 'PATCH',
      answer: { status: 401, body: { message: 'Bad credentials', status: '401' } },
    });
    const run = await story.apply();
    expect([run.code, outcomes(run)]).toEqual([0, ['replace applied']]);
    expect(run.stderr).toContain('The outcome could not be posted to pull request');
  });
});

describe('herald ci apply refuses', () => {
  interface Case {
    readonly title: string;
    readonly spoil: (pull: Pull) => unknown;
    readonly says: string;
  }
  it.each<Case>([
    {
      title: 'a push without a merge',
      spoil: (pull) => Object.assign(pull, { state: 'closed', mergeCommit: null }),
      says: 'No merged pull request has the commit',
    },
    {
      title: 'a pull request without a comment',
      spoil: () => story.provider.world.comments.splice(0),
      says: 'has no comment with a plan. Its plan job did not run, or someone deleted the comment.',
    },
    {
      title: 'a comment that someone else wrote',
      spoil: (pull) => {
        const [own] = story.provider.world.comments.splice(0);
        story.provider.world.comment(pull, ANA, own?.body ?? '');
      },
      says: 'has no comment with a plan',
    },
    {
      title: 'a comment that someone has changed',
      spoil: (pull) => {
        story.provider.world.comments.splice(0);
        story.provider.world.comment(pull, BOT, `<!-- herald:${ID} e30 -->\nx`);
      },
      says: 'was changed, or another version of Herald made it',
    },
    {
      title: 'a branch that was pushed with force after its plan',
      spoil: (pull) => story.provider.world.push(pull, 'f'.repeat(40)),
      says: 'was made for',
    },
    {
      title: 'two pull requests for one commit',
      spoil: (pull) => {
        const other = story.provider.world.open({ head: 'd'.repeat(40) });
        Object.assign(other, { state: 'merged', mergeCommit: pull.mergeCommit });
      },
      says: 'Herald does not guess',
    },
  ])('$title', async ({ spoil, says, title }) => {
    const pull = await merged(title.includes('force') ? 'squash' : 'merge');
    spoil(pull);
    const ran = await story.applied();
    expect(story.provider.world.statuses.at(-1)).toMatchObject({
      sha: story.tip,
      context: 'herald apply',
      state: 'failure',
      description: expect.stringMatching(/^not applied: /),
    });
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain(says);
    expect(ran.stderr).toContain('Nothing was changed.');
    expect(await createsSent(story.scene)).toBe(2);
  });

  it('a job of a pull request, and one of a merge queue', async () => {
    await merged();
    for (const event of ['pull_request', 'merge_group']) {
      story.pushed({ event });
      const ran = await story.applied('--allow-unreviewed');
      expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining('a change that is not merged')]);
    }
    expect(await createsSent(story.scene)).toBe(2);
  });

  it('what is not approved, and the status and the comment say so', async () => {
    const strict = `${WORKSPACE}ci: { require_approval: all }\n`;
    story = await CiStory.begin(BEFORE, strict);
    const pull = await story.planned(AFTER);
    story.merge(pull, AFTER);
    story.pushed();
    const ran = await story.applied();
    expect([ran.code, await createsSent(story.scene)]).toEqual([5, 2]);
    expect(ran.stderr).toContain('ci.require_approval is all');
    expect(story.commentsOf(pull)[1]).toContain('1 change was not applied at');
    expect(story.provider.world.statuses.at(-1)).toMatchObject({ sha: story.tip, state: 'failure' });
    story.provider.world.review(pull, BO);
    expect((await story.apply()).code).toBe(0);
    expect(story.commentsOf(pull)[1]).toContain('Everything is applied at');
    expect(story.provider.world.statuses.at(-1)).toMatchObject({
      sha: story.tip,
      context: 'herald apply',
      state: 'success',
      description: '1 applied',
    });
  });
});

describe('herald ci apply without a review', () => {
  it('applies everything with --allow-unreviewed', async () => {
    story = await CiStory.begin(BEFORE);
    story.commit(AFTER);
    story.pushed();
    expect((await story.applied()).code).toBe(5);
    const run = await story.apply('--allow-unreviewed');
    expect([run.code, outcomes(run)]).toEqual([0, ['replace applied']]);
    expect(run.stderr).toContain('Applied without a review, as --allow-unreviewed says.');
  });

  it('takes a plan that is named, also without a provider', async () => {
    story = await CiStory.begin(BEFORE);
    story.commit(AFTER);
    await story.scene.herald('plan', '--out', 'reviewed.json');
    story.pushed();
    expect((await story.applied('--provider', 'generic')).code).toBe(5);
    const run = await story.apply('--provider', 'generic', '--plan', 'reviewed.json');
    expect([run.code, outcomes(run)]).toEqual([0, ['replace applied']]);
  });

  it('refuses a named plan of a commit that is not in the history', async () => {
    story = await CiStory.begin(BEFORE);
    story.checkOut(AFTER);
    story.scene.env['CI_COMMIT_SHA'] = 'e'.repeat(40);
    await story.scene.herald('plan', '--out', 'other.json');
    story.commit(AFTER);
    story.pushed();
    const named = ['--provider', 'generic', '--plan', 'other.json'];
    const ran = await story.applied(...named);
    expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining('does not have in its history')]);
    expect((await story.apply(...named, '--allow-unreviewed')).code).toBe(0);
  });
});

describe('herald ci apply --plan after a merge', () => {
  const artifact = (run = 0) =>
    Buffer.from(story.provider.world.artifacts[run]?.files['herald-plan.json'] ?? '').toString();

  it('tells apart two pull requests that have the commit', async () => {
    const pull = await merged();
    const other = story.provider.world.open({ head: 'd'.repeat(40) });
    Object.assign(other, { state: 'merged', mergeCommit: pull.mergeCommit });
    story.scene.files.tree['herald-plan.json'] = artifact();
    const run = await story.apply('--plan', 'herald-plan.json');
    expect([run.code, outcomes(run)]).toEqual([0, ['replace applied']]);
    expect(story.commentsOf(pull)[0]).toContain('### Applied at');
  });

  it('refuses a plan that was not reviewed there, unless that is allowed', async () => {
    story = await CiStory.begin(BEFORE);
    await story.planned(AFTER);
    const next = files(named('One', 'Newer'), named('Two'));
    const pull = await story.planned(next);
    story.merge(pull, next);
    story.pushed();
    story.scene.files.tree['herald-plan.json'] = artifact();
    const ran = await story.applied('--plan', 'herald-plan.json');
    expect([ran.code, ran.stderr]).toEqual([
      5,
      expect.stringContaining(`is not the plan that was reviewed in pull request ${pull.number}`),
    ]);
    expect(story.commentsOf(pull)[1]).toContain('### Not applied at');
    const allowed = await story.applied('--plan', 'herald-plan.json', '--allow-unreviewed');
    expect([allowed.code, await createsSent(story.scene)]).toEqual([0, 2]);
  });

  it('refuses a plan for a push that no pull request has', async () => {
    story = await CiStory.begin(BEFORE);
    await story.planned(AFTER);
    story.commit(AFTER);
    story.pushed();
    story.scene.files.tree['herald-plan.json'] = artifact();
    const ran = await story.applied('--plan', 'herald-plan.json');
    expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining('was not reviewed in one')]);
  });
});
