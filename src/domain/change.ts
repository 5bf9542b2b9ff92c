import * as z from 'zod';
import { ALLOWANCE_NAMES } from './allowance.ts';
import { diagnosticShape } from './diagnostic.ts';
import { KINDS } from './resource.ts';
import { serviceIdentityShape } from './service-identity.ts';

/** Every kind of change, in the order in which summaries name them. */
export const CHANGE_KINDS = [
  'create',
  'replace',
  'activate',
  'resume',
  'pause',
  'archive',
  'recall',
  'retire',
  'keep',
  'done',
  'missed',
  'blocked',
  'unmanaged',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Kinds that send something that changes live state. */
export const WRITING_KINDS = [
  'create',
  'replace',
  'activate',
  'resume',
  'pause',
  'archive',
  'recall',
  'retire',
] as const satisfies readonly ChangeKind[];
export type WritingKind = (typeof WRITING_KINDS)[number];

/** Steps about an object that exists. */
const OBJECT_STEP_KINDS = [
  'pause',
  'archive',
  'activate',
  'reactivate',
  'resume',
  'recall',
  'prove_dead',
  'check_not_left',
] as const;

/** Steps about an object that may not exist yet. */
const NEW_STEP_KINDS = ['create', 'read_back'] as const;

const addressShape = z.strictObject({ account: z.string(), kind: z.enum(KINDS), name: z.string() });

/** Brings a file into the account's vault: its size in bytes, and about how long that takes. */
const uploadStepShape = z.strictObject({
  kind: z.literal('upload'),
  live_id: z.null(),
  file: z.string(),
  size: z.int(),
  about_sec: z.int(),
});
export type UploadStep = Readonly<z.infer<typeof uploadStepShape>>;

const objectStepShape = z.strictObject({ kind: z.enum(OBJECT_STEP_KINDS), live_id: z.string() });
export type ObjectStep = Readonly<z.infer<typeof objectStepShape>>;

/** `live_id` is null where the object does not exist yet. */
const newStepShape = z.strictObject({ kind: z.enum(NEW_STEP_KINDS), live_id: z.string().nullable() });
export type NewStep = Readonly<z.infer<typeof newStepShape>>;

/** One call or check of a change. */
const stepShape = z.discriminatedUnion('kind', [uploadStepShape, objectStepShape, newStepShape]);
export type Step = UploadStep | ObjectStep | NewStep;

/** What a step does; `apply/steps.ts` has one row for each. */
export type StepKind = Step['kind'];

/** One field: `old` is what is live, `new` what is declared; null stands for absent or not readable. */
const fieldDifferenceShape = z.strictObject({
  path: z.string(),
  old: z.unknown(),
  new: z.unknown(),
});
export type FieldDifference = Readonly<z.infer<typeof fieldDifferenceShape>>;

/** One live value that no file states: a replace makes the new version without it. */
const droppedShape = z.strictObject({ path: z.string(), live: z.unknown() });
export type Dropped = Readonly<z.infer<typeof droppedShape>>;

const changeShape = z.strictObject({
  address: addressShape,
  action: z.enum(CHANGE_KINDS),
  live_id: z.string().nullable(),
  reasons: z.array(z.string()),
  fields: z.array(fieldDifferenceShape),
  /** What is set on the live object and in no file. A plan of an earlier version does not say it. */
  dropped: z.array(droppedShape).default([]),
  steps: z.array(stepShape),
  needs: z.array(z.enum(ALLOWANCE_NAMES)),
  reversible: z.boolean(),
  /** How and until when it can be undone, in words; empty for changes that write nothing. */
  undo: z.string(),
});

/** One decision about one live or declared object. Reasons explain it; they never decide. */
export interface Change extends Readonly<z.infer<typeof changeShape>> {}

/** Whether a change sends something that changes live state. */
export function writes(change: Change): boolean {
  return (WRITING_KINDS as readonly ChangeKind[]).includes(change.action);
}

/** `herald/plan/1`: what `plan` and `drift` print as JSON. */
export const planShape = z.strictObject({
  schema: z.literal('herald/plan/1'),
  /** The service that the plan was made from, and that an apply of it works with. */
  service: serviceIdentityShape,
  changes: z.array(changeShape),
  summary: z.record(z.enum(CHANGE_KINDS), z.int()),
  diagnostics: z.array(diagnosticShape),
  /** Lower bound set by the published rates, in seconds. */
  eta_sec: z.number(),
});
export interface Plan extends Readonly<z.infer<typeof planShape>> {}

/** The same as `plan --out` prints it: with the file that it was saved to, and the digest for `apply --expect`. */
export const printedPlanShape = planShape.extend({
  saved: z.strictObject({ file: z.string(), digest: z.string() }).optional(),
});
export interface PrintedPlan extends Readonly<z.infer<typeof printedPlanShape>> {}

export const OUTCOMES = ['applied', 'adopted', 'unchanged', 'failed', 'unknown', 'not_attempted'] as const;
export type OutcomeKind = (typeof OUTCOMES)[number];

const outcomeShape = z.strictObject({
  address: addressShape,
  action: z.enum(CHANGE_KINDS),
  outcome: z.enum(OUTCOMES),
  live_id: z.string().nullable(),
  message: z.string(),
});

/** What became of one change: exactly one per change of the plan. */
export interface Outcome extends Readonly<z.infer<typeof outcomeShape>> {}

/** `herald/apply/1`: what `apply` prints as JSON. */
export const applyReportShape = z.strictObject({
  schema: z.literal('herald/apply/1'),
  outcomes: z.array(outcomeShape),
  summary: z.record(z.enum(OUTCOMES), z.int()),
});
export interface ApplyReport extends Readonly<z.infer<typeof applyReportShape>> {}

/** `herald/error/1`: a command that failed, as JSON. */
export const errorReportShape = z.strictObject({
  schema: z.literal('herald/error/1'),
  code: z.string(),
  message: z.string(),
  hint: z.string().nullable(),
  details: z.unknown(),
});

/** Whether something in the plan holds back the whole run: a policy denial, too many changes. */
export function isHeldBack({ diagnostics }: Pick<Plan, 'diagnostics'>): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}
