import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { gitHubSite, SITES, type CiSite } from './ci-site.ts';
import { named } from './ci-story.ts';
import { memoryRepository, type MemoryCommit } from '../helpers/memory-repository.ts';
import { aScene, WORKSPACE, type Ran, type Scene } from '../helpers/scene.ts';
import { BOT, type Pull } from '../provider/world.ts';
import { WorkspaceNames } from '../../src/ci/workspace-names.ts';
import { expectEnd } from '../helpers/flows.ts';

const BASE = 'b'.repeat(40);
const HEAD = 'a'.repeat(40);
const MERGE = 'e'.repeat(40);

type Tree = Readonly<Record<string, string>>;

let site: CiSite;
let github: CiSite['served'];
beforeEach(async () => {
  site = await gitHubSite();
  github = site.served;
});
afterEach(() => github.close());

const files = (...campaigns: readonly ReturnType<typeof campaign>[]): Tree =>
  declaring({ campaigns, broadcasts: [broadcast()] });

const BEFORE = files(named('One'), named('Two'));
const AFTER = files(named('One'), named('Two', 'New text'));

interface JobOptions {
  readonly head?: Tree;
  readonly pull?: Pull;
  readonly event?: string;
  readonly run?: string;
  readonly folder?: string;
}

/** A job of a pull request: GitHub has checked out a merge of its head into the base. */
function aJob({
  head = AFTER,
  pull = github.world.open({ head: HEAD, base: BASE }),
  event = 'pull_request',
  run = '77',
  folder = '',
}: JobOptions = {}): { readonly scene: Scene; readonly pull: Pull; plan(...args: string[]): Promise<Ran> } {
  const whole = (tree: Tree) => ({ 'herald.yaml': WORKSPACE, ...tree });
  const commits: MemoryCommit[] = [
    { id: BASE, files: whole(BEFORE) },
    { id: pull.head, parents: [BASE], files: whole(head) },
    { id: MERGE, parents: [BASE, pull.head], files: whole(head) },
  ];
  const { env, eventFile = '' } = site.planJob({ run, pull, base: BASE, head: pull.head, merge: MERGE });
  const scene = aScene({
    files: { ...head, 'event.json': eventFile },
    repository: { ...memoryRepository(commits), folder },
  });
  Object.assign(scene.env, env, { GITHUB_EVENT_NAME: event, HERALD_API_KEY: 'key-for-tests' });
  return { scene, pull, plan: (...args) => scene.herald('ci', 'plan', '--simulator', ...args) };
}

function commentsOf(pull: Pull): readonly string[] {
  return github.world.commentsOf(pull).map(({ body }) => body);
}

describe('herald ci plan on a pull request', () => {
  it('writes files, the summary, one comment and the status of the commit', async () => {
    const { scene, pull, plan } = aJob();
    const ran = await plan();
    expect(ran.stderr).toContain('Scope: 1 resource declared differently than in bbbbbbbbbbbb.');
    expect(ran.code).toBe(0);
    const [body = '', ...others] = commentsOf(pull);
    expect(others).toEqual([]);
    const marker = new WorkspaceNames('').readMarker(body);
    expect(marker).toMatchObject({
      run: '77',
      head: HEAD,
      plan: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
    const saved = JSON.parse(scene.files.tree['herald-out/herald-plan.json'] ?? '');
    expect(saved.plan.fingerprint).toBe(marker?.plan);
    expect(saved.plan.commit.id).toBe(HEAD);
    expect(body).toContain('### Herald plan: 1 to create');
    expect(body).toContain('/actions/runs/77');
    for (const path of ['herald-out/herald-plan.md', 'summary.md'])
      expect(scene.files.tree[path]).toContain('### Herald plan: 1 to create');
    expect(scene.files.tree['herald-out/herald-plan.html']).toContain('<!doctype html>');
    expect(github.world.statuses).toMatchObject([
      { sha: HEAD, context: 'herald', state: 'success', description: '1 to create' },
    ]);
  });

  it.each([5, 210])('makes at most 10 calls and 4 requests with %i other pull requests', async (others) => {
    const { scene, pull, plan } = aJob();
    await plan();
    const earlier = commentsOf(pull);
    for (let count = 0; count < others; count += 1) {
      const other = github.world.open({ head: 'f'.repeat(40) });
      for (const body of earlier) github.world.comment(other, BOT, body);
    }
    const [before, requests] = [github.requests.length, (await scene.oracle()).requests.length];
    expect((await plan()).code).toBe(0);
    expect(github.requests.length - before).toBeLessThanOrEqual(10);
    expect((await scene.oracle()).requests.length - requests).toBeLessThanOrEqual(4);
  });

  it('has one comment for each workspace of a repository', async () => {
    const { pull, plan } = aJob();
    await plan();
    const elsewhere = aJob({ pull, folder: 'ads/eu' });
    expect((await elsewhere.plan()).code).toBe(0);
    expect(commentsOf(pull)).toHaveLength(2);
    expect(commentsOf(pull)[1]).toContain('Workspace <code>ads/eu</code>.');
    expect(github.world.statuses.map(({ context }) => context)).toEqual(['herald', 'herald/ads/eu']);
  });

  it('plans everything and says why if herald.yaml changes for all', async () => {
    const { pull, plan, scene } = aJob();
    Object.assign(scene.files.tree, { 'herald.yaml': `${WORKSPACE}policy: { max_price_gross: 20 }\n` });
    await plan();
    expect(commentsOf(pull)[0]).toContain(
      '> **This changes the settings of the workspace:**\n> - <code>policy.max&#95;price&#95;gross</code> added <code>20</code>\n',
    );
    expect(commentsOf(pull)[0]).toMatch(
      /> Everything is planned, because .*policy.* of herald\.yaml differs/,
    );
    expect(commentsOf(pull)[0]).toContain('3 to create');
  });

  it('shows errors of the files in the comment and as a failed status', async () => {
    const { pull, plan } = aJob({ head: { 'live/all.yaml': 'campaigns: 7\naccounts: [alice]\n' } });
    expectEnd(await plan(), 1, '::error ');
    expect(commentsOf(pull)[0]).toContain('### Herald: the files have errors');
    expect(new WorkspaceNames('').readMarker(commentsOf(pull)[0] ?? '')?.plan).toBeNull();
    expect(github.world.statuses).toMatchObject([{ state: 'failure', description: 'the files have errors' }]);
  });

  it('shows a failure of the service in the comment and as a status, in place of an earlier plan', async () => {
    const first = aJob();
    await first.plan();
    github.world.push(first.pull, 'c'.repeat(40));
    const { scene, pull, plan } = aJob({ pull: first.pull, run: '78' });
    const how = { how: 'connect ECONNREFUSED', when: 'before_commit' } as const;
    await scene.fault({ kind: 'broken_answer', operation: 'campaigns.list', ...how });
    const ran = await plan();
    expect(ran.code).toBe(1);
    const [body = '', ...others] = commentsOf(pull);
    expect(others).toEqual([]);
    expect(body).toContain('### Herald: the plan failed');
    expect(new WorkspaceNames('').readMarker(body)).toMatchObject({ plan: null, head: 'c'.repeat(40) });
    expect(github.world.statuses).toMatchObject([
      { sha: HEAD, state: 'success' },
      { sha: 'c'.repeat(40), state: 'error', description: expect.stringMatching(/^no plan: /) },
    ]);
    expect((await aJob({ pull, run: '79' }).plan()).code).toBe(0);
    expect(github.world.statuses.at(-1)).toMatchObject({ sha: 'c'.repeat(40), state: 'success' });
    expect(commentsOf(pull)[0]).toContain('### Herald plan: 1 to create');
  });

  it('leaves the plan of a newer commit alone if it fails later than that', async () => {
    const late = aJob();
    github.world.push(late.pull, 'c'.repeat(40));
    await aJob({ pull: late.pull, run: '78' }).plan();
    const newer = commentsOf(late.pull);
    delete late.scene.files.tree['live/all.yaml'];
    Object.assign(late.scene.files.tree, { 'live/all.yaml': 'campaigns: 7\naccounts: [alice]\n' });
    expect((await late.plan()).code).toBe(1);
    expect(commentsOf(late.pull)).toEqual(newer);
    expect(github.world.statuses.at(-1)).toMatchObject({ sha: HEAD, state: 'failure' });
  });

  it('sets a failed status if the comment cannot be written, because the old one is still there', async () => {
    const { pull, plan } = aJob();
    pull.isLocked = true;
    expectEnd(await plan(), 1, 'Unlock the conversation');
    expect(github.world.statuses).toMatchObject([
      { sha: HEAD, state: 'error', description: expect.stringContaining('could not be written') },
    ]);
  });
});

it.each(SITES)(
  'herald ci plan on %s checks the files of a fork without the key, the service and a token that can write',
  async (_name, begin) => {
    site = await begin();
    onTestFinished(() => site.served.close());
    const pull = site.served.world.open({ head: HEAD, base: BASE, isFork: true });
    const { scene, plan } = aJob({ pull, head: files(named('Two', 'New text'), named('Three')) });
    Object.assign(scene.env, { HERALD_API_KEY: '', GITHUB_TOKEN: 'fork-token' });
    delete scene.env['HERALD_GITLAB_TOKEN'];
    const ran = await plan();
    expect(ran.code, ran.stderr).toBe(0);
    expect((await scene.oracle()).requests).toEqual([]);
    for (const words of ['3 resources declared', 'no API key']) expect(ran.stdout).toContain(words);
    expect(ran.stderr).toContain('has no token that can write');
    // GitLab has no page for it.
    expect(scene.files.tree['summary.md'] ?? ran.stdout).toContain('3 resources declared');
    expect(scene.files.tree['herald-out/herald-plan.json']).toBeUndefined();
    expect(site.served.world.comments).toEqual([]);
  },
);

it('herald ci plan without a key in a pull request of the same repository checks the files, asks the service nothing, and says why there is no plan', async () => {
  const { scene, pull } = aJob();
  const served = WORKSPACE.replace(/simulator: [^ ]+/, 'base_url: "http://127.0.0.1:1"');
  Object.assign(scene.env, { HERALD_API_KEY: '' });
  Object.assign(scene.files.tree, { 'herald.yaml': served });
  const ran = await scene.herald('ci', 'plan', '--format', 'json');
  expect([ran.code, JSON.parse(ran.stdout)]).toMatchObject([0, { schema: 'herald/plan/1' }]);
  expect(commentsOf(pull)[0]).toContain('The job has no API key, as with a pull request of Dependabot.');
  expect(github.world.statuses).toMatchObject([{ state: 'success' }]);
});

describe('herald ci plan refuses', () => {
  it('an event that may have the files of a stranger, before the first request', async () => {
    const { plan } = aJob({ event: 'pull_request_target' });
    const ran = await plan();
    expect([ran.code, github.requests]).toEqual([5, []]);
    expect(ran.stderr).toContain('herald ci plan does not run on pull_request_target');
    expect((await plan('--allow-unsafe-event')).code).toBe(0);
  });

  it('the embedded simulator, and says so in the comment', async () => {
    const { scene, pull } = aJob();
    expect((await scene.herald('ci', 'plan')).code).toBe(5);
    expect(commentsOf(pull)[0]).toContain('herald.yaml names the embedded simulator');
  });
});

const generic = ['ci', 'plan', '--simulator', '--provider', 'generic', '--scope', 'changed'];

it('herald ci plan without a provider prints and writes files only', async () => {
  const { scene } = aJob();
  const ran = await scene.herald(...generic, '--base', BASE);
  expect(ran.code).toBe(0);
  expect(ran.stdout).toContain('1 to create');
  expect(scene.files.tree['herald-out/herald-plan.md']).toContain('1 to create');
  expect(github.requests).toEqual([]);
});
