import { formatCommand } from '../domain/command-line.ts';
import { EXIT } from '../domain/exit-codes.ts';
import type { Repository } from '../domain/git.ts';
import { hasCode, HeraldError } from '../domain/herald-error.ts';
import type { OwnComment, Provider, PullRequest } from '../provider/provider.ts';
import { markerStart, readMarker, type ReviewMarker } from './comment.ts';
import { hasOutcomes, unapprovedIn } from './outcome-comment.ts';

/** What was merged, and where its review is looked for. */
export interface Merged extends Push {
  /** `workspaceDigest` of the folder. */
  readonly workspace: string;
}

/** A merged pull request, and what its comment says of the plan that was reviewed. */
export interface ChosenReview {
  /** Merged before this push, and not reported by its own job yet. That job may still run. */
  readonly isEarlier: boolean;
  readonly pullRequest: PullRequest;
  readonly comment: OwnComment;
  readonly marker: ReviewMarker & { readonly plan: string };
}

/** A pull request of which an earlier job has not applied these addresses, because approvals were missing. */
export interface UnapprovedReview {
  readonly pullRequest: PullRequest;
  readonly comment: OwnComment;
  readonly addresses: readonly string[];
}

export interface ChosenReviews {
  readonly chosen: readonly ChosenReview[];
  /** Commits of this push that no merged pull request has. */
  readonly direct: readonly string[];
  readonly unapproved: readonly UnapprovedReview[];
}

/** Pull requests that were merged before this push, and are looked at because their job may have been killed. */
const EARLIER_MAX = 3;

interface Asked {
  readonly provider: Provider;
  readonly repository: Repository;
  readonly merged: Merged;
}

/**
 * The reviews of the pull requests that this push has merged; several for one push of a merge queue. Reviews that were
 * merged right before come with them, if no job has reported their outcome. None if this push has merged nothing. Rejects if
 * a pull request was merged without a review, or if it is not clear which one was.
 */
export async function chooseReviews(asked: Asked): Promise<ChosenReviews> {
  const { provider, repository, merged } = asked;
  const pulls = new Map<number, PullRequest>();
  const direct: string[] = [];
  const { commits, notLookedAt } = await commitsOfPush(repository, merged);
  // What is left out of the search would be left out of the apply, too.
  if (notLookedAt !== null) throw tooLong(notLookedAt);
  for (const commit of commits) {
    const pull = await mergedBy(provider, commit);
    if (pull === null) direct.push(commit);
    else pulls.set(pull.number, pull);
  }
  const chosen: ChosenReview[] = [];
  for (const pull of pulls.values()) chosen.push(await readReviewedPlan(asked, pull));
  if (chosen.length === 0) return { chosen, direct, unapproved: [] };
  const earlier = await unfinished(asked, commits.at(-1), pulls);
  return { ...earlier, direct, chosen: [...chosen, ...earlier.chosen] };
}

function tooLong(range: string): HeraldError {
  return new HeraldError(
    'ci-no-review',
    `This push has more than ${COMMITS_MAX} commits, and Herald looks for the reviews of no more. Not looked at: ${range}. Nothing was changed.`,
    `Review it by hand: ${formatCommand('plan', '--out', 'plan.json')}, then ${formatCommand('apply', 'plan.json')}. Or apply it without a review: ${formatCommand('ci', 'apply', '--allow-unreviewed')}`,
    { exit: EXIT.blocked },
  );
}

/**
 * The review that a plan belongs to, by its fingerprint: that of a pull request which this push has merged. Rejects if
 * there is none.
 */
export async function reviewOfPlan(
  asked: Asked,
  { name, fingerprint }: { readonly name: string; readonly fingerprint: string | null },
): Promise<ChosenReview> {
  const { provider, repository, merged } = asked;
  const pulls = new Map<number, PullRequest>();
  const { commits, notLookedAt } = await commitsOfPush(repository, merged);
  for (const commit of commits)
    for (const pull of await allMergedBy(provider, commit)) pulls.set(pull.number, pull);
  const reviews: ChosenReview[] = [];
  const refusals: HeraldError[] = [];
  for (const pull of pulls.values()) {
    try {
      reviews.push(await readReviewedPlan(asked, pull));
    } catch (error) {
      if (!hasCode(error, 'ci-')) throw error;
      refusals.push(error);
    }
  }
  const own = reviews.find(({ marker }) => marker.plan === fingerprint);
  if (own !== undefined) return own;
  const [refusal] = refusals;
  if (refusal !== undefined) throw refusal;
  if (notLookedAt !== null) throw tooLong(notLookedAt);
  const numbers = [...pulls.keys()];
  const names = numbers.map((number) => `pull request ${number}`).join(', ');
  throw new HeraldError(
    'ci-stale-review',
    numbers.length === 0
      ? `No merged pull request has the commit ${short(merged.commit)}, so ${name} was not reviewed in one. Nothing was changed.`
      : `${name} is not the plan that was reviewed in ${names}. Nothing was changed.`,
    'Name the plan of the artifact that the comment names. To apply this one without that review: add --allow-unreviewed',
    { exit: EXIT.blocked, details: { pull_requests: numbers } },
  );
}

/**
 * A job that is killed may leave a campaign stopped, and the next push must not leave it so. Anything odd about an earlier
 * pull request ends the search: it is not what this push is about.
 */
async function unfinished(
  asked: Asked,
  oldest: string | undefined,
  ofPush: ReadonlyMap<number, unknown>,
): Promise<Pick<ChosenReviews, 'chosen' | 'unapproved'>> {
  const { provider, repository } = asked;
  const chosen: ChosenReview[] = [];
  const unapproved: UnapprovedReview[] = [];
  const seen = new Set(ofPush.keys());
  let commit = oldest;
  try {
    for (let left = COMMITS_MAX; left > 0 && seen.size < ofPush.size + EARLIER_MAX; left -= 1) {
      if (commit !== undefined) [commit] = await repository.parentsOf(commit);
      if (commit === undefined) break;
      await repository.fetchCommit(commit);
      const pullRequest = await mergedBy(provider, commit);
      if (pullRequest === null) break;
      // A rebase puts several commits of one pull request on the branch.
      if (seen.has(pullRequest.number)) continue;
      seen.add(pullRequest.number);
      const review = await readReviewedPlan(asked, pullRequest);
      const { comment, marker } = review;
      const { withdrawn = [] } = marker;
      const addresses = unapprovedIn(comment.body).filter((address) => !withdrawn.includes(address));
      if (!hasOutcomes(comment.body)) chosen.push({ ...review, isEarlier: true });
      else if (addresses.length > 0) unapproved.push({ pullRequest, comment, addresses });
      else break;
    }
  } catch (error) {
    if (!(hasCode(error, 'ci-') || hasCode(error, 'git-'))) throw error;
  }
  return { chosen, unapproved };
}

async function readReviewedPlan(asked: Asked, pull: PullRequest): Promise<ChosenReview> {
  const { provider, merged } = asked;
  const comments = await provider.ownComments(pull.number, markerStart(merged.workspace));
  const comment = comments.at(-1);
  if (comment === undefined)
    throw noReview(
      pull,
      `${namePullRequest(pull)} has no comment with a plan. Its plan job did not run, or someone deleted the comment.`,
    );
  const marker = readMarker(merged.workspace, comment.body);
  if (marker === null)
    throw noReview(
      pull,
      `The comment of ${namePullRequest(pull)} was changed, or another version of Herald made it: ${comment.url}`,
    );
  const { plan, head } = marker;
  if (plan === null)
    throw noReview(pull, `${namePullRequest(pull)} was merged without a plan: its comment says why.`);
  if (head !== pull.head && !(await isEarlierCommit(asked, pull, head)))
    throw new HeraldError(
      'ci-stale-review',
      `The plan of ${namePullRequest(pull)} was made for ${short(head)}, and the pull request was merged at ${short(pull.head)}, without that commit. Nothing was changed.`,
      howToGoOn(),
      { exit: EXIT.blocked, details: { pull_requests: [pull.number] } },
    );
  return { isEarlier: false, pullRequest: pull, comment, marker: { ...marker, plan } };
}

/**
 * Whether the planned commit is an earlier one of this pull request that was merged with it. A branch that was pushed again
 * with force does not have its old commits any more. A commit of another pull request was reviewed there, not here.
 */
async function isEarlierCommit(
  { provider, repository, merged }: Asked,
  { number }: PullRequest,
  head: string,
): Promise<boolean> {
  try {
    if (!(await repository.isAncestor(head, merged.commit))) return false;
  } catch (error) {
    if (hasCode(error, 'git-')) return false;
    throw error;
  }
  return (await provider.pullRequestsOf(head)).some((one) => one.number === number);
}

const howToGoOn = () =>
  `Run the plan job of its last commit again, then this job. Or apply without a review: ${formatCommand('ci', 'apply', '--allow-unreviewed')}`;

function noReview({ number }: PullRequest, what: string): HeraldError {
  return new HeraldError('ci-no-review', `${what} Nothing was changed.`, howToGoOn(), {
    exit: EXIT.blocked,
    details: { pull_requests: [number] },
  });
}

/** Characters of a commit that people see. */
const SHORT = 12;

function short(commit: string): string {
  return commit.slice(0, SHORT);
}

function namePullRequest({ number }: PullRequest): string {
  return `pull request ${number}`;
}

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
const COMMITS_MAX = 250;

/** The commits of a push, as far as Herald asks about them. */
interface PushCommits {
  /** Newest first. */
  readonly commits: readonly string[];
  /** The older ones of the push, as a range for `git log`. Null if there are none. */
  readonly notLookedAt: string | null;
}

/** The commits that a push added to the branch itself. What a merge brought in is not asked about. */
async function commitsOfPush(repository: Repository, { commit, before }: Push): Promise<PushCommits> {
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
async function mergedBy(provider: Provider, commit: string): Promise<PullRequest | null> {
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

/** All pull requests of a commit, for a person who names the plan. */
async function allMergedBy(provider: Provider, commit: string): Promise<readonly PullRequest[]> {
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
