import * as z from 'zod';
import { applyReportShape, errorReportShape, printedPlanShape } from '../domain/change.ts';
import { diagnosticShape } from '../domain/diagnostic.ts';
import { resourceFileShape, workspaceFileShape } from '../workspace/schema.ts';
import { sealedPlanShape } from '../plan/saved.ts';
import { doctorShape, historyDiffShape, ledgerCheckShape, ledgerCompactShape } from '../domain/reports.ts';
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
  'ledger-check': () => toJsonSchema(ledgerCheckShape),
  'ledger-compact': () => toJsonSchema(ledgerCompactShape),
  doctor: () => toJsonSchema(doctorShape),
  error: () => toJsonSchema(errorReportShape),
} as const satisfies Record<string, () => unknown>;

function toJsonSchema(shape: z.ZodType): unknown {
  return z.toJSONSchema(shape, { io: 'input', target: 'draft-7' });
}
