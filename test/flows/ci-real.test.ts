import { execFileSync } from 'node:child_process';
import { afterEach, beforeAll, afterAll, expect, it } from 'vitest';
import { readMarker, workspaceDigest } from '../../src/ci/comment.ts';
import { gitHubSite, gitLabSite } from '../helpers/ci-site.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { heraldHere } from '../helpers/herald-here.ts';
import { RealCi } from '../helpers/real-ci.ts';
import { builtHerald, type RealHerald } from '../helpers/real-herald.ts';

const ID = workspaceDigest('');

// A short window, because an apply waits for its end before it believes what it found.
const WORKSPACE = `version: 1
state: { git_branch: herald-state }
service: { base_url: "http://127.0.0.1:1", settle_sec: 1 }
accounts:
  alice: { id: "101" }
files: ["live/*.yaml"]
`;

/** One file for each campaign, so that branches do not meet. */
const file = (name: string, text: string) => ({
  [`live/${name}.yaml`]:
    declaring({ campaigns: [campaign({ name, messages: [{ text }] })] })['live/all.yaml'] ?? '',
});

/** Eight jobs with a checkout each. */
const WHOLE_STORY_MS = 120_000;

let herald: RealHerald;
beforeAll(() => {
  herald = builtHerald();
});
afterAll(() => herald.dispose());

let ci: RealCi;
afterEach(() => ci.close());

async function begin(site = gitHubSite, workspace = WORKSPACE): Promise<void> {
  ci = await RealCi.begin(
    { 'herald.yaml': workspace, '.gitignore': '.herald/\n', ...file('one', 'first') },
    site,
  );
  const start = { before: ci.main, commit: ci.main };
  const ran = await ci.apply(ci.applyJob(start), '--allow-unreviewed');
  expect(ran.code, ran.stderr).toBe(0);
}

it.each([
  ['GitHub', gitHubSite],
  ['GitLab', gitLabSite],
])(
  'plays a pull request of %s from its opening to the apply of exactly what was reviewed',
  async (_name, site) => {
    await begin(site);
    ci.push('feature', file('two', 'draft'));
    const pull = ci.open('feature');
    const opened = await ci.plan(pull);
    expect(opened.code, opened.stderr).toBe(0);
    expect(opened.stderr).toContain('Scope: 1 resource declared differently');
    expect(ci.comment(pull)).toContain('draft');

    ci.pushTo(pull, file('two', 'final words'));
    expect((await ci.plan(pull)).code).toBe(0);
    expect(ci.comment(pull)).toContain('final words');
    const reviewed = readMarker(ID, ci.comment(pull));
    expect(reviewed).toMatchObject({ head: pull.head });

    ci.push('other', file('three', 'unrelated'));
    const other = ci.open('other');
    await ci.plan(other);
    expect((await ci.apply(ci.applyJob(ci.merge(other)))).code).toBe(0);
    expect(ci.live()).toEqual(['one: first', 'three: unrelated']);

    const job = ci.applyJob(ci.merge(pull));
    const ran = await ci.apply(job);
    expect(ran.code, ran.stderr + ran.stdout).toBe(0);
    expect(ci.live()).toEqual(['one: first', 'three: unrelated', 'two: final words']);
    expect(ci.creates()).toBe(3);
    expect(ci.comments(pull)[1]).toMatch(
      /\| applied \| create \| <code>alice\/campaign\/two<\/code> \| \d+ \|/,
    );
    expect(readMarker(ID, ci.comment(pull))).toEqual(reviewed);

    const again = await ci.apply(ci.applyJob({ before: ci.main, commit: ci.main }));
    expect(again.code, again.stderr).toBe(0);
    expect(ci.creates()).toBe(3);
  },
  WHOLE_STORY_MS,
);

it('holds back what someone changed by hand between the review and the apply', async () => {
  await begin();
  ci.push('feature', file('one', 'second'));
  const pull = ci.open('feature');
  await ci.plan(pull);
  const [one] = Object.values(ci.service.simulator.world.accounts['101']?.campaigns ?? {});
  Object.assign(one?.live.messages[0] ?? {}, { text: 'by hand' });
  const ran = await ci.apply(ci.applyJob(ci.merge(pull)));
  expect(ran.code).toBe(5);
  expect(ci.live()).toEqual(['one: by hand']);
  expect(ci.comments(pull).join('\n')).toContain('1 change was not applied');
});

it(
  'lets a late job create nothing that a newer merge has taken out, and nothing at all if the tip cannot be read',
  async () => {
    await begin();
    const merged = async (branch: string, change: Readonly<Record<string, string | null>>) => {
      ci.push(branch, change);
      const pull = ci.open(branch);
      const planned = await ci.plan(pull);
      expect(planned.code, planned.stderr).toBe(0);
      return ci.applyJob(ci.merge(pull));
    };
    const seven = await merged('seven', file('two', 'two'));
    const offline = ci.applyJob({ before: ci.origin.git('rev-parse', 'main^'), commit: ci.main });
    const eight = await merged('eight', { 'live/two.yaml': null });
    expect((await ci.apply(eight)).code).toBe(0);

    const ran = await ci.apply(seven);
    expect([ran.code, ci.live()]).toEqual([5, ['one: first']]);
    expect(ran.stdout).toContain(`the tip of main, ${ci.main.slice(0, 12)}, does not declare this as`);

    execFileSync('git', ['config', 'remote.origin.url', 'file:///gone'], { cwd: offline.directory });
    const cut = await ci.apply(offline);
    expect([cut.code, ci.creates()]).toEqual([1, 1]);
    expect(cut.stderr).toMatch(/cannot be (?:read from the remote|fetched)/);
  },
  WHOLE_STORY_MS,
);

it('checks a fork without the key, and asks the service nothing', async () => {
  await begin();
  ci.push('feature', file('two', 'from a fork'));
  const pull = ci.open('feature', { isFork: true });
  const before = ci.service.simulator.world.requests.length;
  const ran = await ci.plan(pull, { HERALD_API_KEY: '', GITHUB_TOKEN: 'fork-token' });
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stdout).toContain('2 resources declared');
  expect(ci.service.simulator.world.requests.length).toBe(before);
  expect(ci.comments(pull)).toEqual([]);
});

it('goes on after a killed job, and creates nothing twice', async () => {
  await begin();
  ci.push('feature', { ...file('two', 'two'), ...file('three', 'three') });
  const pull = ci.open('feature');
  await ci.plan(pull);
  const merged = ci.merge(pull);
  const killed = ci.applyJob(merged);
  const run = herald.start(killed.directory, ['ci', 'apply'], killed.env);
  await ci.service.arrival('campaigns.create', 2);
  run.kill('SIGKILL');
  await run.ran;

  const refused = await ci.apply(ci.applyJob(merged), '--lock-timeout', '1s');
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('herald state unlock');
  const unlock = ci.applyJob(merged);
  const unlocked = await heraldHere(unlock.directory, {
    args: ['state', 'unlock', '--yes'],
    env: unlock.env,
  });
  expect(unlocked.code, unlocked.stderr).toBe(0);
  const next = await ci.apply(ci.applyJob(merged));
  expect(next.code, next.stderr + next.stdout).toBe(0);
  expect(ci.live()).toEqual(['one: first', 'three: three', 'two: two']);
});

it('lets one of two applies at once wait for the other, for a push of two merges', async () => {
  await begin();
  ci.push('left', file('two', 'two'));
  ci.push('right', file('three', 'three'));
  const pulls = [ci.open('left'), ci.open('right')];
  for (const pull of pulls) await ci.plan(pull);
  const before = ci.main;
  for (const pull of pulls) ci.merge(pull);
  const push = { before, commit: ci.main };
  const ran = await Promise.all([1, 2].map(() => ci.apply(ci.applyJob(push))));
  expect(
    ran.map(({ code }) => code),
    ran.map(({ stderr }) => stderr).join('\n'),
  ).toEqual([0, 0]);
  expect(ci.live()).toEqual(['one: first', 'three: three', 'two: two']);
  expect(ci.creates()).toBe(3);
  for (const pull of pulls) expect(ci.comments(pull)[1]).toContain('### Applied at');
});

it('refuses a state in a file that no earlier job has left there, unless the runner keeps it', async () => {
  const inFiles = WORKSPACE.replace(/^state:.*\n/m, '');
  ci = await RealCi.begin({ 'herald.yaml': inFiles, ...file('one', 'first') });
  const job = ci.applyJob({ before: ci.main, commit: ci.main });
  const ran = await ci.apply(job, '--allow-unreviewed');
  expect([ran.code, ci.creates()]).toEqual([5, 0]);
  expect(ran.stderr).toContain('Add to herald.yaml: state: { git_branch: herald-state }');
  const kept = await ci.apply(job, '--allow-unreviewed', '--keeps-state');
  expect(kept.code, kept.stderr).toBe(0);
  expect((await ci.apply(job, '--allow-unreviewed')).code).toBe(0);
  expect(ci.live()).toEqual(['one: first']);
});
