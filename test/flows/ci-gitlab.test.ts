import { afterEach, describe, expect, it, vi } from 'vitest';
import { readMarker } from '../../src/ci/comment.ts';
import { gitLabSite } from '../helpers/ci-site.ts';
import { AFTER, BEFORE } from '../helpers/ci-files.ts';
import { CiStory, ID } from '../helpers/ci-story.ts';
import { createsSent, outcomes, writesSent } from '../helpers/flows.ts';
import { WORKSPACE } from '../helpers/scene.ts';
import { ANA, BO, type Pull } from '../provider/world.ts';

// Each test runs several jobs against a local server.
vi.setConfig({ testTimeout: 60_000 });

let story: CiStory;
afterEach(() => story.provider.close());

async function planned(workspace = WORKSPACE): Promise<Pull> {
  story = await CiStory.begin(BEFORE, workspace, gitLabSite);
  return story.planned(AFTER);
}

/** A merge request was planned and merged, and the pipeline of its push begins. */
async function merged(how: 'merge' | 'squash' = 'merge'): Promise<Pull> {
  const pull = await planned();
  story.merge(pull, AFTER, how);
  story.pushed();
  return pull;
}

describe('herald ci apply on GitLab', () => {
  it.each(['merge', 'squash'] as const)('applies what was reviewed, after a %s', async (how) => {
    const pull = await merged(how);
    const run = await story.apply();
    expect([run.code, outcomes(run)]).toEqual([0, ['replace applied']]);
    const [note = '', ...others] = story.commentsOf(pull);
    expect(others).toEqual([]);
    const id = run.report.outcomes.find(({ outcome }) => outcome === 'applied')?.live_id;
    expect(note).toContain(`| applied | replace | <code>alice/campaign/Two</code> | ${id ?? '?'} |`);
    expect(readMarker(ID, note)?.head).toBe(pull.head);
  });

  it('applies a fast-forward, for which GitLab names no commit of the merge', async () => {
    const pull = await planned();
    story.fastForward(pull);
    story.pushed();
    const run = await story.apply();
    expect([run.code, outcomes(run)]).toEqual([0, ['replace applied']]);
    expect(story.commentsOf(pull)[0]).toContain('### Applied at');
  });

  it('refuses a branch that was rebased after its plan, because no one planned that commit', async () => {
    const pull = await planned();
    story.merge(pull, AFTER, 'rebase');
    story.pushed();
    const ran = await story.applied();
    expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining('was made for')]);
    expect(await createsSent(story.scene)).toBe(2);
  });

  it('may be repeated', async () => {
    const pull = await merged();
    await story.apply();
    const sent = await writesSent(story.scene);
    const again = await story.apply();
    expect([again.code, again.report.already_done?.length]).toEqual([0, 1]);
    expect(await writesSent(story.scene)).toEqual(sent);
    const [note = ''] = story.commentsOf(pull);
    expect(note.split('### Applied at')).toHaveLength(2);
    expect(note).toContain('| already done | replace |');
  });

  it('holds back what someone changed by hand, and writes a second note about it', async () => {
    const pull = await merged();
    await story.scene.service((control, world) => {
      control.now();
      const all = Object.values(world.accounts['101']?.campaigns ?? {});
      const two = all.find(({ live }) => live.name === 'Two');
      Object.assign(two?.live.messages[0] ?? {}, { text: 'By hand' });
    });
    const run = await story.apply();
    expect([run.code, outcomes(run)]).toEqual([5, ['blocked not_attempted']]);
    const [note = '', left = ''] = story.commentsOf(pull);
    expect(note).toContain('| not applied | blocked |');
    expect(left).toContain('Not as reviewed: Herald would replace it.');
    await story.apply();
    expect(story.commentsOf(pull)).toHaveLength(2);
  });

  it('refuses a push that no merge request has, unless that is allowed', async () => {
    story = await CiStory.begin(BEFORE, WORKSPACE, gitLabSite);
    story.commit(AFTER);
    story.pushed();
    const ran = await story.applied();
    expect([ran.code, ran.stderr]).toEqual([
      5,
      expect.stringContaining('No merged pull request has the commit'),
    ]);
    const run = await story.apply('--allow-unreviewed');
    expect([run.code, outcomes(run)]).toEqual([0, ['replace applied']]);
  });

  it('takes the fingerprints of the note if the artifact has expired', async () => {
    await merged();
    for (const artifact of story.provider.world.artifacts) artifact.isExpired = true;
    const run = await story.apply();
    expect([run.code, outcomes(run)]).toEqual([0, ['replace applied']]);
    expect(run.stderr).toContain('Using the fingerprints of the comment');
  });

  it('does not read a note that another person wrote', async () => {
    await merged();
    const [own] = story.provider.world.comments.splice(0);
    story.provider.world.comment({ number: own?.pull ?? 0 }, ANA, own?.body ?? '');
    const ran = await story.applied();
    expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining('has no comment with a plan')]);
  });

  it('refuses a plan of another version, and says how to make a new one', async () => {
    await merged();
    const [artifact] = story.provider.world.artifacts.splice(0);
    const [path = '', bytes = ''] =
      Object.entries(artifact?.files ?? {}).find(([name]) => name.endsWith('plan.json')) ?? [];
    const later = Buffer.from(bytes).toString().replace('herald/saved-plan/', 'herald/saved-plan/9');
    story.provider.world.upload(artifact?.run ?? '', artifact?.name ?? '', { [path]: later });
    const ran = await story.applied();
    expect([ran.code, await createsSent(story.scene)]).toEqual([1, 2]);
    expect(ran.stderr).toContain('version of Herald');
  });

  it('applies although the discussion is locked, and says what could not be posted and what to do', async () => {
    const pull = await merged();
    await story.scene.service((control, world) => {
      control.now();
      const all = Object.values(world.accounts['101']?.campaigns ?? {});
      const two = all.find(({ live }) => live.name === 'Two');
      Object.assign(two?.live.messages[0] ?? {}, { text: 'By hand' });
    });
    pull.isLocked = true;
    const ran = await story.applied();
    expect(ran.code).toBe(5);
    expect(ran.stderr).toMatch(/could not be posted to pull request \d+: .*Unlock the conversation/);
  });

  it('sends nothing if the token was revoked before, and says to make a new one', async () => {
    await merged();
    story.provider.world.revoke('bot-token');
    const ran = await story.applied();
    expect([ran.code, await createsSent(story.scene)]).toEqual([1, 2]);
    expect(ran.stderr).toContain('Make a new token');
  });

  it('asks GitLab whether the merge request is approved', async () => {
    const pull = await planned(`${WORKSPACE}ci: { require_approval: all }\n`);
    story.merge(pull, AFTER);
    story.pushed();
    const ran = await story.applied();
    expect([ran.code, await createsSent(story.scene)]).toEqual([5, 2]);
    expect(ran.stderr).toContain(`Pull request ${pull.number} is not approved on GitLab.`);
    story.provider.world.review(pull, BO);
    expect((await story.apply()).code).toBe(0);
  });
});

describe('an unapproved merge request that is reverted', () => {
  it('is not applied by a repeated job after that, also once it is approved', async () => {
    const pull = await planned(`${WORKSPACE}ci: { require_approval: all }\n`);
    const merge = story.merge(pull, AFTER);
    story.pushed();
    expect((await story.applied()).code).toBe(5);
    const revert = await story.planned(BEFORE);
    story.merge(revert, BEFORE);
    story.pushed();
    const ran = await story.applied();
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('does not apply this any more')]);
    expect(story.commentsOf(pull)[1]).toContain('Changed again by a later pull request');

    story.provider.world.review(pull, BO);
    story.again(merge);
    const run = await story.apply();
    expect([run.code, outcomes(run)]).toEqual([5, ['blocked not_attempted']]);
    expect(await createsSent(story.scene)).toBe(2);
  });
});

describe('herald ci status on GitLab', () => {
  it('shows the merge request of the job', async () => {
    const pull = await merged();
    const ran = await story.scene.herald('ci', 'status', '--format', 'json');
    expect(ran.code, ran.stderr + ran.stdout).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      job: { provider: 'gitlab', repository: story.provider.world.repository },
      pull_request: { number: pull.number, state: 'merged' },
      review: { valid: true },
    });
  });
});
