import * as z from 'zod';
import { diagnosticShape } from './diagnostic-shape.ts';

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
