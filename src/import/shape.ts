import * as z from 'zod';
import { KINDS } from '../domain/resource.ts';
import { LEFT_OUT_CODES } from './left-out.ts';

const addressed = { account: z.string(), kind: z.enum(KINDS), name: z.string() };

/** `herald/import/1`: the JSON output of `import`. */
export const importReportShape = z.strictObject({
  schema: z.literal('herald/import/1'),
  files: z.array(
    z.strictObject({
      path: z.string(),
      action: z.enum(['created', 'updated']),
      /** Resources that were added or changed; 0 for a text file. */
      resources: z.int(),
    }),
  ),
  /** Number of live objects that are declared now and were not before. */
  imported: z.int(),
  /** Declared resources that were updated from live. */
  updated: z.array(z.strictObject({ ...addressed, file: z.string(), fields: z.array(z.string()) })),
  /** Values that the service does not return, marked with TODO in the file. */
  to_complete: z.array(z.strictObject({ ...addressed, file: z.string(), what: z.string() })),
  left_out: z.array(
    z.strictObject({
      account: z.string(),
      kind: z.enum(KINDS),
      name: z.string().nullable(),
      live_id: z.string(),
      code: z.enum(LEFT_OUT_CODES),
      reason: z.string(),
    }),
  ),
  /** Files that `files:` of herald.yaml does not include, so their resources are not declared. */
  not_read: z.array(z.string()),
});
export interface ImportReport extends Readonly<z.infer<typeof importReportShape>> {}
