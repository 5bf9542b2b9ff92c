import type { Approval, Issue, OwnComment, PullRequest } from '../provider.ts';
import type { IssueReply, MergeRequestReply, NoteReply, VersionReply } from './shapes.ts';

const STATES = { opened: 'open', locked: 'open', closed: 'closed', merged: 'merged' } as const;

export function pullRequestOf(reply: MergeRequestReply): PullRequest {
  const state = STATES[reply.state];
  const head = reply.sha ?? '';
  return {
    number: reply.iid,
    url: reply.web_url,
    title: reply.title,
    // The account may be deleted.
    author: reply.author?.username ?? 'ghost',
    state,
    isDraft: reply.draft ?? false,
    head,
    headBranch: reply.source_branch,
    base: reply.diff_refs?.start_sha ?? null,
    baseBranch: reply.target_branch,
    // A fork may be deleted. What is not known is not trusted.
    isFork: reply.source_project_id !== reply.target_project_id,
    // A fast-forward makes no commit: then the head itself is on the base branch.
    mergeCommit:
      state === 'merged' ? (reply.merge_commit_sha ?? reply.squash_commit_sha ?? (head || null)) : null,
  };
}

export function commentOf(pullRequest: number, webUrl: string, { id, body }: NoteReply): OwnComment {
  return { id: String(id), pullRequest, url: `${webUrl}#note_${id}`, body };
}

export function issueOf({ iid, web_url, state, title, description }: IssueReply): Issue {
  return { number: iid, url: web_url, isOpen: state === 'opened', title, body: description ?? '' };
}

interface ApprovedBy {
  readonly user: { readonly username: string };
  readonly approved_at?: string | null | undefined;
}

/** Approvals, with the head that the merge request had at their time. GitLab leaves out those that were taken away. */
export function approvalsAt(
  approvedBy: readonly ApprovedBy[],
  versions: readonly VersionReply[],
): readonly Approval[] {
  const oldestFirst = versions.toSorted(
    (one, other) => Date.parse(one.created_at) - Date.parse(other.created_at),
  );
  return approvedBy
    .map(({ user, approved_at }): Approval => {
      const at = approved_at ?? null;
      const version =
        at === null
          ? undefined
          : oldestFirst.findLast(({ created_at }) => Date.parse(created_at) <= Date.parse(at));
      return { by: user.username, commit: version?.head_commit_sha ?? null, at, state: 'approved' };
    })
    .toSorted((one, other) => (one.at ?? '').localeCompare(other.at ?? ''));
}
