import * as z from 'zod';

/**
 * What Herald reads of GitLab's answers. Other members are left out, and one without which Herald can do its work may be missing:
 * a request that was carried out must not count as failed.
 */

const user = z.object({ id: z.number().optional(), username: z.string().optional() });
export const userReply = z.object({ id: z.number() });

/** The answer to a write: it is done. */
export const writtenReply = z.object({ id: z.number().nullish(), web_url: z.string().nullish() });

export const mergeRequestReply = z.object({
  iid: z.number(),
  web_url: z.string().nullish(),
  title: z.string().nullish(),
  state: z.enum(['opened', 'closed', 'locked', 'merged']),
  author: user.nullish(),
  sha: z.string().nullish(),
  merge_commit_sha: z.string().nullish(),
  squash_commit_sha: z.string().nullish(),
  discussion_locked: z.boolean().nullish(),
});
export type MergeRequestReply = z.infer<typeof mergeRequestReply>;

export const noteReply = z.object({
  id: z.number(),
  body: z.string(),
  system: z.boolean().optional(),
  author: user.nullish(),
});
export type NoteReply = z.infer<typeof noteReply>;

/** GitLab Free has no rules, and leaves out the numbers. */
export const approvalsReply = z.object({
  approved: z.boolean(),
  approvals_required: z.number().default(0),
  approvals_left: z.number().default(0),
});

export const jobReply = z.object({
  artifacts_file: z.object({}).nullish(),
  artifacts_expire_at: z.string().nullish(),
});

export const issueReply = z.object({
  iid: z.number(),
  web_url: z.string().nullish(),
  state: z.string(),
  title: z.string().nullish(),
  description: z.string().nullish(),
  author: user.nullish(),
});
export type IssueReply = z.infer<typeof issueReply>;
