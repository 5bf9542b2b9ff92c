import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { readMarker } from '../../src/ci/marker.ts';
import { planArtifact, workspaceDigest } from '../../src/ci/workspace-digest.ts';
import type { Pull } from '../provider/world.ts';
import { serveGitHub, type ServedGitHub } from '../provider/github-server.ts';
import { aRepository, temporaryFolder, type TestRepository } from './git-repository.ts';
import { heraldHere } from './herald-here.ts';
import type { Ran } from './scene.ts';
import { serveWorld, type Served } from './served.ts';

type Tree = Readonly<Record<string, string | null>>;

const OUT = 'herald-out';

/** A job of CI in a checkout of its own. */
export interface RealJob {
  readonly directory: string;
  readonly run: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * A repository with its pull requests, the service on a socket, and jobs. Each job has a shallow, detached checkout of its
 * own, as `actions/checkout` makes it, and gets and keeps the state as the jobs of `ci init` do.
 */
export class RealCi {
  readonly origin: TestRepository = aRepository();
  readonly github: ServedGitHub;
  readonly service: Served;
  readonly #state = temporaryFolder();
  #runs = 100;

  private constructor(github: ServedGitHub, service: Served) {
    this.github = github;
    this.service = service;
  }

  static async begin(files: Tree): Promise<RealCi> {
    const [github, service] = await Promise.all([serveGitHub(), serveWorld()]);
    const ci = new RealCi(github, service);
    ci.origin.commit(files);
    return ci;
  }

  async close(): Promise<void> {
    await Promise.all([this.github.close(), this.service.close()]);
  }

  get main(): string {
    return this.origin.git('rev-parse', 'main');
  }

  /** Pushes a commit to a branch, which begins at main if it is new. */
  push(branch: string, files: Tree): string {
    const isNew = this.origin.git('branch', '--list', branch) === '';
    this.origin.git('checkout', '--quiet', ...(isNew ? ['-b', branch, 'main'] : [branch]));
    const commit = this.origin.commit(files);
    this.origin.git('checkout', '--quiet', 'main');
    return commit;
  }

  open(branch: string, more: Partial<Pull> = {}): Pull {
    const head = this.origin.git('rev-parse', branch);
    return this.github.world.open({ head, headBranch: branch, base: this.main, ...more });
  }

  /** Merges into main, as the button of the site does. */
  merge(pull: Pull): { readonly before: string; readonly commit: string } {
    const before = this.main;
    const commit = this.#mergeOf(before, pull.head);
    this.origin.git('reset', '--quiet', '--hard', commit);
    this.github.world.merge(pull, commit);
    return { before, commit };
  }

  /** Begins the plan job of a pull request, at a merge of its head into main. */
  planJob(pull: Pull): RealJob {
    const merge = this.#mergeOf(this.main, pull.head);
    this.origin.git('update-ref', `refs/pull/${pull.number}/merge`, merge);
    const repository = pull.isFork ? 'eve/ads' : this.github.world.repository;
    return this.#job('pull_request', merge, {
      pull_request: {
        number: pull.number,
        head: { sha: pull.head, ref: pull.headBranch, repo: { full_name: repository } },
        base: { sha: this.main, ref: 'main' },
      },
    });
  }

  /** Begins the apply job of a push to main. */
  applyJob({ before, commit }: { readonly before: string; readonly commit: string }): RealJob {
    return this.#job('push', commit, { before, repository: { default_branch: 'main' } });
  }

  /** Plans, and keeps the artifact. */
  async plan(pull: Pull, more: Readonly<Record<string, string>> = {}): Promise<Ran> {
    const job = this.planJob(pull);
    const ran = await heraldHere(job.directory, { args: ['ci', 'plan'], env: { ...job.env, ...more } });
    const out = join(job.directory, OUT);
    if (existsSync(out))
      this.github.world.upload(
        job.run,
        planArtifact(''),
        Object.fromEntries(readdirSync(out).map((file) => [file, readFileSync(join(out, file))])),
      );
    return ran;
  }

  async apply(job: RealJob, ...flags: string[]): Promise<Ran> {
    const ran = await heraldHere(job.directory, { args: ['ci', 'apply', ...flags], env: job.env });
    this.keepState(job);
    return ran;
  }

  /** What the step does that runs also if the job failed. */
  keepState({ directory }: RealJob): void {
    const state = join(directory, '.herald');
    if (existsSync(state)) cpSync(state, this.#state, { recursive: true, filter: isNoLock });
  }

  /** The comment of the plan, which is only one. */
  comment(pull: Pull): string {
    const own = this.github.world
      .commentsOf(pull)
      .map(({ body }) => body)
      .filter((body) => readMarker(workspaceDigest(''), body) !== null);
    expect(own).toHaveLength(1);
    return own[0] ?? '';
  }

  /** Pushes another commit to the branch of a pull request. */
  pushTo(pull: Pull, files: Tree): void {
    this.github.world.push(pull, this.push(pull.headBranch, files));
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

  #mergeOf(base: string, head: string): string {
    const tree = this.origin.git('merge-tree', '--write-tree', base, head);
    return this.origin.git('commit-tree', tree, '-p', base, '-p', head, '-m', 'Merge');
  }

  #job(event: string, commit: string, payload: object): RealJob {
    this.#runs += 1;
    const run = String(this.#runs);
    const directory = this.origin.checkOut(commit);
    mkdirSync(join(directory, '.herald'), { recursive: true });
    cpSync(this.#state, join(directory, '.herald'), { recursive: true });
    const eventFile = join(temporaryFolder(), 'event.json');
    writeFileSync(eventFile, JSON.stringify(payload));
    const env = {
      ...this.github.env,
      ...this.service.env,
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_EVENT_NAME: event,
      GITHUB_EVENT_PATH: eventFile,
      GITHUB_SHA: commit,
      GITHUB_REF_NAME: 'main',
      GITHUB_RUN_ID: run,
    };
    return { directory, run, env };
  }
}

function isNoLock(path: string): boolean {
  return !path.includes('run-lock');
}
