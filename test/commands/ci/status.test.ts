import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { markerLine, planArtifact, workspaceDigest } from '../../../src/ci/comment.ts';
import { ciStatusShape } from '../../../src/ci/status.ts';
import { documentOf } from '../../helpers/flows.ts';
import { memoryRepository } from '../../helpers/memory-repository.ts';
import { aScene, WORKSPACE, type Scene } from '../../helpers/scene.ts';
import { serveGitHub, type ServedGitHub } from '../../provider/github-server.ts';
import { ANA, BOT, EVE, type Pull } from '../../provider/world.ts';

const [BASE, HEAD, NEXT] = ['b'.repeat(40), 'a'.repeat(40), 'c'.repeat(40)];
const PLAN = `sha256:${'1'.repeat(64)}`;

let github: ServedGitHub;

beforeEach(async () => {
  github = await serveGitHub();
});

afterEach(() => github.close());

/** A checkout of the pull request, in a job or at a desk. */
function aCheckout(env: Readonly<Record<string, string>> = { GITHUB_ACTIONS: 'true' }): Scene {
  const files = { 'herald.yaml': WORKSPACE };
  const repository = memoryRepository([
    { id: BASE, files },
    { id: NEXT, parents: [BASE], files: { ...files, 'live/b.yaml': 'b' } },
    { id: HEAD, parents: [BASE], files: { ...files, 'live/a.yaml': 'a' } },
  ]);
  const scene = aScene({ files: { 'herald.yaml': WORKSPACE }, repository });
  Object.assign(scene.env, github.env, env);
  return scene;
}

/** What `ci plan` leaves: its comment, and its artifact. */
function planned(pull: Pull, head = HEAD, plan: string | null = PLAN): void {
  const marker = {
    schema: 'herald/ci/1',
    run: '77',
    artifact: planArtifact(''),
    plan,
    head,
  } as const;
  github.world.comment(
    pull,
    BOT,
    `${markerLine(workspaceDigest(''), { ...marker, version: '1.0.0' })}\nPlan`,
  );
}

const status = async (scene: Scene, ...args: string[]) =>
  documentOf(await scene.herald('ci', 'status', '--format', 'json', ...args), ciStatusShape);

describe('herald ci status', () => {
  it('says that a plan is valid', async () => {
    const pull = github.world.open({ head: HEAD, base: BASE });
    planned(pull);
    const scene = aCheckout();
    const ran = await scene.herald('ci', 'status', '--pull-request', String(pull.number));
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(ran.stdout).toBe(
      `Provider: GitHub, repository acme/ads.
Pull request: ${pull.number}, open, by ana, at aaaaaaaaaaaa: Spring
Plan: sha256:111111111111, made by Herald 1.0.0 for aaaaaaaaaaaa. It is valid.
State: ${scene.state.directory}/.herald/state.db; the lease is free.
Next: Merge the pull request. The apply job applies it.
`,
    );
  });

  it('finds the pull request of the commit', async () => {
    const pull = github.world.open({ head: HEAD, base: BASE });
    planned(pull);
    expect(await status(aCheckout())).toMatchObject({
      pull_request: { number: pull.number },
      next: 'Merge the pull request. The apply job applies it.',
    });
  });

  it('says that a plan of an older commit is not valid', async () => {
    const pull = github.world.open({ head: HEAD, base: BASE });
    planned(pull, NEXT);
    expect(await status(aCheckout())).toMatchObject({
      review: { valid: false, because: 'it is for cccccccccccc, and the pull request is at aaaaaaaaaaaa' },
      next: 'Run the plan job of the last commit, and read its plan.',
    });
  });

  it('says that the last run made no plan', async () => {
    const pull = github.world.open({ head: HEAD, base: BASE });
    planned(pull, HEAD, null);
    expect(await status(aCheckout())).toMatchObject({
      review: { valid: false, because: 'the last run could not make a plan' },
    });
  });

  it('does not believe the comment of another person', async () => {
    const pull = github.world.open({ head: HEAD, base: BASE });
    planned(pull);
    const [own] = github.world.commentsOf(pull);
    github.world.comments.splice(0);
    github.world.comment(pull, EVE, own?.body ?? '');
    expect(await status(aCheckout())).toMatchObject({
      review: null,
      next: 'Run the plan job of the pull request.',
    });
  });

  it('asks which pull request is meant if a commit is in two open ones', async () => {
    const [one, two] = [github.world.open({ head: HEAD }), github.world.open({ head: HEAD, author: ANA })];
    const ran = await aCheckout().herald('ci', 'status');
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain(
      `is in 2 open pull requests: ${one.number}, ${two.number}. Name one: --pull-request`,
    );
  });

  it('says that a commit has no pull request', async () => {
    const ran = await aCheckout().herald('ci', 'status');
    expect([ran.code, ran.stdout]).toEqual([
      1,
      expect.stringContaining('Not known: This commit has no pull request. Name one: --pull-request 7\n'),
    ]);
  });

  it('asks nothing without a provider, and says so', async () => {
    const ran = await aCheckout().herald('ci', 'status', '--provider', 'generic');
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain('Provider: none that Herald knows.\nState: ');
    expect(github.requests).toEqual([]);
  });

  it('says what to do without a token', async () => {
    const scene = aCheckout({ GITHUB_ACTIONS: 'true' });
    delete scene.env['GITHUB_TOKEN'];
    const ran = await scene.herald('ci', 'status');
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain('github.token');
    expect(ran.stdout).not.toContain('No provider was found');
  });
});
