import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { gitHubSite, SITES, type CiSite, type JobVariables } from './ci-site.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { heraldHere } from '../helpers/herald-here.ts';
import { builtHerald } from '../helpers/real-herald.ts';
import type { Pull } from '../provider/world.ts';
import { aRepository, type TestRepository } from '../helpers/git-repository.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import type { Ran } from '../helpers/scene.ts';
import { serveWorld, type Served } from '../helpers/served.ts';
import { WorkspaceNames } from '../../src/ci/workspace-names.ts';
import { expectEnd } from '../helpers/flows.ts';

type Tree = Readonly<Record<string, string | null>>;

/** A job of CI in a checkout of its own. */
interface RealJob {
  readonly directory: string;
  readonly run: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * A bare repository with its pull requests, the service on a socket, and jobs. Each job has a shallow, detached checkout of its own,
 * as `actions/checkout` makes it. The state is on a branch of the repository.
 */
class RealCi {
  /** The clone of a person. */
  readonly #desk: TestRepository = aRepository();
  readonly origin: TestRepository = aRepository({ isBare: true });
  readonly site: CiSite;
  readonly service: Served;
  #runs = 100;

  private constructor(site: CiSite, service: Served) {
    this.site = site;
    this.service = service;
  }

  static async begin(files: Tree, site: () => Promise<CiSite> = gitHubSite): Promise<RealCi> {
    const ci = new RealCi(await site(), await serveWorld());
    ci.#desk.git('remote', 'add', 'origin', ci.origin.directory);
    ci.#desk.commit(files);
    ci.#share('main');
    return ci;
  }

  async close(): Promise<void> {
    await Promise.all([this.site.served.close(), this.service.close()]);
  }

  get main(): string {
    return this.#desk.git('rev-parse', 'main');
  }

  /** Pushes a commit to a branch, which begins at main if it is new. */
  push(branch: string, files: Tree): string {
    const isNew = this.#desk.git('branch', '--list', branch) === '';
    this.#desk.git('checkout', '--quiet', ...(isNew ? ['-b', branch, 'main'] : [branch]));
    const commit = this.#desk.commit(files);
    this.#desk.git('checkout', '--quiet', 'main');
    this.#share(branch);
    return commit;
  }

  open(branch: string, more: Partial<Pull> = {}): Pull {
    const head = this.#desk.git('rev-parse', branch);
    return this.site.served.world.open({ head, headBranch: branch, base: this.main, ...more });
  }

  /** Merges into main, as the button of the site does. */
  merge(pull: Pull): { readonly before: string; readonly commit: string } {
    const before = this.main;
    const commit = this.#mergeOf(before, pull.head);
    this.#desk.git('reset', '--quiet', '--hard', commit);
    this.#share('main');
    this.site.served.world.merge(pull, commit);
    return { before, commit };
  }

  /** Plans, and keeps the artifact. */
  async plan(pull: Pull, more: Readonly<Record<string, string>> = {}): Promise<Ran> {
    const { outDir, inArtifact, served } = this.site;
    const job = this.#planJob(pull);
    const args = ['ci', 'plan', '--out-dir', outDir];
    const ran = await heraldHere(job.directory, { args, env: { ...job.env, ...more } });
    const out = join(job.directory, outDir);
    if (existsSync(out))
      served.world.upload(
        job.run,
        new WorkspaceNames('').artifact,
        Object.fromEntries(readdirSync(out).map((file) => [inArtifact(file), readFileSync(join(out, file))])),
      );
    return ran;
  }

  /** Begins the apply job of a push to main. */
  applyJob({ before, commit }: { readonly before: string; readonly commit: string }): RealJob {
    const run = this.#nextRun();
    return this.#job(run, commit, this.site.pushJob({ run, event: 'push', commit, before }));
  }

  apply({ directory, env }: RealJob, ...flags: string[]): Promise<Ran> {
    return heraldHere(directory, { args: ['ci', 'apply', ...flags], env });
  }

  /** The comment of the plan, which is only one. */
  comment(pull: Pull): string {
    const own = this.comments(pull).filter((body) => new WorkspaceNames('').readMarker(body) !== null);
    expect(own).toHaveLength(1);
    return own[0] ?? '';
  }

  comments(pull: Pull): readonly string[] {
    return this.site.served.world.commentsOf(pull).map(({ body }) => body);
  }

  /** Pushes another commit to the branch of a pull request. */
  pushTo(pull: Pull, files: Tree): void {
    this.site.served.world.push(pull, this.push(pull.headBranch, files));
  }

  /** `name: text of its first message`, for each campaign that can send. */
  live(): readonly string[] {
    const campaigns = Object.values(this.service.simulator.world.accounts['101']?.campaigns ?? {});
    return campaigns
      .filter(({ live }) => live.status === 'active')
      .map(({ live }) => `${live.name}: ${live.messages[0]?.text}`)
      .toSorted();
  }

  /** Requests that create something. */
  creates(): number {
    return this.service.simulator.world.requests.filter(({ operation }) => operation?.endsWith('.create'))
      .length;
  }

  /** Begins the plan job of a pull request; on GitHub at a merge of its head into main. */
  #planJob(pull: Pull): RealJob {
    const { plansMerge, planJob } = this.site;
    const run = this.#nextRun();
    const merge = plansMerge ? this.#mergeOf(this.main, pull.head) : pull.head;
    this.#desk.git('push', '--quiet', 'origin', `+${merge}:refs/pull/${pull.number}/merge`);
    return this.#job(run, merge, planJob({ run, pull, base: this.main, head: pull.head, merge }));
  }

  #mergeOf(base: string, head: string): string {
    const tree = this.#desk.git('merge-tree', '--write-tree', base, head);
    return this.#desk.git('commit-tree', tree, '-p', base, '-p', head, '-m', 'Merge');
  }

  #share(branch: string): void {
    this.#desk.git('push', '--quiet', '--force', 'origin', `${branch}:${branch}`);
  }

  #nextRun(): string {
    this.#runs += 1;
    return String(this.#runs);
  }

  #job(run: string, commit: string, { env, eventFile = '' }: JobVariables): RealJob {
    const file = join(temporaryFolder({ 'event.json': eventFile }), 'event.json');
    const places = { GITHUB_EVENT_PATH: file, GITHUB_STEP_SUMMARY: '' };
    return { directory: this.origin.checkOut(commit), run, env: { ...env, ...this.service.env, ...places } };
  }
}

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

const herald = builtHerald();

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

it.each(SITES)(
  'plays a pull request of %s from its opening to the apply of exactly what was reviewed',
  async (_name, site) => {
    await begin(site);
    ci.push('feature', file('two', 'draft'));
    const pull = ci.open('feature');
    expectEnd(await ci.plan(pull), 0, 'Scope: 1 resource declared differently');
    expect(ci.comment(pull)).toContain('draft');

    ci.pushTo(pull, file('two', 'final words'));
    expect((await ci.plan(pull)).code).toBe(0);
    expect(ci.comment(pull)).toContain('final words');
    const reviewed = new WorkspaceNames('').readMarker(ci.comment(pull));
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
    expect(new WorkspaceNames('').readMarker(ci.comment(pull))).toEqual(reviewed);
  },
  WHOLE_STORY_MS,
);

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
