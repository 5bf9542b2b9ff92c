import { GitError, type Repository } from '../domain/git.ts';
import type { Provider, PullRequest } from '../provider/provider.ts';
import { CiError } from './ci-error.ts';

/** A push to the branch. */
export interface Push {
  /** The commit that is applied. */
  readonly commit: string;
  /** The tip before the push; null if it is not known. */
  readonly before: string | null;
}

/** More commits of one push, or of one pull request, are not asked about. */
const COMMITS_MAX = 20;

/** The commits that a push added to the branch itself, newest first. What a merge brought in is not asked about. */
export async function commitsOfPush(
  repository: Repository,
  { commit, before }: Push,
): Promise<readonly string[]> {
  const commits = [commit];
  if (before === null) return commits;
  while (commits.length < COMMITS_MAX) {
    const [parent] = await repository.parentsOf(commits.at(-1) ?? commit);
    if (parent === undefined || parent === before) break;
    try {
      await repository.fetchCommit(parent);
    } catch (error) {
      // The branch was rewritten, and the commit is gone.
      if (error instanceof GitError) break;
      throw error;
    }
    commits.push(parent);
  }
  return commits;
}

/** The pull request that a commit merged; null if it was pushed directly. Rejects if it is not clear which one did. */
export async function mergedBy(provider: Provider, commit: string): Promise<PullRequest | null> {
  const [only, ...others] = await allMergedBy(provider, commit);
  if (only === undefined) return null;
  if (others.length === 0) return only;
  const names = [only, ...others].map(({ number }) => `pull request ${number}`);
  throw new CiError(
    'ci-unclear-review',
    `Several merged pull requests have the commit ${commit.slice(0, 12)}: ${names.join(', ')}. Herald does not guess. Nothing was changed.`,
    'Get the reviewed plan from the artifact of the right one: herald ci apply --plan herald-plan.json',
    'refused',
  );
}

/** The same without a choice, for a person who names the plan. */
export async function allMergedBy(provider: Provider, commit: string): Promise<readonly PullRequest[]> {
  const all = (await provider.pullRequestsOf(commit)).filter(({ state }) => state === 'merged');
  const exact = all.filter(({ mergeCommit }) => mergeCommit === commit);
  return exact.length > 0 ? exact : all;
}

/**
 * The base branch right before a pull request was merged. A rebase and a fast-forward put several of its commits there, so
 * the parent of the last one may be its own. Null if neither the provider nor git knows.
 */
export async function beforeMerge(
  provider: Provider,
  repository: Repository,
  { number, head, mergeCommit }: Pick<PullRequest, 'number' | 'head' | 'mergeCommit'>,
): Promise<string | null> {
  let commit = mergeCommit;
  for (let seen = 0; commit !== null && seen < COMMITS_MAX; seen += 1) {
    await repository.fetchCommit(commit);
    const parents: readonly string[] = await repository.parentsOf(commit);
    const [parent = null] = parents;
    const isMergeOfProvider = parents.length > 1 && commit !== head;
    if (parent === null || isMergeOfProvider) return parent;
    const around = await provider.pullRequestsOf(parent);
    if (!around.some((one) => one.number === number)) return parent;
    commit = parent;
  }
  return null;
}
