import { teamOf, type ApprovalRule } from '../../domain/approval.ts';
import type { Repository } from '../../domain/git.ts';
import type { Approval, Provider, PullRequest, PullRequestCommit } from '../../provider/provider.ts';
import { missingApprovals, sameLogin, type MissingApproval, type Reviewed } from './judge.ts';
import type { RequiredApproval } from './required.ts';
import { sameAsHead } from './same-content.ts';

/** Where the approvals of a pull request come from. */
export interface ReviewSource {
  readonly provider: Provider;
  readonly repository: Repository;
  readonly pullRequest: PullRequest;
  /** The tip of the base branch before the merge. */
  readonly base: string;
}

/**
 * The rules that have too few approvals. Asks the provider only if something is required: for the approvals, for the
 * commits, and for the teams of each reviewer. Without a pull request, no one has approved.
 */
export async function checkApprovals(
  required: readonly RequiredApproval[],
  source: ReviewSource | null,
): Promise<readonly MissingApproval[]> {
  if (required.length === 0) return [];
  const rules = required.map(({ rule }) => rule);
  return missingApprovals(required, source === null ? null : await reviewedIn(source, rules));
}

/** What the provider says of a pull request, as far as these rules need it. */
export async function reviewedIn(
  { provider, repository, pullRequest, base }: ReviewSource,
  rules: readonly ApprovalRule[],
): Promise<Reviewed> {
  const approvals = await provider.approvals(pullRequest.number);
  const commits = await provider.commits(pullRequest.number);
  const earlier = [...commitsOf(approvals), ...authorsBefore(pullRequest, commits)];
  return {
    pullRequest,
    approvals,
    commits,
    sameAsHead: await sameAsHead(repository, { base, head: pullRequest.head }, earlier),
    members: await membersOf(provider, rules, approvals),
  };
}

function commitsOf(approvals: readonly Approval[]): readonly string[] {
  return approvals.flatMap(({ state, commit }) => (state === 'approved' && commit !== null ? [commit] : []));
}

/** How many commits before the head are looked at, to find who wrote what it changes. */
const BEFORE_HEAD_MAX = 10;

function authorsBefore({ head }: PullRequest, commits: readonly PullRequestCommit[]): readonly string[] {
  const at = commits.findIndex(({ commit }) => commit === head);
  return commits.slice(Math.max(0, at - BEFORE_HEAD_MAX), Math.max(0, at)).map(({ commit }) => commit);
}

/** Asks only about people who approved, and about teams of rules that are needed. */
async function membersOf(
  provider: Provider,
  rules: readonly ApprovalRule[],
  approvals: readonly Approval[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const teams = new Set(rules.flatMap(({ from }) => from.flatMap((who) => teamOf(who) ?? [])));
  const people = new Set(
    approvals.filter(({ state }) => state === 'approved').map(({ by }) => sameLogin(by)),
  );
  const members = new Map<string, ReadonlySet<string>>();
  for (const team of teams) {
    const inTeam = new Set<string>();
    for (const who of people) if (await provider.isInTeam(who, team)) inTeam.add(who);
    members.set(team, inTeam);
  }
  return members;
}
