import type { Issue, OwnComment, PullRequest } from '../provider.ts';
import type { IssueReply, MergeRequestReply, NoteReply } from './shapes.ts';

const STATES = { opened: 'open', locked: 'open', closed: 'closed', merged: 'merged' } as const;

export function pullRequestOf(reply: MergeRequestReply): PullRequest {
  const state = STATES[reply.state];
  const head = reply.sha ?? '';
  return {
    number: reply.iid,
    url: reply.web_url ?? '',
    title: reply.title ?? '',
    // The account may be deleted.
    author: reply.author?.username ?? 'ghost',
    state,
    head,
    // A fast-forward makes no commit: then the head itself is on the base branch.
    mergeCommit:
      state === 'merged' ? (reply.merge_commit_sha ?? reply.squash_commit_sha ?? (head || null)) : null,
  };
}

export function commentOf(pullRequest: number, webUrl: string, { id, body }: NoteReply): OwnComment {
  return { id: String(id), pullRequest, url: `${webUrl}#note_${id}`, body };
}

export function issueOf({ iid, web_url, state, title, description }: IssueReply): Issue {
  return {
    number: iid,
    url: web_url ?? '',
    isOpen: state === 'opened',
    title: title ?? '',
    body: description ?? '',
  };
}
