import * as z from 'zod';
import { type Kind, KINDS, type Observed, type SourcePlace } from '../domain/resource.ts';
import type { Form } from './resource-file.ts';

const addressed = { account: z.string(), kind: z.enum(KINDS), name: z.string() };

const leftOutShape = z.strictObject({
  ...addressed,
  name: z.string().nullable(),
  live_id: z.string(),
  code: z.enum([
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
  ]),
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
  updated: z.array(z.strictObject({ ...addressed, file: z.string(), fields: z.array(z.string()) })),
  /** Values that the service does not return, marked with TODO in the file. */
  to_complete: z.array(z.strictObject({ ...addressed, file: z.string(), what: z.string() })),
  left_out: z.array(leftOutShape),
  /** Files that `files:` of herald.yaml does not include, so their resources are not declared. */
  not_read: z.array(z.string()),
});
export interface ImportReport extends Readonly<z.infer<typeof importReportShape>> {}

/** One resource that a file is to have. */
export interface Entry {
  /** Where it is declared. Null if it is new. */
  readonly place: SourcePlace | null;
  readonly kind: Kind;
  readonly name: string;
  readonly form: Form;
  /** One of each account, with the paths that differed. */
  readonly objects: readonly { readonly object: Observed; readonly fields: readonly string[] }[];
  /** True if it is declared with an audience that is not the one that Herald sent. */
  readonly isAudienceNew: boolean;
}

export interface Found {
  readonly entries: readonly Entry[];
  readonly leftOut: readonly LeftOut[];
}

export function leaveOut({ account, kind, live }: Observed, code: LeftOut['code'], reason: string): LeftOut {
  return { account, kind, name: live.name ?? null, live_id: live.id, code, reason };
}
