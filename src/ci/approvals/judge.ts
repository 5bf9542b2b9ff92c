import { teamOf, type ApprovalRule } from '../../domain/approval.ts';
import type { Approval, PullRequest, PullRequestCommit } from '../../provider/provider.ts';
import type { RequiredApproval } from './required.ts';

/** What the provider says of a pull request, with everything that was asked about it. */
export interface Reviewed {
  readonly pullRequest: Pick<PullRequest, 'author' | 'head'>;
  readonly approvals: readonly Approval[];
  /** Oldest first. */
  readonly commits: readonly PullRequestCommit[];
  /** Earlier heads that changed the same as the head: only the base moved since. */
  readonly sameAsHead: ReadonlySet<string>;
  /** The members of each team among the reviewers, in small letters. */
  readonly members: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Why an approval does not count. */
export type NotCounted = 'own-work' | 'old-commit' | 'unknown-commit' | 'dismissed' | 'withdrawn';

/** A rule with too few approvals. */
export interface MissingApproval extends RequiredApproval {
  /** Who has approved, and counts for this rule. */
  readonly by: readonly string[];
  /** Reviewers who could approve it, with an approval that does not count. */
  readonly notCounted: readonly { readonly who: string; readonly why: NotCounted }[];
  /** The account of the last commit's author is not known, so no reviewer can be shown to be another person. */
  readonly unknownAuthor: string | null;
}

/**
 * The rules that have too few approvals. Who wrote the last commit or opened the pull request does not count. An approval
 * counts for the commit that it was given for, and for a later one that changes the same.
 *
 * | the approval                                     | counts |
 * |--------------------------------------------------|--------|
 * | of the head                                      | yes    |
 * | of an earlier head, and only the base moved      | yes    |
 * | of an earlier head, or of one that is not known  | no     |
 * | dismissed, or withdrawn                          | no     |
 * | of who wrote the last commit, or opened the pull request | no |
 * | while the author of the last commit is not known | no     |
 */
export function missingApprovals(
  required: readonly RequiredApproval[],
  reviewed: Reviewed | null,
): readonly MissingApproval[] {
  if (reviewed === null)
    return required.map((one) => ({ ...one, by: [], notCounted: [], unknownAuthor: null }));
  const authors = authorsOf(reviewed);
  const words = lastWords(reviewed.approvals);
  return required.flatMap((one) => {
    const asked = words.filter(({ by }) => mayApprove(one.rule, by, reviewed.members));
    const judged = asked.map((approval) => ({
      who: approval.by,
      why: whyNot(approval, reviewed, authors.known),
    }));
    const by = authors.unknown === null ? judged.filter(({ why }) => why === null) : [];
    if (by.length >= one.rule.count) return [];
    return [
      {
        ...one,
        by: by.map(({ who }) => who),
        notCounted: judged.flatMap(({ who, why }) => (why === null ? [] : [{ who, why }])),
        unknownAuthor: authors.unknown,
      },
    ];
  });
}

/** Logins are the same in any case, on GitHub and on GitLab. */
export function sameLogin(login: string): string {
  return login.toLowerCase();
}

/** Whether a rule accepts this person. */
function mayApprove({ from }: ApprovalRule, who: string, members: Reviewed['members']): boolean {
  if (from.length === 0) return true;
  return from.some((one) => {
    const team = teamOf(one);
    return team === null
      ? sameLogin(one) === sameLogin(who)
      : members.get(team)?.has(sameLogin(who)) === true;
  });
}

/**
 * Who wrote what is applied: the author of the head, and of each commit that changed the same as it. A merge of the base
 * into the branch has another author, and the content is still that of the commit before.
 */
function authorsOf({ pullRequest, commits, sameAsHead }: Reviewed): {
  readonly known: ReadonlySet<string>;
  readonly unknown: string | null;
} {
  const last = commits.filter(({ commit }) => commit === pullRequest.head || sameAsHead.has(commit));
  // The provider may not list the head any more, after a force-push for example.
  const written = last.length > 0 ? last : commits.slice(-1);
  const unknown = written.find(({ author }) => author === null);
  const known = written.flatMap(({ author }) => author ?? []);
  return {
    known: new Set([...known, pullRequest.author].map(sameLogin)),
    unknown: written.length === 0 ? 'an unnamed author' : (unknown?.authorName ?? null),
  };
}

/** The last review of each reviewer. */
function lastWords(approvals: readonly Approval[]): readonly Approval[] {
  return [...new Map(approvals.map((approval) => [sameLogin(approval.by), approval])).values()];
}

function whyNot(
  { by, commit, state }: Approval,
  { pullRequest, sameAsHead }: Reviewed,
  authors: ReadonlySet<string>,
): NotCounted | null {
  if (state !== 'approved') return state;
  if (authors.has(sameLogin(by))) return 'own-work';
  if (commit === null) return 'unknown-commit';
  return commit === pullRequest.head || sameAsHead.has(commit) ? null : 'old-commit';
}
