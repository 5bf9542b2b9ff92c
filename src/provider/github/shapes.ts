import * as z from 'zod';

/**
 * What Herald reads of GitHub's answers. Other members are left out, and one without which Herald can do its work may be missing:
 * a request that was carried out must not count as failed.
 */

const user = z.object({ login: z.string().optional(), id: z.number().optional() }).nullish();

/** The answer to a write: it is done. */
export const writtenReply = z.object({ html_url: z.string().nullish() });

export const viewerReply = z.object({
  data: z.object({ viewer: z.object({ login: z.string(), databaseId: z.number().nullish() }) }),
});

export const pullRequestReply = z.object({
  number: z.number(),
  html_url: z.string().nullish(),
  title: z.string().nullish(),
  state: z.enum(['open', 'closed']),
  merged_at: z.string().nullish(),
  merge_commit_sha: z.string().nullish(),
  user,
  head: z.object({ sha: z.string() }),
});
export type PullRequestReply = z.infer<typeof pullRequestReply>;

export const commentReply = z.object({
  id: z.number(),
  html_url: z.string().nullish(),
  issue_url: z.string(),
  body: z.string().nullish(),
  user,
});
export type CommentReply = z.infer<typeof commentReply>;

export const reviewDecisionReply = z.object({
  data: z.object({
    repository: z.object({ pullRequest: z.object({ reviewDecision: z.string().nullable() }) }),
  }),
});

export const artifactsReply = z.object({
  artifacts: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      size_in_bytes: z.number().nullish(),
      expired: z.boolean().nullish(),
      expires_at: z.string().nullish(),
      created_at: z.string().nullish(),
    }),
  ),
});

export const issueReply = z.object({
  number: z.number(),
  html_url: z.string().nullish(),
  state: z.string(),
  title: z.string().nullish(),
  body: z.string().nullish(),
  user,
  pull_request: z.unknown().optional(),
});
export type IssueReply = z.infer<typeof issueReply>;
