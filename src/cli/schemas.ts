import * as z from 'zod';
import { ciStatusShape } from '../ci/status-shape.ts';
import { applyReportShape, errorReportShape, printedPlanShape } from '../domain/change.ts';
import { diagnosticShape } from '../domain/diagnostic-shape.ts';
import { SCHEMA_FOLDER } from '../workspace/scaffold.ts';
import { resourceFileShape, workspaceFileShape } from '../workspace/schema.ts';
import { sealedPlanShape } from '../plan/saved.ts';
import { doctorShape, historyDiffShape, stateCheckShape, stateShape } from '../domain/reports.ts';
import { storedEventShape } from '../domain/stored-event.ts';
import { importReportShape } from '../import/shape.ts';
import { policyTestShape } from './policy/test.ts';

/** `herald/validate/1`: the JSON output of `validate`. */
const validateReportShape = z.strictObject({
  schema: z.literal('herald/validate/1'),
  valid: z.boolean(),
  /** Null if the files are not valid. */
  resources: z.int().nullable(),
  diagnostics: z.array(diagnosticShape),
});

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
  'ci-status': () => toJsonSchema(ciStatusShape),
  doctor: () => toJsonSchema(doctorShape),
  event: () => toJsonSchema(storedEventShape),
  error: () => toJsonSchema(errorReportShape),
} as const satisfies Record<string, () => unknown>;

/** The schemas of the files that people write. */
const OF_FILES = ['herald', 'resources'] as const satisfies readonly (keyof typeof JSON_SCHEMAS)[];

/** Those schemas as files of a workspace, so that an editor finds them offline. */
export function schemaFiles(): readonly { readonly path: string; readonly text: string }[] {
  return OF_FILES.map((name) => ({
    path: `${SCHEMA_FOLDER}/${name}.schema.json`,
    text: `${JSON.stringify(JSON_SCHEMAS[name](), null, 2)}\n`,
  }));
}

function toJsonSchema(shape: z.core.$ZodType): unknown {
  return z.toJSONSchema(shape, { io: 'input', target: 'draft-7' });
}
