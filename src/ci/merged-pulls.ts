import { EXIT } from '../domain/exit-codes.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { formatCommand } from '../domain/command-line.ts';
import type { Repository } from '../domain/git.ts';
import type { Provider, PullRequest } from '../provider/provider.ts';

/** A push to the branch. */
export interface Push {
  /** The commit that is applied. */
  readonly commit: string;
  /** The tip before the push; null if it is not known. */
  readonly before: string | null;
}

/**
 * More commits of one push, or of one pull request, are not asked about: each is a call of the provider, and a token of
 * GitHub Actions has 1,000 in an hour.
 */
export const COMMITS_MAX = 250;

/** The commits of a push, as far as Herald asks about them. */
interface PushCommits {
  /** Newest first. */
  readonly commits: readonly string[];
  /** The older ones of the push, as a range for `git log`. Null if there are none. */
  readonly notLookedAt: string | null;
}

/** The commits that a push added to the branch itself. What a merge brought in is not asked about. */
export async function commitsOfPush(repository: Repository, { commit, before }: Push): Promise<PushCommits> {
  if (before === null) return { commits: [commit], notLookedAt: null };
  const found = await repository.commitsSince(before, commit, COMMITS_MAX + 1);
  const older = found[COMMITS_MAX];
  return {
    // A branch that was set back has no new commits.
    commits: found.length === 0 ? [commit] : found.slice(0, COMMITS_MAX),
    notLookedAt: older === undefined ? null : `${before.slice(0, 12)}..${older.slice(0, 12)}`,
  };
}

/** The pull request that a commit merged; null if it was pushed directly. Rejects if it is not clear which one did. */
export async function mergedBy(provider: Provider, commit: string): Promise<PullRequest | null> {
  const [only, ...others] = await allMergedBy(provider, commit);
  if (only === undefined) return null;
  if (others.length === 0) return only;
  const names = [only, ...others].map(({ number }) => `pull request ${number}`);
  throw new HeraldError(
    'ci-unclear-review',
    `Several merged pull requests have the commit ${commit.slice(0, 12)}: ${names.join(', ')}. Herald does not guess. Nothing was changed.`,
    `Get the reviewed plan from the artifact of the right one: ${formatCommand('ci', 'apply', '--plan', 'herald-plan.json')}`,
    { exit: EXIT.blocked },
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
 * the parent of the last one may be its own. Null if neither the provider nor git knows. Rejects if it has too many commits
 * there, because the base before them may require an approval.
 */
export async function beforeMerge(
  provider: Provider,
  repository: Repository,
  { number, head, mergeCommit }: Pick<PullRequest, 'number' | 'head' | 'mergeCommit'>,
): Promise<string | null> {
  let commit = mergeCommit;
  for (let seen = 0; commit !== null; seen += 1) {
    if (seen === COMMITS_MAX) throw tooManyCommits(number);
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

function tooManyCommits(number: number): HeraldError {
  return new HeraldError(
    'ci-unclear-review',
    `Pull request ${number} has put more than ${COMMITS_MAX} commits on the branch, so Herald does not know whether the base before it has ci.require_approval. Nothing was changed.`,
    `Apply it by hand: ${formatCommand('plan', '--out', 'plan.json')}, then ${formatCommand('apply', 'plan.json')}`,
    { exit: EXIT.blocked, details: { pull_requests: [number] } },
  );
}
