import * as z from 'zod';
import { applyReportShape, errorReportShape, printedPlanShape } from '../domain/change.ts';
import { diagnosticShape } from '../domain/diagnostic-shape.ts';
import { resourceFileShape, workspaceFileShape } from '../workspace/schema.ts';
import { sealedPlanShape } from '../plan/saved.ts';
import { storedEventShape } from '../events/event.ts';
import { importReportShape } from '../import/shape.ts';
import { POLICY_LEVELS } from '../domain/workspace.ts';
import { POLICY_RULES } from '../policy/rules.ts';

/** `herald/validate/1`: the JSON output of `validate`. */
const validateReportShape = z.strictObject({
  schema: z.literal('herald/validate/1'),
  valid: z.boolean(),
  /** Null if the files are not valid. */
  resources: z.int().nullable(),
  diagnostics: z.array(diagnosticShape),
});

/** `herald/policy-test/1`: the JSON output of `policy test`. */
export const policyTestShape = z.strictObject({
  schema: z.literal('herald/policy-test/1'),
  rules: z.array(
    z.strictObject({
      rule: z.enum(POLICY_RULES.map(({ key }) => key)),
      /** Null if the rule is not set. */
      level: z.enum(POLICY_LEVELS).nullable(),
      /** In words. Null if the rule is not set. */
      setting: z.string().nullable(),
      /** Number of fields that break it. Null if only a plan can check it. */
      fires: z.int().nullable(),
    }),
  ),
  /** One for each field of each resource that breaks a rule. */
  findings: z.array(diagnosticShape),
  resources: z.int(),
  /** Number of resources that are to be sent. The others are not checked. */
  judged: z.int(),
});
export type PolicyTest = z.infer<typeof policyTestShape>;

/** `herald/list/1`: a list. `complete` is true if all of it was read. */
export const listShape = z.strictObject({
  schema: z.literal('herald/list/1'),
  items: z.array(z.unknown()),
  complete: z.boolean(),
  /** What the service says about the list of each account, if it says anything. */
  pages: z
    .array(
      z.strictObject({
        account: z.string().optional(),
        total: z.number().optional(),
        marker: z.string().optional(),
        /** Where to go on with `--cursor`, if `--limit` ended the list. */
        next_cursor: z.string().optional(),
      }),
    )
    .optional(),
});

/** `herald/item/1`: one object, as read from the service or after a command. */
export const itemShape = z.strictObject({
  schema: z.literal('herald/item/1'),
  item: z.record(z.string(), z.unknown()),
});

/** All documents that users and tools exchange with Herald, by file name in `schemas/`. */
export const JSON_SCHEMAS = {
  herald: () => toJsonSchema(workspaceFileShape),
  resources: () => toJsonSchema(resourceFileShape),
  plan: () => toJsonSchema(printedPlanShape),
  'saved-plan': () => toJsonSchema(sealedPlanShape),
  apply: () => toJsonSchema(applyReportShape),
  import: () => toJsonSchema(importReportShape),
  validate: () => toJsonSchema(validateReportShape),
  'policy-test': () => toJsonSchema(policyTestShape),
  list: () => toJsonSchema(listShape),
  item: () => toJsonSchema(itemShape),
  'history-diff': () => toJsonSchema(historyDiffShape),
  state: () => toJsonSchema(stateShape),
  'state-check': () => toJsonSchema(stateCheckShape),
  doctor: () => toJsonSchema(doctorShape),
  event: () => toJsonSchema(storedEventShape),
  error: () => toJsonSchema(errorReportShape),
} as const satisfies Record<string, () => unknown>;

export type SchemaName = keyof typeof JSON_SCHEMAS;

/** The folder of the schemas that the files of a workspace name, so that an editor finds them offline. */
const SCHEMA_FOLDER = '.herald/schemas';

/** The schemas of what people write, as files of a workspace. */
export function schemaFiles(): readonly { readonly path: string; readonly text: string }[] {
  return (['herald', 'resources'] as const).map((name) => ({
    path: `${SCHEMA_FOLDER}/${name}.schema.json`,
    text: `${JSON.stringify(JSON_SCHEMAS[name](), null, 2)}\n`,
  }));
}

function toJsonSchema(shape: z.core.$ZodType): unknown {
  return z.toJSONSchema(shape, { io: 'input', target: 'draft-7' });
}

const versionShape = z.strictObject({
  entry: z.string(),
  at: z.string(),
  run: z.string(),
  who: z.string().nullable(),
  outcome: z.string(),
  live_id: z.string().nullable(),
  content_digest: z.string().nullable(),
});

/** `herald/history-diff/1`: the differences between two declared versions of a resource. */
export const historyDiffShape = z.strictObject({
  schema: z.literal('herald/history-diff/1'),
  address: z.string(),
  from: versionShape,
  to: versionShape,
  fields: z.array(z.strictObject({ path: z.string(), old: z.unknown(), new: z.unknown() })),
});
export type HistoryDiff = z.infer<typeof historyDiffShape>;

/** `herald/state/1`: where the state is, who has the lease, and what is unconfirmed. */
export const stateShape = z.strictObject({
  schema: z.literal('herald/state/1'),
  /** A file, a branch, or the address of a database without its password. */
  place: z.string(),
  kind: z.enum(['sqlite', 'postgres', 'branch']),
  /** `live`, or a simulator: the rows that count here. */
  service: z.string(),
  /** On record; null if it is free. `until` is by the clock of the database; null for a lease that does not expire. */
  lease: z.strictObject({ holder: z.string(), until: z.string().nullable() }).nullable(),
  /** After an import, an unlock or a lost state, the next run waits before it starts anything. */
  cut: z.boolean(),
  /** Campaigns and broadcasts that are known. */
  objects: z.int(),
  unconfirmed: z.array(
    z.strictObject({
      entry: z.string(),
      what: z.string(),
      sent_at: z.string(),
      who: z.string().nullable(),
      /** The commands that find out what happened, and that close it. */
      advice: z.string(),
    }),
  ),
});
export type StateReport = z.infer<typeof stateShape>;

/** `herald/state-check/1`: the result of a check. `healthy` is false if a finding is an error. */
export const stateCheckShape = z.strictObject({
  schema: z.literal('herald/state-check/1'),
  healthy: z.boolean(),
  place: z.string(),
  /** Rows of each service: `live`, and simulators. */
  services: z.array(z.strictObject({ service: z.string(), rows: z.int() })),
  findings: z.array(diagnosticShape),
});
export type StateCheck = z.infer<typeof stateCheckShape>;

/** `herald/doctor/1`: problems of this setup, and how to fix them. */
export const doctorShape = z.strictObject({
  schema: z.literal('herald/doctor/1'),
  checks: z.array(
    z.strictObject({
      name: z.string(),
      /** `skip`: not checked; `message` has the reason. */
      status: z.enum(['ok', 'warn', 'fail', 'skip']),
      message: z.string(),
      /** What to do next, or null. */
      hint: z.string().nullable(),
    }),
  ),
  summary: z.strictObject({ ok: z.int(), warn: z.int(), fail: z.int(), skip: z.int() }),
});
export type DoctorReport = z.infer<typeof doctorShape>;
