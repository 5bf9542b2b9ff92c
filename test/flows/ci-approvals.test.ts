import { afterEach, describe, expect, it } from 'vitest';
import { markerLine, readMarker } from '../../src/ci/marker.ts';
import { AFTER, BEFORE, files, named } from '../helpers/ci-files.ts';
import { CiStory, ID } from '../helpers/ci-story.ts';
import { createsSent, outcomes, writesSent } from '../helpers/flows.ts';
import { WORKSPACE } from '../helpers/scene.ts';
import { ANA, BO, EVE, type Pull } from '../provider/world.ts';

let story: CiStory;
afterEach(() => story.provider.close());

const STRICT = `${WORKSPACE}policy: { approvals: [{ match: "*/campaign/Two", count: 1 }] }\n`;

/** Ana has opened a pull request that changes Two, and its plan is in the comment. */
async function planned(after: Readonly<Record<string, string>> = AFTER): Promise<Pull> {
  story = await CiStory.begin(BEFORE, STRICT);
  return story.planned(after);
}

async function merged(pull: Pull, after: Readonly<Record<string, string>> = AFTER) {
  story.merge(pull, after);
  story.pushed();
  return story.applied();
}

describe('approvals by address', () => {
  it('let through what another person approved', async () => {
    const pull = await planned();
    story.provider.world.review(pull, BO);
    story.merge(pull, AFTER);
    story.pushed();
    const run = await story.apply();
    expect([run.code, outcomes(run)]).toEqual([0, ['replace applied']]);
  });

  it.each([
    ['no one approved', () => undefined],
    ['only its author approved', (pull: Pull) => story.provider.world.review(pull, ANA)],
    ['the approval was dismissed', (pull: Pull) => story.provider.world.review(pull, BO, 'DISMISSED')],
    [
      'the reviewer asked for changes later',
      (pull: Pull) => {
        story.provider.world.review(pull, BO);
        story.provider.world.review(pull, BO, 'CHANGES_REQUESTED');
      },
    ],
    [
      'the reviewer approved another commit',
      (pull: Pull) => story.provider.world.review(pull, BO, 'APPROVED', 'f'.repeat(40)),
    ],
  ])('send nothing if %s, and say who can approve', async (_title, review) => {
    const pull = await planned();
    review(pull);
    const sent = await writesSent(story.scene);
    const ran = await merged(pull);
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain('alice/campaign/Two');
    expect(ran.stderr).toContain('Let 1 more approve the last commit');
    expect(await writesSent(story.scene)).toEqual(sent);
  });

  it('are those of the base, also if the pull request removes them', async () => {
    const relaxed = { ...AFTER, 'herald.yaml': WORKSPACE };
    const ran = await merged(await planned(relaxed), relaxed);
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain('policy.approvals asks for 1 approval');
  });

  it('hold only what a rule is about, and let the rest of the pull request through', async () => {
    const both = files(named('One', 'New one'), named('Two', 'New text'));
    const pull = await planned(both);
    story.merge(pull, both);
    story.pushed();
    const run = await story.apply();
    expect([run.code, outcomes(run)]).toEqual([5, ['replace applied', 'blocked not_attempted']]);
    expect(run.report.outcomes[1]).toMatchObject({
      message: expect.stringContaining('Let 1 more approve the last commit'),
      unapproved: { action: 'replace', fingerprint: expect.stringMatching(/^sha256:/) },
    });
    expect(story.commentsOf(pull)[1]).toContain('Not approved in pull request 1');
    story.provider.world.review(pull, BO);
    const again = await story.apply();
    expect([again.code, outcomes(again)]).toEqual([0, ['replace applied']]);
    expect(story.commentsOf(pull)[1]).toContain('Everything is applied at');
  });

  it('hold one of two pull requests of one push, and report to each its own outcome', async () => {
    const dear = await planned();
    const before = story.tip;
    const plain = await story.planned(files(named('One', 'New one'), named('Two')));
    story.merge(dear, AFTER);
    story.merge(plain, files(named('One', 'New one'), named('Two', 'New text')));
    story.pushed({ before });
    const run = await story.apply();
    expect([run.code, outcomes(run)]).toEqual([5, ['replace applied', 'blocked not_attempted']]);
    const [[ofDear = '', left], [ofPlain = '', ...others]] = [
      story.commentsOf(dear),
      story.commentsOf(plain),
    ];
    expect([ofDear.includes('campaign/One'), left]).toEqual([false, expect.stringContaining('Not approved')]);
    expect([ofPlain.split('### Herald')[0], others]).toEqual([
      expect.not.stringContaining('campaign/Two'),
      [],
    ]);
    expect(ofPlain).toContain('| applied | replace | <code>alice/campaign/One</code>');
  });

  it('do not stop later merges, which name what still waits for them', async () => {
    expect((await merged(await planned())).code).toBe(5);
    const third = files(named('One'), named('Two', 'New text'), named('Three'));
    const ran = await merged(await story.planned(third), third);
    expect([ran.code, await createsSent(story.scene)]).toEqual([0, 3]);
    expect(ran.stderr).toContain(
      'Pull request 1 still has changes that are not approved: alice/campaign/Two.',
    );
  });

  it('are given by a later pull request that changes the same, and both comments say so', async () => {
    const first = await planned();
    expect((await merged(first)).code).toBe(5);
    const next = files(named('One'), named('Two', 'Newer text'));
    const later = await story.planned(next);
    story.provider.world.review(later, BO);
    const ran = await merged(later, next);
    expect([ran.code, await createsSent(story.scene)]).toEqual([0, 3]);
    const words = `Pull request ${first.number} is not approved and changed this, too`;
    for (const text of [ran.stderr, story.commentsOf(later)[0], story.commentsOf(first)[1]])
      expect(text).toContain(words);
  });

  it('are those of its own base for what an unapproved pull request changed, also after the next merge', async () => {
    const relaxed = { ...AFTER, 'herald.yaml': WORKSPACE };
    expect((await merged(await planned(relaxed), relaxed)).code).toBe(5);
    const next = { ...files(named('One'), named('Two', 'Newer text')), 'herald.yaml': WORKSPACE };
    const ran = await merged(await story.planned(next), next);
    expect(ran.stderr).toContain('Not approved in pull request');
    expect([ran.code, await createsSent(story.scene)]).toEqual([5, 2]);
  });

  it('cannot be borrowed by naming the artifact of another pull request', async () => {
    const dear = await planned();
    const before = story.tip;
    const third = files(named('One'), named('Two'), named('Three'));
    const plain = await story.planned(third);
    story.provider.world.review(plain, BO);
    const [source] = story.provider.world.commentsOf(dear);
    const [target] = story.provider.world.commentsOf(plain);
    const stolen = readMarker(ID, source?.body ?? '');
    if (stolen === null || target === undefined) throw new Error('no marker');
    target.body = `${markerLine(ID, { ...stolen, head: plain.head })}\nx`;
    story.merge(plain, third);
    story.pushed({ before });
    const ran = await story.applied();
    expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining('has another plan than the comment')]);
    target.body = `${markerLine(ID, stolen)}\nx`;
    expect((await story.applied()).code).toBe(5);
    expect(await createsSent(story.scene)).toBe(2);
  });

  it('are not asked for where no rule is about the changes', async () => {
    const third = files(named('One'), named('Two'), named('Three'));
    const ran = await merged(await planned(third), third);
    expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringContaining('approval')]);
  });

  it('hold after the apply was refused: approved now, the same job applies', async () => {
    const pull = await planned();
    expect((await merged(pull)).code).toBe(5);
    story.provider.world.review(pull, BO);
    expect((await story.applied()).code).toBe(0);
  });

  it('cannot be left out by editing the comments of two pull requests of one push', async () => {
    story = await CiStory.begin(BEFORE, STRICT);
    const before = story.tip;
    const dear = await story.planned(AFTER);
    const third = files(named('One'), named('Two'), named('Three'));
    const plain = await story.planned(third);
    // Eve may write here, and takes the address out of the comment.
    for (const comment of story.provider.world.commentsOf(dear)) {
      const marker = readMarker(ID, comment.body);
      if (marker === null) throw new Error('no marker');
      const lines = comment.body.split('\n').slice(1);
      comment.body = [markerLine(ID, { ...marker, changes: {} }), ...lines].join('\n');
    }
    story.provider.world.review(plain, EVE);
    story.merge(dear, AFTER);
    const both = files(named('One'), named('Two', 'New text'), named('Three'));
    story.merge(plain, both);
    story.pushed({ before });
    const ran = await story.applied();
    expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining('alice/campaign/Two')]);
  });
});
