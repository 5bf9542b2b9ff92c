import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { planArtifact, readMarker, workspaceDigest } from '../../src/ci/comment.ts';
import type { Pull } from '../provider/world.ts';
import { gitHubSite, type CiSite, type JobVariables } from './ci-site.ts';
import { aRepository, temporaryFolder, type TestRepository } from './git-repository.ts';
import { heraldHere } from './herald-here.ts';
import type { Ran } from './scene.ts';
import { serveWorld, type Served } from './served.ts';

type Tree = Readonly<Record<string, string | null>>;

/** A job of CI in a checkout of its own. */
export interface RealJob {
  readonly directory: string;
  readonly run: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * A bare repository with its pull requests, the service on a socket, and jobs. Each job has a shallow, detached checkout of its own,
 * as `actions/checkout` makes it. The state is on a branch of the repository.
 */
export class RealCi {
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
        planArtifact(''),
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
    const own = this.comments(pull).filter((body) => readMarker(workspaceDigest(''), body) !== null);
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
    const file = join(temporaryFolder(), 'event.json');
    writeFileSync(file, eventFile);
    const places = { GITHUB_EVENT_PATH: file, GITHUB_STEP_SUMMARY: '' };
    return { directory: this.origin.checkOut(commit), run, env: { ...env, ...this.service.env, ...places } };
  }
}
