import * as z from 'zod';

/** What Herald reads of GitLab's answers. Other members are left out. */

const user = z.object({ id: z.number(), username: z.string() });
export const userReply = user;

export const mergeRequestReply = z.object({
  iid: z.number(),
  web_url: z.string(),
  title: z.string(),
  state: z.enum(['opened', 'closed', 'locked', 'merged']),
  draft: z.boolean().optional(),
  author: user.nullable(),
  sha: z.string().nullable(),
  source_branch: z.string(),
  target_branch: z.string(),
  source_project_id: z.number().nullable(),
  target_project_id: z.number(),
  merge_commit_sha: z.string().nullish(),
  squash_commit_sha: z.string().nullish(),
  diff_refs: z.object({ start_sha: z.string().nullable() }).nullish(),
  discussion_locked: z.boolean().nullish(),
});
export type MergeRequestReply = z.infer<typeof mergeRequestReply>;

export const noteReply = z.object({
  id: z.number(),
  body: z.string(),
  system: z.boolean().optional(),
  author: user.nullable(),
});
export type NoteReply = z.infer<typeof noteReply>;

export const statusReply = z.object({ id: z.number(), status: z.string() });

/** GitLab Free has no rules, and leaves out the numbers. */
export const approvalsReply = z.object({
  approved: z.boolean(),
  approvals_required: z.number().default(0),
  approvals_left: z.number().default(0),
});

export const jobReply = z.object({
  artifacts_file: z.object({ filename: z.string() }).nullish(),
  artifacts_expire_at: z.string().nullish(),
});

export const issueReply = z.object({
  iid: z.number(),
  web_url: z.string(),
  state: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  author: user.nullable(),
});
export type IssueReply = z.infer<typeof issueReply>;
