import * as z from 'zod';
import { diagnosticShape } from './diagnostic.ts';

const versionShape = z.strictObject({
  entry: z.string().nullable(),
  at: z.string(),
  run: z.string(),
  who: z.string().nullable(),
  outcome: z.string(),
  live_id: z.string().nullable(),
  content_digest: z.string().nullable(),
});

/** `herald/history-diff/1`: what stands in one declared version of a resource and not in another. */
export const historyDiffShape = z.strictObject({
  schema: z.literal('herald/history-diff/1'),
  address: z.string(),
  from: versionShape,
  to: versionShape,
  fields: z.array(z.strictObject({ path: z.string(), old: z.unknown(), new: z.unknown() })),
});
export type HistoryDiff = z.infer<typeof historyDiffShape>;

const unfinishedShape = z.strictObject({
  entry: z.string(),
  what: z.string(),
  sent_at: z.string(),
  age_sec: z.int(),
  who: z.string(),
  advice: z.string(),
});

/** `herald/ledger-check/1`: how the ledger is; `healthy` is false where a finding is an error. */
export const ledgerCheckShape = z.strictObject({
  schema: z.literal('herald/ledger-check/1'),
  healthy: z.boolean(),
  file: z.string(),
  lines: z.int(),
  bytes: z.int(),
  objects: z.int(),
  /** Lines that `herald ledger compact` would put away. */
  settled_lines: z.int(),
  open: z.array(unfinishedShape),
  findings: z.array(diagnosticShape),
});
export type LedgerCheck = z.infer<typeof ledgerCheckShape>;

/** `herald/ledger-compact/1`: what a compaction did, or would do. */
export const ledgerCompactShape = z.strictObject({
  schema: z.literal('herald/ledger-compact/1'),
  dry_run: z.boolean(),
  /** Settled lines of before this instant were put away. */
  before: z.string(),
  /** Where they are now; null where there was nothing to put away, or where they were dropped. */
  archive: z.string().nullable(),
  moved_lines: z.int(),
  repeated_lines: z.int(),
  lines_before: z.int(),
  lines_after: z.int(),
  bytes_before: z.int(),
  bytes_after: z.int(),
});
export type LedgerCompact = z.infer<typeof ledgerCompactShape>;

/** `herald/doctor/1`: what stands in the way of Herald's work here, and what to do about it. */
export const doctorShape = z.strictObject({
  schema: z.literal('herald/doctor/1'),
  checks: z.array(
    z.strictObject({
      name: z.string(),
      /** `skip`: not looked at, and `message` says why. */
      status: z.enum(['ok', 'warn', 'fail', 'skip']),
      message: z.string(),
      /** What to do; null where nothing is to be done. */
      hint: z.string().nullable(),
    }),
  ),
  summary: z.strictObject({ ok: z.int(), warn: z.int(), fail: z.int(), skip: z.int() }),
});
export type DoctorReport = z.infer<typeof doctorShape>;
