import { GitError } from '../domain/git.ts';
import type { GitEnd } from './git-process.ts';

/** How to get all commits at the checkout, for both providers. */
export const FULL_HISTORY =
  'Fetch the history at the checkout. GitHub: add "fetch-depth: 0" below "with:" of actions/checkout. GitLab: set GIT_DEPTH: "0" below "variables:".';

/** Longer outputs of git repeat themselves. */
const WORDS_MAX = 300;

/** The error for a directory in which git finds no repository that it would use. */
export function notARepository(directory: string, stderr: string): GitError {
  if (/dubious ownership|unsafe repository/.test(stderr))
    return new GitError(
      'git-unsafe-directory',
      `git does not use the repository of ${directory}, because another user owns the folder.`,
      `If you trust it: git config --global --add safe.directory ${JSON.stringify(ownedIn(stderr) ?? directory)}`,
    );
  if (/not a git repository/.test(stderr))
    return new GitError(
      'git-no-repository',
      `${directory} is in no git repository.`,
      'Run the command in a clone of the repository. To plan without one, leave out --scope changed.',
    );
  return new GitError('git-failed', `git cannot read ${directory}: ${wordsOf(stderr)}`, 'Run: git status');
}

/** The folder that git names in its advice. */
function ownedIn(stderr: string): string | undefined {
  return /repository at '([^']+)'/.exec(stderr)?.[1];
}

/** The error for a git that ran and refused. */
export function gitFailed(command: string, { exitCode, stderr }: GitEnd): GitError {
  return new GitError(
    'git-failed',
    `git ${command} failed with exit code ${exitCode}: ${wordsOf(stderr)}`,
    'Check the repository: git fsck',
  );
}

/** The end of what git printed, in one line. */
export function wordsOf(stderr: string): string {
  const words = stderr.replace(/\s+/g, ' ').trim().slice(-WORDS_MAX);
  return words === '' ? 'it gave no reason.' : words.replace(/[.]?$/, '.');
}
