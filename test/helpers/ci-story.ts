import { applyReportShape, type ApplyReport } from '../../src/domain/change.ts';
import { workspaceDigest } from '../../src/ci/workspace-digest.ts';
import type { Repository } from '../../src/domain/git.ts';
import { serveGitHub, type ServedGitHub } from '../provider/github-server.ts';
import type { Pull } from '../provider/world.ts';
import { documentOf } from './flows.ts';
import { memoryRepository, type MemoryCommit } from './memory-repository.ts';
import { aScene, WORKSPACE, type Ran, type Scene } from './scene.ts';

type Tree = Readonly<Record<string, string>>;

export const ID = workspaceDigest('');
const OUT = 'herald-out/';

interface Push {
  readonly before?: string | null;
  readonly event?: string;
}

/** A repository, its pull requests, and the jobs that run for them, one after the other, in one workspace. */
export class CiStory {
  readonly scene: Scene;
  readonly github: ServedGitHub;
  readonly #commits: MemoryCommit[] = [];
  readonly #workspace: string;
  #next = 1;
  #runs = 70;

  static async begin(before: Tree, workspace = WORKSPACE): Promise<CiStory> {
    const story = new CiStory(await serveGitHub(), before, workspace);
    const ran = await story.scene.herald('apply', '--yes');
    if (ran.code !== 0) throw new Error(ran.stderr);
    return story;
  }

  private constructor(github: ServedGitHub, before: Tree, workspace: string) {
    this.github = github;
    this.#workspace = workspace;
    // Its history grows, so each question is asked of the history as it is by then.
    const repository = new Proxy({} as Repository, {
      get: (_target, key) => Reflect.get(memoryRepository(this.#commits), key) as unknown,
    });
    this.scene = aScene({ files: { 'herald.yaml': workspace, ...before }, repository });
    Object.assign(this.scene.env, github.env, {
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_EVENT_PATH: 'event.json',
      GITHUB_STEP_SUMMARY: 'summary.md',
    });
    this.commit(before);
  }

  get tip(): string {
    return this.#commits.at(-1)?.id ?? '';
  }

  /** Adds a commit and checks it out. */
  commit(files: Tree, parents: readonly string[] = this.tip === '' ? [] : [this.tip]): string {
    const id = this.#next.toString(16).padStart(40, '0');
    this.#next += 1;
    const whole = { 'herald.yaml': this.#workspace, ...files };
    this.#commits.push({ id, parents, files: whole });
    this.checkOut(whole);
    return id;
  }

  checkOut(files: Tree): void {
    for (const path of Object.keys(this.scene.files.tree))
      if (path.startsWith('live/')) delete this.scene.files.tree[path];
    Object.assign(this.scene.files.tree, files);
  }

  /** Opens a pull request, or pushes to it, runs its plan job, and keeps the artifact. */
  async planned(files: Tree, pull?: Pull): Promise<Pull> {
    const base = pull?.base ?? this.tip;
    const main = [...this.#commits];
    const head = this.commit(files, [base]);
    const own = pull ?? this.github.world.open({ head, base });
    if (pull !== undefined) this.github.world.push(pull, head);
    const merge = this.commit(files, [base, head]);
    const run = this.#job('pull_request', merge, {
      pull_request: {
        number: own.number,
        head: { sha: head, ref: own.headBranch, repo: { full_name: this.github.world.repository } },
        base: { sha: base, ref: own.baseBranch },
      },
    });
    const ran = await this.scene.herald('ci', 'plan');
    if (ran.code !== 0) throw new Error(`ci plan: ${ran.code}\n${ran.stdout}${ran.stderr}`);
    const { tree } = this.scene.files;
    const written = Object.keys(tree).filter((path) => path.startsWith(OUT));
    this.github.world.upload(
      run,
      `herald-plan-${ID}`,
      Object.fromEntries(written.map((path) => [path.slice(OUT.length), tree[path] ?? ''])),
    );
    for (const path of written) delete tree[path];
    // The branch stays; main is what it was.
    const [branch] = this.#commits.slice(main.length);
    this.#commits.splice(0, Infinity, ...(branch === undefined ? [] : [branch]), ...main);
    this.checkOut(main.at(-1)?.files as Tree);
    return own;
  }

  /** Merges a pull request with these files, and checks out the result. */
  merge(pull: Pull, files: Tree, how: 'merge' | 'squash' = 'merge'): string {
    const commit = this.commit(files, how === 'merge' ? [this.tip, pull.head] : [this.tip]);
    this.github.world.merge(pull, commit);
    return commit;
  }

  /** Begins a job of a push to main, at the commit that is checked out. */
  pushed({ before, event = 'push' }: Push = {}): void {
    const [parent] = this.#commits.at(-1)?.parents ?? [];
    this.#job(event, this.tip, { before: before === undefined ? (parent ?? null) : before });
  }

  /** Runs the apply job of the last push. */
  async apply(...flags: string[]): Promise<{ code: number; report: ApplyReport; stderr: string }> {
    const ran = await this.applied('--format', 'json', ...flags);
    return { code: ran.code, report: documentOf(ran, applyReportShape), stderr: ran.stderr };
  }

  applied(...flags: string[]): Promise<Ran> {
    return this.scene.herald('ci', 'apply', ...flags);
  }

  commentsOf(pull: Pull): readonly string[] {
    return this.github.world.commentsOf(pull).map(({ body }) => body);
  }

  #job(event: string, sha: string, payload: object): string {
    const run = String((this.#runs += 1));
    this.scene.files.tree['event.json'] = JSON.stringify(payload);
    Object.assign(this.scene.env, { GITHUB_EVENT_NAME: event, GITHUB_SHA: sha, GITHUB_RUN_ID: run });
    return run;
  }
}
