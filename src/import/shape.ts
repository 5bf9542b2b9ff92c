import * as z from 'zod';
import { compareText } from '../domain/diagnostic.ts';
import { compareIds } from '../domain/ids.ts';
import { KINDS, type Observed } from '../domain/resource.ts';

/** Why a live object is not imported. */
const LEFT_OUT_CODES = [
  'nameless',
  'archived',
  'recalled',
  'ended',
  'left',
  'too-late',
  'unknown-status',
  'unreadable',
  'name-collision',
  'superseded',
  'not-expressible',
  'renamed',
  'not-quiet',
  'kept-as-written',
  'unfinished',
] as const;
export type LeftOutCode = (typeof LEFT_OUT_CODES)[number];

const addressed = { account: z.string(), kind: z.enum(KINDS), name: z.string() };

const leftOutShape = z.strictObject({
  account: z.string(),
  kind: z.enum(KINDS),
  name: z.string().nullable(),
  live_id: z.string(),
  code: z.enum(LEFT_OUT_CODES),
  reason: z.string(),
});

/** A live object that stays as it is. `reason` is a sentence for people. */
export interface LeftOut extends Readonly<z.infer<typeof leftOutShape>> {}

/** `herald/import/1`: the JSON output of `import`. */
export const importReportShape = z.strictObject({
  schema: z.literal('herald/import/1'),
  files: z.array(
    z.strictObject({
      path: z.string(),
      action: z.enum(['created', 'updated']),
      /** Resources that were added or changed. */
      resources: z.int(),
    }),
  ),
  /** Number of live objects that are declared now and were not before. */
  imported: z.int(),
  /** Declared resources that were updated from live. */
  updated: z.array(z.strictObject({ ...addressed, file: z.string(), fields: z.array(z.string()) })),
  /** Values that the service does not return, marked with TODO in the file. */
  to_complete: z.array(z.strictObject({ ...addressed, file: z.string(), what: z.string() })),
  left_out: z.array(leftOutShape),
  /** Files that `files:` of herald.yaml does not include, so their resources are not declared. */
  not_read: z.array(z.string()),
});
export interface ImportReport extends Readonly<z.infer<typeof importReportShape>> {}

export function leaveOut({ account, kind, live }: Observed, code: LeftOutCode, reason: string): LeftOut {
  return { account, kind, name: live.name ?? null, live_id: live.id, code, reason };
}

/** Compares by account, kind, name and id. */
export function compareLeftOut(left: LeftOut, right: LeftOut): number {
  return (
    compareText(left.account, right.account) ||
    compareText(left.kind, right.kind) ||
    compareText(left.name ?? '', right.name ?? '') ||
    compareIds(left.live_id, right.live_id)
  );
}
