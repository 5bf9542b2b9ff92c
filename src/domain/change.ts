import * as z from 'zod';
import { ALLOWANCE_NAMES, CHANGE_KINDS, WRITING_KINDS } from './change-kinds.ts';
import { diagnosticShape } from './diagnostic-shape.ts';
import { KINDS } from './resource.ts';

export const serviceIdentityShape = z.strictObject({
  /** Its address without secrets; `simulator:FILE` for the embedded simulator. */
  origin: z.string(),
  source: z.enum(['herald.yaml', 'HERALD_BASE_URL']),
  /** True for the embedded simulator, and for a service that identifies itself as one. */
  simulator: z.boolean(),
});

/*
 * What a plan says in addition to its decisions, so that a person can review it without the files: where it was made, what is
 * declared, when it goes out, and what has a deadline. All of it is optional, because plans of an apply do not have it.
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

/** A resource of the files, once for all its accounts. `{{first_name}}` stays; `\{{` is a literal `{{`. */
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

const deadlineShape = z.strictObject({
  /** ISO 8601 in UTC. */
  at: z.string(),
  /** The message is sent, its recall ends, the service archives, or a resume is refused. */
  what: z.enum(['sends', 'recall_ends', 'archived', 'resume_ends']),
  kind: z.enum(KINDS),
  name: z.string(),
  accounts: z.array(z.string()),
});
export type Deadline = Readonly<z.infer<typeof deadlineShape>>;
export type DeadlineKind = Deadline['what'];

const quietHoursShape = z.strictObject({ from: z.string(), to: z.string(), timezone: z.string() });

/** What a reviewer agrees to, as a digest: `sha256:` and 64 hex characters. */
const fingerprintShape = z.string().regex(/^sha256:[0-9a-f]{64}$/);

export type ChangeKind = (typeof CHANGE_KINDS)[number];

const addressShape = z.strictObject({ account: z.string(), kind: z.enum(KINDS), name: z.string() });

/** Uploads a file to the account's vault, with its size in bytes and the estimated time. */
const uploadStepShape = z.strictObject({
  kind: z.literal('upload'),
  live_id: z.null(),
  file: z.string(),
  size: z.int(),
  about_sec: z.int(),
});

/** For an existing object. */
const objectStepShape = z.strictObject({
  kind: z.enum(['pause', 'archive', 'activate', 'resume', 'recall', 'check_not_left']),
  live_id: z.string(),
});
export type ObjectStep = Readonly<z.infer<typeof objectStepShape>>;

/** For an object that may not exist yet; `live_id` is null then. */
const newStepShape = z.strictObject({
  kind: z.enum(['create', 'read_back']),
  live_id: z.string().nullable(),
});
export type NewStep = Readonly<z.infer<typeof newStepShape>>;

const stepShape = z.discriminatedUnion('kind', [uploadStepShape, objectStepShape, newStepShape]);
export type Step = Readonly<z.infer<typeof stepShape>>;

/** Kinds of steps. `engine/steps.ts` has one row for each. */
export type StepKind = Step['kind'];

/** One field: `old` is live, `new` is declared. Null means absent or not readable. */
const fieldDifferenceShape = z.strictObject({
  path: z.string(),
  old: z.unknown(),
  new: z.unknown(),
});
export type FieldDifference = Readonly<z.infer<typeof fieldDifferenceShape>>;

/** A live value that is not in the files. A replace loses it. */
const droppedShape = z.strictObject({ path: z.string(), live: z.unknown() });
export type Dropped = Readonly<z.infer<typeof droppedShape>>;

/** Sends of a campaign that are still queued. It is about, because a fan who is targeted twice counts twice. */
const queuedShape = z.strictObject({
  live_id: z.string(),
  about: z.int(),
  targeted: z.int(),
  sent: z.int(),
});
export type Queued = Readonly<z.infer<typeof queuedShape>>;

/** What would be done if a person had agreed to it. */
const withheldShape = z.strictObject({ action: z.enum(CHANGE_KINDS), fingerprint: fingerprintShape });

const changeShape = z.strictObject({
  address: addressShape,
  action: z.enum(CHANGE_KINDS),
  live_id: z.string().nullable(),
  reasons: z.array(z.string()),
  fields: z.array(fieldDifferenceShape),
  /** Live values that are not in the files. */
  dropped: z.array(droppedShape),
  steps: z.array(stepShape),
  needs: z.array(z.enum(ALLOWANCE_NAMES)),
  /** Sends that campaigns have still queued when they are stopped. Missing if there are none, or none are known. */
  queued: z.array(queuedShape).optional(),
  reversible: z.boolean(),
  /** How and until when it can be undone, as text. Empty for changes that write nothing. */
  undo: z.string(),
  /** Of `apply --reviewed`: what would be done if it were reviewed. The change itself is blocked. */
  unreviewed: withheldShape.optional(),
  /** Of `ci apply`: what would be done if it had the approvals that it needs. The change itself is blocked. */
  unapproved: withheldShape.optional(),
  /**
   * What a difference comes from, as far as the state tells: the service was changed since the last apply, the files were
   * changed and not applied, or both. Set by `drift`.
   */
  cause: z.enum(['service', 'files', 'both', 'unknown']).optional(),
  /** The create of the live version, if the state has it. Set by `drift`. */
  last_applied: z.strictObject({ at: z.string(), who: z.string().nullable() }).optional(),
  /** Changes with what the change does, so a review covers exactly that. Only of changes that a person reviews. */
  fingerprint: fingerprintShape.optional(),
  /** The declared resource: an index of `contents`. */
  content: z.int().optional(),
  /** When the live broadcast goes out, or went out, ISO 8601 in UTC. */
  scheduled_at: z.string().optional(),
});

/** One decision about one live or declared object. The reasons are for people only. */
export interface Change extends Readonly<z.infer<typeof changeShape>> {}
export type DriftCause = NonNullable<Change['cause']>;

/** True if the change sends something that changes live state. */
export function writes(change: Pick<Change, 'action'>): boolean {
  return (WRITING_KINDS as readonly ChangeKind[]).includes(change.action);
}

/** `herald/plan/1`: the JSON output of `plan` and `drift`. */
export const planShape = z.strictObject({
  schema: z.literal('herald/plan/1'),
  service: serviceIdentityShape,
  changes: z.array(changeShape),
  summary: z.record(z.enum(CHANGE_KINDS), z.int()),
  diagnostics: z.array(diagnosticShape),
  /** Lower bound from the published rates, in seconds. */
  eta_sec: z.number(),
  /** Over the fingerprints of all changes. */
  fingerprint: fingerprintShape.optional(),
  /** Name of the workspace's folder. */
  workspace: z.string().optional(),
  /** Time of the plan on the service's clock, ISO 8601 in UTC. */
  planned_at: z.string().optional(),
  /** The user, and the CI job if there is one. */
  who: z.string().optional(),
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
});
export interface Plan extends Readonly<z.infer<typeof planShape>> {}

/** The output of `plan --out`: the plan, with its file and the digest for `apply --expect`. */
export const printedPlanShape = planShape.extend({
  saved: z.strictObject({ file: z.string(), digest: z.string() }).optional(),
});
export interface PrintedPlan extends Readonly<z.infer<typeof printedPlanShape>> {}

export const OUTCOMES = [
  'applied',
  'adopted',
  'unchanged',
  'missed',
  'failed',
  'unknown',
  'not_attempted',
] as const;
export type OutcomeKind = (typeof OUTCOMES)[number];

const outcomeShape = z.strictObject({
  address: addressShape,
  action: z.enum(CHANGE_KINDS),
  outcome: z.enum(OUTCOMES),
  live_id: z.string().nullable(),
  message: z.string(),
  needs: z.array(z.enum(ALLOWANCE_NAMES)).optional(),
  /** Of a change that was not reviewed: what would be done, with the fields that it would change. */
  unreviewed: withheldShape.extend({ fields: z.array(fieldDifferenceShape) }).optional(),
  /** Of a change without the approvals that it needs: what would be done. */
  unapproved: withheldShape.optional(),
});

/** The result of one change. Each change of the plan has exactly one. */
export interface Outcome extends Readonly<z.infer<typeof outcomeShape>> {}

/** What a reviewer agreed to: a change by its fingerprint. The rest is for people. */
const reviewedChangeShape = z.strictObject({
  address: addressShape,
  action: z.enum(CHANGE_KINDS).nullable(),
  fingerprint: fingerprintShape,
});
export interface ReviewedChange extends Readonly<z.infer<typeof reviewedChangeShape>> {}

/** `herald/apply/1`: the JSON output of `apply`. */
export const applyReportShape = z.strictObject({
  schema: z.literal('herald/apply/1'),
  outcomes: z.array(outcomeShape),
  summary: z.record(z.enum(OUTCOMES), z.int()),
  /** Of `apply --reviewed`: reviewed changes with nothing left to do. */
  already_done: z.array(reviewedChangeShape).optional(),
  /** What the command ends with. */
  exit: z.int().optional(),
});
export interface ApplyReport extends Readonly<z.infer<typeof applyReportShape>> {}

/** `herald/error/1`: the JSON output of a failed command. */
export const errorReportShape = z.strictObject({
  schema: z.literal('herald/error/1'),
  code: z.string(),
  message: z.string(),
  hint: z.string().nullable(),
  details: z.unknown(),
});

/** True if the whole run is blocked: by a policy denial, or by too many changes. */
export function isPlanRefused({ diagnostics }: Pick<Plan, 'diagnostics'>): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}
