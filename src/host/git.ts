import { GitError, type BranchTip, type CommitTree, type FileAt, type Repository } from '../domain/git.ts';
import { FULL_HISTORY, gitFailed, notARepository } from './git-errors.ts';
import { fetchFrom, tipAt, type Fetching } from './git-fetch.ts';
import { runGit, type GitEnd, type GitPlace } from './git-process.ts';
import { treeOf } from './git-tree.ts';

/** A full id: SHA-1, or SHA-256 in repositories that use it. */
const FULL_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/**
 * The repository that the directory is in. Runs the program `git`, with its arguments as a list and without a shell,
 * and overrides everything in the repository's configuration that runs programs. Rejects with `GitError` if there is
 * no git or no repository, or if git does not trust the owner of the folder.
 */
export async function openRepository(place: GitPlace): Promise<Repository> {
  const asked = await runGit(place, ['rev-parse', '--show-prefix']);
  if (asked.exitCode !== 0) throw notARepository(place.directory, asked.stderr);
  const folder = asked.stdout.toString('utf8').replace(/\n$/, '').replace(/\/$/, '');
  return new GitRepository(place, folder);
}

class GitRepository implements Repository {
  readonly #place: GitPlace;
  readonly folder: string;

  constructor(place: GitPlace, folder: string) {
    this.#place = place;
    this.folder = folder;
  }

  async commitOf(revision: string): Promise<string | null> {
    const commit = `${revision}^{commit}`;
    const found = await this.#git('rev-parse', '--verify', '--quiet', '--end-of-options', commit);
    const id = found.stdout.toString('utf8').trim();
    return found.exitCode === 0 && FULL_ID.test(id) ? id : null;
  }

  async parentsOf(revision: string): Promise<readonly string[]> {
    const raw = textOf(await this.#git('cat-file', 'commit', await this.#idOf(revision)), 'cat-file');
    // A cut history hides parents from `git log`, but not from the commit itself.
    const head = raw.slice(0, raw.indexOf('\n\n'));
    return [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, id = '']) => id);
  }

  async isShallow(): Promise<boolean> {
    return textOf(await this.#git('rev-parse', '--is-shallow-repository'), 'rev-parse').trim() === 'true';
  }

  async fetchCommit(commit: string): Promise<void> {
    if ((await this.commitOf(commit)) !== null) return;
    if (!FULL_ID.test(commit)) throw missing(commit);
    await fetchFrom(this.#place, { commits: [commit], depth: (await this.isShallow()) ? 1 : 'all' });
    if ((await this.commitOf(commit)) === null) throw missing(commit);
  }

  async remoteTip(branch: string | null): Promise<BranchTip> {
    // Prints HEAD where no branch is checked out.
    const here = textOf(await this.#git('rev-parse', '--abbrev-ref', 'HEAD'), 'rev-parse').trim();
    const tip = await tipAt(this.#place, branch ?? here);
    await this.fetchCommit(tip.commit);
    return tip;
  }

  mergeBase(left: string, right: string): Promise<string | null> {
    const ask = async (ids: readonly string[]) => {
      const found = await this.#git('merge-base', ...ids);
      return isYes(found, 'merge-base') ? found.stdout.toString('utf8').trim() : null;
    };
    return this.#deepening([left, right], ask, (base) => base !== null);
  }

  isAncestor(older: string, newer: string): Promise<boolean> {
    const ask = async (ids: readonly string[]) =>
      isYes(await this.#git('merge-base', '--is-ancestor', ...ids), 'merge-base --is-ancestor');
    return this.#deepening([older, newer], ask, (isOlder) => isOlder);
  }

  async commitsSince(older: string, newer: string, max: number): Promise<readonly string[]> {
    const how = ['--first-parent', '--parents', `--max-count=${max}`, '--end-of-options'];
    const ask = async ([from = '', to = '']: readonly string[]) => {
      const listed = textOf(await this.#git('rev-list', ...how, to, `^${from}`), 'rev-list').trim();
      const lines = listed === '' ? [] : listed.split('\n').map((line) => line.split(' '));
      const [last, shownParent] = lines.at(-1) ?? [];
      const isWhole = last === undefined || shownParent !== undefined || lines.length === max;
      // Where a clone is cut, git shows no parents, but the commit itself has some.
      const isCut = !isWhole && (await this.parentsOf(last)).length > 0;
      return { commits: lines.flatMap(([commit]) => commit ?? []), isCut };
    };
    return (await this.#deepening([older, newer], ask, ({ isCut }) => !isCut)).commits;
  }

  async treeOf(commit: string): Promise<CommitTree> {
    return treeOf(this.#place, this.folder, await this.#idOf(commit));
  }

  async fileAt(commit: string, file: string): Promise<FileAt> {
    const path = this.folder === '' ? file : `${this.folder}/${file}`;
    const steps = path.split('/').map((_, index, all) => all.slice(0, index + 1).join('/'));
    // Git lists each step that is not a folder, so a link on the way is not taken for an absent file.
    const id = await this.#idOf(commit);
    const listed = textOf(await this.#git('ls-tree', '-z', '--full-tree', id, '--', ...steps), 'ls-tree');
    if (listed === '') return { kind: 'absent' };
    const [, blob, at] = /^100(?:644|755|664) blob ([0-9a-f]+)\t([^\0]*)\0$/.exec(listed) ?? [];
    if (blob === undefined || at !== path) return { kind: 'irregular' };
    return { kind: 'regular', text: textOf(await this.#git('cat-file', 'blob', blob), 'cat-file') };
  }

  async differenceOf(older: string, newer: string): Promise<string> {
    const ids = [await this.#idOf(older), await this.#idOf(newer)];
    // Whole ids, and no guesses about renames, which depend on other files.
    const how = ['-r', '-z', '--raw', '--no-abbrev', '--no-renames', '--no-ext-diff', '--no-textconv'];
    const where = this.folder === '' ? [] : ['--', `:(top,literal)${this.folder}`];
    return textOf(await this.#git('diff-tree', ...how, '--end-of-options', ...ids, ...where), 'diff-tree');
  }

  #git(...args: readonly string[]): Promise<GitEnd> {
    return runGit(this.#place, args);
  }

  async #idOf(revision: string): Promise<string> {
    const id = await this.commitOf(revision);
    if (id === null) throw missing(revision);
    return id;
  }

  /** Asks again after more history was fetched, until the answer is there or nothing was cut. */
  async #deepening<Answer>(
    revisions: readonly string[],
    ask: (ids: readonly string[]) => Promise<Answer>,
    isFound: (answer: Answer) => boolean,
  ): Promise<Answer> {
    const commits: string[] = [];
    for (const revision of revisions) {
      await this.fetchCommit(revision);
      commits.push(await this.#idOf(revision));
    }
    let answer = await ask(commits);
    for (const depth of DEPTHS) {
      if (isFound(answer) || !(await this.isShallow())) break;
      await fetchFrom(this.#place, { commits, depth });
      answer = await ask(commits);
    }
    return answer;
  }
}

/** Commits of history that are fetched at each try. Most pull requests have fewer than 50. */
const DEPTHS: readonly Fetching['depth'][] = [50, 1_000, 'all'];

function textOf(end: GitEnd, command: string): string {
  if (end.exitCode !== 0) throw gitFailed(command, end);
  return end.stdout.toString('utf8');
}

/** Git answers with 0 for yes and 1 for no; anything else is a failure. */
function isYes(end: GitEnd, command: string): boolean {
  if (end.exitCode > 1) throw gitFailed(command, end);
  return end.exitCode === 0;
}

function missing(commit: string): GitError {
  return new GitError(
    'git-commit-missing',
    `Commit ${commit.slice(0, 12)} is not in this clone, and the remote does not have it either.`,
    FULL_HISTORY,
  );
}
