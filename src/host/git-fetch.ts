import { GitError, type BranchTip } from '../domain/git.ts';
import { systemClock } from './clock.ts';
import { FULL_HISTORY, wordsOf } from './git-errors.ts';
import { runGit, type GitEnd, type GitPlace } from './git-process.ts';

/** What to fetch. */
export interface Fetching {
  /** Full ids. */
  readonly commits: readonly string[];
  /** Number of commits of history, which is cut there. `all` fetches the whole history. */
  readonly depth: number | 'all';
}

/** Fetches commits by their ids. Changes no branch, no tag and no file of the checkout. */
export async function fetchFrom(place: GitPlace, { commits, depth }: Fetching): Promise<void> {
  const url = await remoteOf(place);
  if (url === null)
    throw new GitError(
      'git-commit-missing',
      'A commit is not in this clone, and the clone has no remote named origin to fetch it from.',
      FULL_HISTORY,
    );
  const { exitCode, stderr } = await runUnlocked(place, async () => [
    'fetch',
    '--quiet',
    '--no-tags',
    '--no-recurse-submodules',
    '--no-write-fetch-head',
    // A repository may name its own program for this.
    '--upload-pack=git-upload-pack',
    // Another git may have fetched the whole history meanwhile.
    ...(depth === 'all' ? ((await isCut(place)) ? ['--unshallow'] : []) : [`--depth=${depth}`]),
    '--end-of-options',
    url,
    ...commits,
  ]);
  if (exitCode !== 0)
    throw new GitError(
      'git-commit-missing',
      `${commits.length === 1 ? 'Commit' : 'Commits'} ${commits.map((id) => id.slice(0, 12)).join(' and ')} cannot be fetched: ${wordsOf(stderr)}`,
      FULL_HISTORY,
    );
}

/** Before the name of the branch that a clone starts with. */
const SYMREF = 'ref: refs/heads/';

/** Asks the remote for the tip of a branch. `HEAD` is the branch that a clone starts with. */
export async function tipAt(place: GitPlace, branch: string): Promise<BranchTip> {
  const url = await remoteOf(place);
  if (url === null)
    throw new GitError(
      'git-commit-missing',
      'This clone has no remote named origin, so the tip of the branch is not known.',
      'git remote add origin URL',
    );
  const ref = branch === 'HEAD' ? branch : `refs/heads/${branch}`;
  const how = ['--symref', '--upload-pack=git-upload-pack', '--end-of-options'];
  const { exitCode, stdout, stderr } = await runGit(place, ['ls-remote', ...how, url, ref]);
  const lines = stdout
    .toString('utf8')
    .split('\n')
    .map((line) => line.split('\t'));
  // Git matches the end of names as well.
  const found = lines.flatMap(([value = '', name]) => (name === ref ? [value] : []));
  const commit = found.find((value) => !value.startsWith(SYMREF));
  const named = found.find((value) => value.startsWith(SYMREF));
  if (exitCode === 0 && commit !== undefined)
    return { commit, branch: named?.slice(SYMREF.length) ?? branch };
  throw new GitError(
    'git-commit-missing',
    exitCode === 0
      ? `The remote has no branch ${branch}.`
      : `The tip of ${branch} cannot be read from the remote: ${wordsOf(stderr)}`,
    'Name the branch that is applied with --branch, and check that git fetch works in this job.',
  );
}

/** Another job that runs at the same time fetches in the same clone: its git holds the lock, or has just changed the history. */
const BUSY = /\.lock': File exists|shallow file has changed since we read it/;
const LOCK_WAIT_MS = 250;
const LOCK_TRIES = 40;

/** Runs git, and again as long as another one is at work in the clone, up to 10 s. The arguments are asked for each time. */
async function runUnlocked(place: GitPlace, argsOf: () => Promise<readonly string[]>): Promise<GitEnd> {
  let end = await runGit(place, await argsOf());
  for (let tries = 1; tries < LOCK_TRIES && end.exitCode !== 0 && BUSY.test(end.stderr); tries += 1) {
    await systemClock.sleep(LOCK_WAIT_MS);
    end = await runGit(place, await argsOf());
  }
  return end;
}

/** The address of `origin`, or of the only remote. The name of a remote would bring its own settings. */
async function remoteOf(place: GitPlace): Promise<string | null> {
  const { stdout } = await runGit(place, ['config', '--null', '--get-regexp', '^remote\\..*\\.url$']);
  const urls = stdout
    .toString('utf8')
    .split('\0')
    .map((entry) => entry.split('\n'))
    .filter(([name]) => name !== '')
    .map(([name = '', ...url]) => ({
      name: name.slice('remote.'.length, -'.url'.length),
      url: url.join('\n'),
    }));
  const chosen = urls.find(({ name }) => name === 'origin') ?? (urls.length === 1 ? urls[0] : undefined);
  return chosen?.url ?? null;
}

async function isCut(place: GitPlace): Promise<boolean> {
  const { stdout } = await runGit(place, ['rev-parse', '--is-shallow-repository']);
  return stdout.toString('utf8').trim() === 'true';
}
