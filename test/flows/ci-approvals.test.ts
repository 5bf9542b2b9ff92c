import { describe, expect, it } from 'vitest';
import { CiStory, AFTER, BEFORE, files, named } from './ci-story.ts';
import { campaign } from '../helpers/declare-live.ts';
import { createsSent, outcomes, writesSent, expectEnd } from '../helpers/flows.ts';
import { WORKSPACE } from '../helpers/scene.ts';
import { ANA, BO, type Pull } from '../provider/world.ts';
import { WorkspaceNames } from '../../src/ci/workspace-names.ts';

let story: CiStory;

const STRICT = `${WORKSPACE}ci: { require_approval: all }\n`;
const THIRD = files(named('One'), named('Two'), named('Three'));

/** Ana has opened a pull request that changes Two, and its plan is in the comment. */
async function planned(after: Readonly<Record<string, string>> = AFTER, workspace = STRICT): Promise<Pull> {
  story = await CiStory.begin(BEFORE, workspace);
  return story.planned(after);
}

async function merged(pull: Pull, after: Readonly<Record<string, string>> = AFTER) {
  story.merge(pull, after);
  story.pushed();
  return story.applied();
}

describe('ci.require_approval', () => {
  it('sends nothing of a pull request that is not approved, and applies it once it is', async () => {
    const pull = await planned();
    const sent = await writesSent(story.scene);
    const ran = await merged(pull);
    const words = `Not approved, and ci.require_approval is all. Pull request ${pull.number} is not approved on GitHub. Let people approve it. Then run the apply job of ${story.tip.slice(0, 12)} again.`;
    expectEnd(ran, 5, words);
    expect(await writesSent(story.scene)).toEqual(sent);
    expect(story.commentsOf(pull)[1]).toContain('Not approved');
    story.provider.world.review(pull, BO);
    expect((await story.applied()).code).toBe(0);
    expect(story.commentsOf(pull)[1]).toContain('### Applied at');
  });

  it('holds for the pull request that removes it', async () => {
    const relaxed = { ...AFTER, 'herald.yaml': WORKSPACE };
    expectEnd(await merged(await planned(relaxed), relaxed), 5, 'ci.require_approval is all');
  });

  it('of irreversible blocks only what cannot be undone', async () => {
    const recall = campaign({ name: 'One', messages: [{ text: 'I am One' }], status: 'recalled' });
    const after = files(recall, named('Two', 'New text'));
    const workspace = `${WORKSPACE}ci: { require_approval: irreversible }\nallow: [recall]\n`;
    const pull = await planned(after, workspace);
    story.merge(pull, after);
    story.pushed();
    const run = await story.apply();
    expect([run.code, outcomes(run).toSorted()]).toEqual([5, ['blocked not_attempted', 'replace applied']]);
    expect(run.report.outcomes[0]).toMatchObject({
      message: expect.stringContaining('ci.require_approval is irreversible'),
      unapproved: { action: 'recall', fingerprint: expect.stringMatching(/^sha256:/) },
    });
    story.provider.world.review(pull, BO);
    const again = await story.apply();
    expect([again.code, outcomes(again)]).toEqual([0, ['recall applied']]);
  });

  it('asks each of two pull requests of one push for its own changes', async () => {
    const dear = await planned();
    const before = story.tip;
    const plain = await story.planned(files(named('One', 'New one'), named('Two')));
    story.provider.world.review(plain, BO);
    story.merge(dear, AFTER);
    story.merge(plain, files(named('One', 'New one'), named('Two', 'New text')));
    story.pushed({ before });
    const run = await story.apply();
    expect([run.code, outcomes(run)]).toEqual([5, ['replace applied', 'blocked not_attempted']]);
    expect(story.commentsOf(dear)[1]).toContain(`Pull request ${dear.number} is not approved`);
    expect(story.commentsOf(plain)[1]).toContain('| applied | replace | <code>alice/campaign/One</code>');
  });
});

describe('a base with a herald.yaml that cannot be read', () => {
  it('applies nothing if a link is in its place, and the plan says that nothing is compared', async () => {
    story = await CiStory.begin(BEFORE, WORKSPACE);
    story.commit(BEFORE, undefined, ['herald.yaml']);
    const pull = await story.planned(AFTER);
    expect(story.commentsOf(pull)[0]).toContain('settings and accounts of the workspace are not compared');
    const ran = await merged(pull);
    expect([ran.code, await createsSent(story.scene)]).toEqual([5, 2]);
    expect(ran.stderr).toContain('it, or a folder above it, is a link or a submodule. Nothing was applied.');
  });

  it.each([
    ['is not YAML', 'ci: ['],
    ['has an unknown key in ci', `${WORKSPACE}ci: { require_aproval: all }\n`],
    ['has another word there', `${WORKSPACE}ci: { require_approval: some }\n`],
  ])('applies nothing if it %s', async (_title, broken) => {
    story = await CiStory.begin(BEFORE, WORKSPACE);
    story.commit({ ...BEFORE, 'herald.yaml': broken });
    const repaired = { ...AFTER, 'herald.yaml': WORKSPACE };
    expectEnd(await merged(await story.planned(repaired), repaired), 5, 'not usable: it has errors');
    expect(await createsSent(story.scene)).toBe(2);
  });
});

describe('an approval', () => {
  it('cannot be borrowed by naming the artifact of another pull request', async () => {
    const dear = await planned();
    const before = story.tip;
    const plain = await story.planned(THIRD);
    story.provider.world.review(plain, BO);
    const [source] = story.provider.world.commentsOf(dear);
    const [target] = story.provider.world.commentsOf(plain);
    const stolen = new WorkspaceNames('').readMarker(source?.body ?? '');
    if (stolen === null || target === undefined) throw new Error('no marker');
    target.body = `${new WorkspaceNames('').writeMarker({ ...stolen, head: plain.head })}\nx`;
    story.merge(plain, THIRD);
    story.pushed({ before });
    expectEnd(await story.applied(), 5, 'has another plan than the comment');
    target.body = `${new WorkspaceNames('').writeMarker(stolen)}\nx`;
    expect((await story.applied()).code).toBe(5);
    expect(await createsSent(story.scene)).toBe(2);
  });

  it('that was taken back does not count, and GitHub decides who may give one', async () => {
    const pull = await planned();
    const { world } = story.provider;
    world.review(pull, BO);
    world.review(pull, BO, 'CHANGES_REQUESTED');
    expect((await merged(pull)).code).toBe(5);
    world.review(pull, ANA);
    expect((await story.applied()).code).toBe(0);
  });
});
