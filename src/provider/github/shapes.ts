import * as z from 'zod';

/** What Herald reads of GitHub's answers. Other members are left out. */

const user = z.object({ login: z.string(), id: z.number() }).nullable();
const repository = z.object({ full_name: z.string() }).nullish();

export const viewerReply = z.object({
  data: z.object({ viewer: z.object({ login: z.string(), databaseId: z.number().nullable() }) }),
});

export const pullRequestReply = z.object({
  number: z.number(),
  html_url: z.string(),
  title: z.string(),
  state: z.enum(['open', 'closed']),
  draft: z.boolean().optional(),
  merged_at: z.string().nullable(),
  merge_commit_sha: z.string().nullable(),
  user,
  head: z.object({ sha: z.string(), ref: z.string(), repo: repository }),
  base: z.object({ sha: z.string(), ref: z.string(), repo: repository }),
});
export type PullRequestReply = z.infer<typeof pullRequestReply>;

export const commentReply = z.object({
  id: z.number(),
  html_url: z.string(),
  issue_url: z.string(),
  body: z.string().nullish(),
  user,
});
export type CommentReply = z.infer<typeof commentReply>;

export const statusReply = z.object({ state: z.string(), context: z.string() });

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
      size_in_bytes: z.number(),
      expired: z.boolean(),
      expires_at: z.string().nullable(),
      created_at: z.string().nullable(),
    }),
  ),
});

export const issueReply = z.object({
  number: z.number(),
  html_url: z.string(),
  state: z.string(),
  title: z.string(),
  body: z.string().nullish(),
  user,
  pull_request: z.unknown().optional(),
});
export type IssueReply = z.infer<typeof issueReply>;
