import * as z from 'zod';
import { KINDS } from '../domain/resource.ts';
import { LEFT_OUT_CODES } from './left-out.ts';

const addressed = { account: z.string(), kind: z.enum(KINDS), name: z.string() };

/** `herald/import/1`: what `import` wrote, what it could not, and what a person has to complete. */
export const importReportShape = z.strictObject({
  schema: z.literal('herald/import/1'),
  files: z.array(
    z.strictObject({
      path: z.string(),
      action: z.enum(['created', 'updated']),
      /** Resources that were added to it or changed in it; 0 for a file that holds a text. */
      resources: z.int(),
    }),
  ),
  /** Live objects that a file declares now and none did before. */
  imported: z.int(),
  /** Declared resources whose files say now what is live. */
  updated: z.array(z.strictObject({ ...addressed, file: z.string(), fields: z.array(z.string()) })),
  /** Places that the service does not show, marked with TODO in the file. */
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
  /** Files that `files:` of herald.yaml does not find: nothing is declared by them yet. */
  not_read: z.array(z.string()),
});
export interface ImportReport extends Readonly<z.infer<typeof importReportShape>> {}
