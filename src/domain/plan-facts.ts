import * as z from 'zod';
import { ALLOWANCE_NAMES } from './allowance.ts';
import { KINDS } from './resource.ts';

/*
 * What a plan says in addition to its decisions, so that a person can review it without the files: where it was made, what is
 * declared, when it goes out, and what has a deadline. All of it is optional: plans of earlier versions, and plans of
 * an apply, do not have it.
 */

/** A file in the workspace, or media in the vault. */
const plannedAttachmentShape = z.strictObject({
  type: z.string(),
  is_paid: z.boolean().optional(),
  id: z.string().optional(),
  file: z.string().optional(),
  /** Of the file, in bytes. */
  size: z.int().optional(),
});
export type PlannedAttachment = Readonly<z.infer<typeof plannedAttachmentShape>>;

const plannedMessageShape = z.strictObject({
  text: z.string().nullable().optional(),
  price_gross: z.number().optional(),
  delay_sec: z.number().optional(),
  text_is_paid: z.boolean().optional(),
  attachments: z.array(plannedAttachmentShape).optional(),
  tagged_platform_account_ids: z.array(z.string()).optional(),
});
export type PlannedMessage = Readonly<z.infer<typeof plannedMessageShape>>;

/**
 * One resource of the files, once for all its accounts. Variables stay as `{{first_name}}`; `\{{` is a literal `{{`.
 */
const plannedContentShape = z.strictObject({
  kind: z.enum(KINDS),
  name: z.string(),
  file: z.string(),
  line: z.int(),
  status: z.string(),
  timezone: z.string().nullable(),
  /** Of a broadcast, in UTC. */
  scheduled_at: z.string().optional(),
  trigger: z.string().optional(),
  action: z.string().optional(),
  rules: z.record(z.string(), z.unknown()).optional(),
  audience_filters: z.array(z.unknown()),
  messages: z.array(plannedMessageShape),
});
export interface PlannedContent extends Readonly<z.infer<typeof plannedContentShape>> {}

/** What happens at a deadline: the message is sent, its recall ends, the service archives, or a resume is refused. */
const DEADLINE_KINDS = ['sends', 'recall_ends', 'archived', 'resume_ends'] as const;
export type DeadlineKind = (typeof DEADLINE_KINDS)[number];

const deadlineShape = z.strictObject({
  /** ISO 8601 in UTC. */
  at: z.string(),
  what: z.enum(DEADLINE_KINDS),
  kind: z.enum(KINDS),
  name: z.string(),
  accounts: z.array(z.string()),
});
export type Deadline = Readonly<z.infer<typeof deadlineShape>>;

const quietHoursShape = z.strictObject({ from: z.string(), to: z.string(), timezone: z.string() });

/** What a reviewer agrees to, as a digest: `sha256:` and 64 hex characters. */
export const fingerprintShape = z.string().regex(/^sha256:[0-9a-f]{64}$/);

/** The optional keys of a plan. */
export const planFactsShape = {
  /** Over the fingerprints of all changes. */
  fingerprint: fingerprintShape.optional(),
  /** Name of the workspace's folder. */
  workspace: z.string().optional(),
  /** Time of the plan on the service's clock, ISO 8601 in UTC. */
  planned_at: z.string().optional(),
  /** The user, and the CI job if there is one. */
  who: z.string().optional(),
  /** Version of Herald. */
  tool_version: z.string().optional(),
  /** `owner/name:folder` for each remote of git, sorted. All clones of a repository share one. */
  repository: z.array(z.string()).optional(),
  /** The commit that a CI job has checked out. */
  commit: z
    .strictObject({ id: z.string(), subject: z.string().optional(), author: z.string().optional() })
    .optional(),
  /** Allowances of the run, from a flag or from `herald.yaml`. */
  allowed: z
    .array(z.strictObject({ name: z.enum(ALLOWANCE_NAMES), from: z.enum(['flag', 'herald.yaml']) }))
    .optional(),
  /** All accounts of the workspace, by alias. */
  accounts: z.array(z.string()).optional(),
  /** Sorted by time. */
  deadlines: z.array(deadlineShape).optional(),
  /** `changes[].content` is an index of this list. */
  contents: z.array(plannedContentShape).optional(),
  /** Values of the variables in `contents`, by account. */
  variables: z.record(z.string(), z.record(z.string(), z.string())).optional(),
  /** The policies that a preview and a calendar show. */
  policy: z
    .strictObject({ quiet_hours: quietHoursShape.optional(), banned_words: z.array(z.string()).optional() })
    .optional(),
};

/** The optional keys of one change. */
export const changeFactsShape = {
  /** The same as long as the change does the same. Only of changes that a person reviews. */
  fingerprint: fingerprintShape.optional(),
  /** The declared resource: an index of `contents`. */
  content: z.int().optional(),
  /** When the live broadcast goes out, or went out, ISO 8601 in UTC. */
  scheduled_at: z.string().optional(),
};
