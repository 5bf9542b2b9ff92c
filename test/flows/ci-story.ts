import { onTestFinished, vi } from 'vitest';
import { applyReportShape, type ApplyReport } from '../../src/domain/change.ts';
import type { Repository } from '../../src/domain/ports.ts';
import type { MergeMethod, Pull } from '../provider/world.ts';
import { gitHubSite, keepArtifact, type CiSite, type JobVariables } from './ci-site.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { documentOf } from '../helpers/flows.ts';
import { memoryRepository, type MemoryCommit } from '../helpers/memory-repository.ts';
import { aScene, WORKSPACE, type Ran, type Scene } from '../helpers/scene.ts';
import { WorkspaceNames } from '../../src/ci/workspace-names.ts';

// Each test of a story runs several jobs against a local server.
vi.setConfig({ testTimeout: 120_000 });

type Tree = Readonly<Record<string, string>>;

export const ID = new WorkspaceNames('').digest;

/** A campaign of that name, with a text that tells it from the others. */
export const named = (name: string, text = `I am ${name}`) => campaign({ name, messages: [{ text }] });

/** The files that declare these campaigns. */
export const files = (...campaigns: readonly ReturnType<typeof campaign>[]) => declaring({ campaigns });

/** What most stories of a pull request begin with, and what it changes that to. */
export const BEFORE = files(named('One'), named('Two'));
export const AFTER = files(named('One'), named('Two', 'New text'));

interface Push {
  readonly before?: string | null;
  readonly event?: string;
}

/** A repository, its pull requests, and the jobs that run for them, one after the other, in one workspace. */
export class CiStory {
  readonly scene: Scene;
  readonly site: CiSite;
  readonly #commits: MemoryCommit[] = [];
  readonly #workspace: string;
  /** The tip of main, if an earlier commit is checked out. */
  #main: string | undefined;
  #next = 1;
  #runs = 70;
  #variables: readonly string[] = [];

  static async begin(before: Tree, workspace = WORKSPACE, site = gitHubSite): Promise<CiStory> {
    const story = new CiStory(await site(), before, workspace);
    onTestFinished(() => story.provider.close());
    const ran = await story.scene.herald('apply', '--yes');
    if (ran.code !== 0) throw new Error(ran.stderr);
    return story;
  }

  private constructor(site: CiSite, before: Tree, workspace: string) {
    this.site = site;
    this.#workspace = workspace;
    // Its history grows, so each question is asked of the history as it is by then.
    const repository = new Proxy({} as Repository, {
      get: (_target, key) => Reflect.get(memoryRepository(this.#commits, this.#main), key) as unknown,
    });
    this.scene = aScene({ files: { 'herald.yaml': workspace, ...before }, repository });
    this.commit(before);
  }

  /** The provider with its people. */
  get provider(): CiSite['served'] {
    return this.site.served;
  }

  get tip(): string {
    return this.#commits.at(-1)?.id ?? '';
  }

  /** Adds a commit and checks it out. */
  commit(
    files: Tree,
    parents: readonly string[] = this.tip === '' ? [] : [this.tip],
    links: readonly string[] = [],
  ): string {
    const id = this.#next.toString(16).padStart(40, '0');
    this.#next += 1;
    const whole = { 'herald.yaml': this.#workspace, ...files };
    this.#commits.push({ id, parents, files: whole, links });
    this.#main = undefined;
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
    const { world } = this.provider;
    const own = pull ?? world.open({ head, base });
    if (pull !== undefined) world.push(pull, head);
    const merge = this.site.plansMerge ? this.commit(files, [base, head]) : head;
    const run = this.#nextRun();
    this.#job(this.site.planJob({ run, pull: own, base, head, merge }));
    const ran = await this.scene.herald('ci', 'plan', '--simulator', '--out-dir', this.site.outDir);
    if (ran.code !== 0) throw new Error(`ci plan: ${ran.code}\n${ran.stdout}${ran.stderr}`);
    keepArtifact(this.site, run, this.scene.files.tree);
    // The branch stays; main is what it was.
    const [branch] = this.#commits.slice(main.length);
    this.#commits.splice(0, Infinity, ...(branch === undefined ? [] : [branch]), ...main);
    this.checkOut(main.at(-1)?.files as Tree);
    return own;
  }

  /**
   * Merges a pull request with these files, and checks out the result. GitLab rebases the branch itself, so its head is
   * another commit then.
   */
  merge(pull: Pull, files: Tree, how: MergeMethod = 'merge'): string {
    const { world } = this.provider;
    const commit = this.commit(files, how === 'merge' ? [this.tip, pull.head] : [this.tip]);
    if (how === 'rebase' && !this.site.plansMerge) world.push(pull, commit);
    world.merge(pull, commit, how);
    return commit;
  }

  /** Merges by putting the head of the pull request itself on the branch, and checks it out. */
  fastForward(pull: Pull): void {
    const at = this.#commits.findIndex(({ id }) => id === pull.head);
    const [head] = this.#commits.splice(at, 1);
    if (head === undefined) throw new Error('the head is not a commit of this story');
    this.#commits.push(head);
    this.checkOut(head.files as Tree);
    this.provider.world.merge(pull, head.id, 'rebase');
  }

  /** Begins a job of a push to main, at the commit that is checked out. */
  pushed({ before, event = 'push' }: Push = {}): void {
    const [parent] = this.#commits.at(-1)?.parents ?? [];
    const from = before === undefined ? (parent ?? null) : before;
    this.#job(this.site.pushJob({ run: this.#nextRun(), event, commit: this.tip, before: from }));
  }

  /** Begins the job of an earlier push again, with its checkout. */
  again(commit: string): void {
    this.#main = this.tip;
    const at = this.#commits.findIndex(({ id }) => id === commit);
    this.#commits.push(...this.#commits.splice(at, 1));
    this.checkOut(this.#commits.at(-1)?.files as Tree);
    this.pushed();
  }

  /** Runs the apply job of the last push. */
  async apply(...flags: string[]): Promise<{ code: number; report: ApplyReport; stderr: string }> {
    const ran = await this.applied('--format', 'json', ...flags);
    return { code: ran.code, report: documentOf(ran, applyReportShape), stderr: ran.stderr };
  }

  applied(...flags: string[]): Promise<Ran> {
    return this.scene.herald('ci', 'apply', '--simulator', ...flags);
  }

  commentsOf(pull: Pull): readonly string[] {
    return this.provider.world.commentsOf(pull).map(({ body }) => body);
  }

  #nextRun(): string {
    this.#runs += 1;
    return String(this.#runs);
  }

  /** Variables of an earlier job are gone. */
  #job({ env, eventFile }: JobVariables): void {
    for (const name of this.#variables) delete this.scene.env[name];
    this.#variables = Object.keys(env);
    Object.assign(this.scene.env, env);
    if (eventFile !== undefined) this.scene.files.tree['event.json'] = eventFile;
  }
}
