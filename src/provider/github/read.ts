import type { Issue, OwnComment, PullRequest } from '../provider.ts';
import type { CommentReply, IssueReply, PullRequestReply } from './shapes.ts';

export function pullRequestOf(reply: PullRequestReply): PullRequest {
  const isMerged = (reply.merged_at ?? null) !== null;
  return {
    number: reply.number,
    url: reply.html_url ?? '',
    title: reply.title ?? '',
    // The account may be deleted.
    author: reply.user?.login ?? 'ghost',
    state: isMerged ? 'merged' : reply.state,
    head: reply.head.sha,
    // Before the merge, it is a test merge that GitHub makes.
    mergeCommit: isMerged ? (reply.merge_commit_sha ?? null) : null,
  };
}

export function commentOf({ id, html_url, issue_url, body }: CommentReply): OwnComment {
  return {
    id: String(id),
    pullRequest: Number(issue_url.slice(issue_url.lastIndexOf('/') + 1)),
    url: html_url ?? '',
    body: body ?? '',
  };
}

export function issueOf({ number, html_url, state, title, body }: IssueReply): Issue {
  return { number, url: html_url ?? '', isOpen: state === 'open', title: title ?? '', body: body ?? '' };
}
