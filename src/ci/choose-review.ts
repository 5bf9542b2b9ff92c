import { GitError, type Repository } from '../domain/git.ts';
import type { OwnComment, Provider, PullRequest } from '../provider/provider.ts';
import { CiError } from './ci-error.ts';
import { markerStart, readMarker, type ReviewMarker } from './marker.ts';
import { hasOutcomes } from './outcome-comment.ts';

/** What was merged, and where its review is looked for. */
export interface Merged {
  /** The commit that is applied. */
  readonly commit: string;
  /** The tip before the push; null if it is not known. */
  readonly before: string | null;
  /** `workspaceDigest` of the folder. */
  readonly workspace: string;
}

/** A merged pull request, and what its comment says of the plan that was reviewed. */
export interface ChosenReview {
  readonly pullRequest: PullRequest;
  readonly comment: OwnComment;
  readonly marker: ReviewMarker & { readonly plan: string };
}

/** More commits of one push are not asked about. */
const COMMITS_MAX = 20;

/** Pull requests that were merged before this push, and are looked at because their job may have been killed. */
const EARLIER_MAX = 3;

/**
 * The reviews of the pull requests that this push has merged; several for one push of a merge queue. Reviews that were
 * merged right before come with them, if no job has told their outcome. Empty if this push has merged nothing. Rejects if
 * a pull request was merged without a review, or if it is not clear which one was.
 */
export async function chooseReviews(
  provider: Provider,
  repository: Repository,
  merged: Merged,
): Promise<readonly ChosenReview[]> {
  const pulls = new Map<number, PullRequest>();
  const commits = await commitsOf(repository, merged);
  for (const commit of commits) {
    const pull = await mergedBy(provider, commit);
    if (pull !== null) pulls.set(pull.number, pull);
  }
  const reviews: ChosenReview[] = [];
  const asked = { provider, repository, merged };
  for (const pull of pulls.values()) reviews.push(await reviewOf(asked, pull));
  return reviews.length === 0 ? [] : [...reviews, ...(await unfinished(asked, commits.at(-1)))];
}

/**
 * A job that is killed may leave a campaign stopped, and the next push must not leave it so. Anything odd about an earlier
 * pull request ends the search: it is not what this push is about.
 */
async function unfinished(asked: Asked, oldest: string | undefined): Promise<readonly ChosenReview[]> {
  const { provider, repository } = asked;
  const found = new Map<number, ChosenReview>();
  let commit = oldest;
  try {
    while (commit !== undefined && found.size < EARLIER_MAX) {
      [commit] = await repository.parentsOf(commit);
      if (commit === undefined) break;
      await repository.fetchCommit(commit);
      const pull = await mergedBy(provider, commit);
      if (pull === null || found.has(pull.number)) break;
      const review = await reviewOf(asked, pull);
      if (hasOutcomes(review.comment.body)) break;
      found.set(pull.number, review);
    }
  } catch (error) {
    if (!(error instanceof CiError || error instanceof GitError)) throw error;
  }
  return [...found.values()];
}

/** The commits that the push added to the branch itself, newest first. What a merge brought in is not asked about. */
async function commitsOf(repository: Repository, { commit, before }: Merged): Promise<readonly string[]> {
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

/** The pull request that a commit merged; null if it was pushed directly. */
async function mergedBy(provider: Provider, commit: string): Promise<PullRequest | null> {
  const all = (await provider.pullRequestsOf(commit)).filter(({ state }) => state === 'merged');
  const exact = all.filter(({ mergeCommit }) => mergeCommit === commit);
  const [only, other] = exact.length > 0 ? exact : all;
  if (only === undefined) return null;
  if (other === undefined) return only;
  throw new CiError(
    'ci-unclear-review',
    `Several merged pull requests have the commit ${short(commit)}: ${[only, other].map(nameOf).join(', ')}. Herald does not guess. Nothing was changed.`,
    'Get the reviewed plan from the artifact of the right one: herald ci apply --plan herald-plan.json',
    'refused',
  );
}

interface Asked {
  readonly provider: Provider;
  readonly repository: Repository;
  readonly merged: Merged;
}

async function reviewOf(asked: Asked, pull: PullRequest): Promise<ChosenReview> {
  const { provider, merged } = asked;
  const comments = await provider.ownComments(pull.number, markerStart(merged.workspace));
  const comment = comments.at(-1);
  if (comment === undefined)
    throw noReview(
      `${nameOf(pull)} has no comment with a plan. Its plan job did not run, or someone deleted the comment.`,
    );
  const marker = readMarker(merged.workspace, comment.body);
  if (marker === null)
    throw noReview(
      `The comment of ${nameOf(pull)} was changed, or another version of Herald made it: ${comment.url}`,
    );
  const { plan, head } = marker;
  if (plan === null) throw noReview(`${nameOf(pull)} was merged without a plan: its comment says why.`);
  if (head !== pull.head && !(await isMerged(asked, head)))
    throw new CiError(
      'ci-stale-review',
      `The plan of ${nameOf(pull)} was made for ${short(head)}, and the pull request was merged at ${short(pull.head)}, without that commit. Nothing was changed.`,
      AGAIN,
      'refused',
    );
  return { pullRequest: pull, comment, marker: { ...marker, plan } };
}

/** A branch that was pushed again with force does not have its old commits any more. */
async function isMerged({ repository, merged }: Asked, head: string): Promise<boolean> {
  try {
    return await repository.isAncestor(head, merged.commit);
  } catch (error) {
    if (error instanceof GitError) return false;
    throw error;
  }
}

const AGAIN =
  'Run the plan job of its last commit again, then this job. Or apply without a review: herald ci apply --allow-unreviewed';

function noReview(what: string): CiError {
  return new CiError('ci-no-review', `${what} Nothing was changed.`, AGAIN, 'refused');
}

/** Characters of a commit that people see. */
const SHORT = 12;

function short(commit: string): string {
  return commit.slice(0, SHORT);
}

function nameOf({ number }: PullRequest): string {
  return `pull request ${number}`;
}
