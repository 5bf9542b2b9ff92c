import * as z from 'zod';
import { diagnosticShape } from './diagnostic-shape.ts';

const versionShape = z.strictObject({
  entry: z.string().nullable(),
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

const unfinishedShape = z.strictObject({
  entry: z.string(),
  what: z.string(),
  sent_at: z.string(),
  age_sec: z.int(),
  who: z.string(),
  advice: z.string(),
});

/** `herald/ledger-check/1`: the state of the ledger. `healthy` is false if a finding is an error. */
export const ledgerCheckShape = z.strictObject({
  schema: z.literal('herald/ledger-check/1'),
  healthy: z.boolean(),
  file: z.string(),
  lines: z.int(),
  bytes: z.int(),
  objects: z.int(),
  /** Finished lines that `herald ledger compact` would move to an archive. */
  settled_lines: z.int(),
  open: z.array(unfinishedShape),
  findings: z.array(diagnosticShape),
});
export type LedgerCheck = z.infer<typeof ledgerCheckShape>;

/** `herald/ledger-compact/1`: the result of a compaction, or of its dry run. */
export const ledgerCompactShape = z.strictObject({
  schema: z.literal('herald/ledger-compact/1'),
  dry_run: z.boolean(),
  /** Finished lines from before this time were moved. */
  before: z.string(),
  /** The archive file. Null if nothing was moved, or if the lines were dropped. */
  archive: z.string().nullable(),
  moved_lines: z.int(),
  repeated_lines: z.int(),
  /** Lines that a crash cut short. */
  cut_lines: z.int(),
  lines_before: z.int(),
  lines_after: z.int(),
  bytes_before: z.int(),
  bytes_after: z.int(),
});
export type LedgerCompact = z.infer<typeof ledgerCompactShape>;

/** What a command has done to the state. */
const stateChangeShape = z.discriminatedUnion('did', [
  z.strictObject({ did: z.literal('push'), file: z.string(), lines: z.int(), added: z.int() }),
  z.strictObject({ did: z.literal('pull'), file: z.string(), lines: z.int(), digest: z.string() }),
  z.strictObject({
    did: z.literal('migrate'),
    from: z.string(),
    to: z.string(),
    /** The same in both places. */
    lines: z.int(),
    digest: z.string(),
    added: z.int(),
    archives: z.int(),
    /** Stored events that went with the ledger. */
    events: z.int(),
  }),
  /** `holder` is null if no run had the lease. */
  z.strictObject({ did: z.literal('unlock'), holder: z.string().nullable() }),
]);

/** `herald/state/1`: where the ledger and the lease are. */
export const stateShape = z.strictObject({
  schema: z.literal('herald/state/1'),
  /** A file, or the address of a database without its password. */
  place: z.string(),
  lines: z.int(),
  bytes: z.int(),
  /** The run that has the lease, and since when; null if it is free. */
  holder: z.string().nullable(),
  /** The lease on record, also one that a run has left behind; null if there is none. */
  lease: z
    .strictObject({
      holder: z.string(),
      since: z.string().nullable(),
      /** By the clock of the database; null for a lock. */
      until: z.string().nullable(),
      /** `dead`: the next run takes it. `perhaps_dead`: the next run watches it first. */
      life: z.enum(['alive', 'dead', 'perhaps_dead']),
    })
    .nullable(),
  /** Who wrote last, newest first. */
  writers: z.array(z.strictObject({ who: z.string(), last_at: z.string() })),
  /** Where the ledger was moved to; null if it is used here. */
  moved_to: z.string().nullable(),
  /** What `state check` found. */
  findings: z.array(diagnosticShape),
  /** What the command has changed; null if it only shows. */
  change: stateChangeShape.nullable(),
});
export type StateReport = z.infer<typeof stateShape>;
export type StateChange = z.infer<typeof stateChangeShape>;

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
