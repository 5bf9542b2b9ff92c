import { afterEach, beforeAll, expect, it } from 'vitest';
import { BEFORE, files, named } from '../helpers/ci-files.ts';
import { CiStory } from '../helpers/ci-story.ts';
import { dieWithLateCreate, messages, outcomes } from '../helpers/flows.ts';
import { WORKSPACE } from '../helpers/scene.ts';
import { serveGitHub } from '../provider/github-server.ts';
import { BO } from '../provider/world.ts';

/** The description of the provider is large, and read once. */
beforeAll(async () => (await serveGitHub()).close(), 120_000);

let story: CiStory;
afterEach(() => story.provider.close());

const STRICT = `${WORKSPACE}ci: { require_approval: all }\nallow: [large]\n`;
const AFTER = files(named('One'), named('Two', 'New text'), named('Three'));

/** An apply by hand was killed: its create of Three may still arrive. */
async function dieBefore(): Promise<void> {
  const { scene } = story;
  const before = { ...scene.files.tree };
  Object.assign(scene.files.tree, files(named('One'), named('Two'), named('Three')));
  await dieWithLateCreate(scene);
  for (const [path, text] of Object.entries(before))
    if (path.startsWith('live/')) scene.files.tree[path] = text;
}

it('a CI apply that waits for an earlier request goes by the approvals of the end of that wait', async () => {
  story = await CiStory.begin(BEFORE, STRICT);
  const pull = await story.planned(AFTER);
  const { world } = story.provider;
  world.review(pull, BO);
  story.merge(pull, AFTER);
  await dieBefore();
  story.pushed();
  const { reviews } = pull;
  let reads = 0;
  // Bo dismisses the approval as soon as the job has read it.
  Object.defineProperty(pull, 'reviews', {
    get: () => {
      reads += 1;
      const dismissed = { by: BO, state: 'DISMISSED' as const, commit: pull.head, at: world.now() };
      if (reads === 1) setImmediate(() => reviews.push(dismissed));
      return [...reviews];
    },
  });
  const run = await story.apply();
  expect(outcomes(run), messages(run)).not.toContain('replace applied');
  expect(reads).toBeGreaterThan(1);
});
