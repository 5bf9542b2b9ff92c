import type { Issue, OwnComment, PullRequest } from '../provider.ts';
import type { CommentReply, IssueReply, PullRequestReply } from './shapes.ts';

export function pullRequestOf(reply: PullRequestReply): PullRequest {
  const { head, base } = reply;
  const isMerged = reply.merged_at !== null;
  return {
    number: reply.number,
    url: reply.html_url,
    title: reply.title,
    // The account may be deleted.
    author: reply.user?.login ?? 'ghost',
    state: isMerged ? 'merged' : reply.state,
    isDraft: reply.draft ?? false,
    head: head.sha,
    headBranch: head.ref,
    base: base.sha,
    baseBranch: base.ref,
    // A fork may be deleted. What is not known is not trusted.
    isFork: head.repo?.full_name === undefined || head.repo.full_name !== base.repo?.full_name,
    // Before the merge, it is a test merge that GitHub makes.
    mergeCommit: isMerged ? reply.merge_commit_sha : null,
  };
}

export function commentOf({ id, html_url, issue_url, body }: CommentReply): OwnComment {
  return {
    id: String(id),
    pullRequest: Number(issue_url.slice(issue_url.lastIndexOf('/') + 1)),
    url: html_url,
    body: body ?? '',
  };
}

export function issueOf({ number, html_url, state, title, body }: IssueReply): Issue {
  return { number, url: html_url, isOpen: state === 'open', title, body: body ?? '' };
}
