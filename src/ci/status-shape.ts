import * as z from 'zod';
import { PROVIDER_NAMES } from '../provider/job.ts';

/** `herald/ci/1`: the JSON output of `ci status`. */
export const ciStatusShape = z.strictObject({
  schema: z.literal('herald/ci/1'),
  job: z.strictObject({
    provider: z.enum(PROVIDER_NAMES),
    event: z.string(),
    repository: z.string().nullable(),
    run_url: z.string().nullable(),
  }),
  /** Null if there is none, or none was found. */
  pull_request: z
    .strictObject({
      number: z.int(),
      url: z.string(),
      title: z.string(),
      author: z.string(),
      state: z.enum(['open', 'closed', 'merged']),
      head: z.string(),
    })
    .nullable(),
  /** The plan in the comment of the pull request. Null if there is none. */
  review: z
    .strictObject({
      /** Its fingerprint. Null if the run could not make a plan. */
      plan: z.string().nullable(),
      /** The commit that was planned. */
      head: z.string(),
      run: z.string().nullable(),
      artifact: z.string(),
      version: z.string(),
      /** Whether `ci apply` would take it. */
      valid: z.boolean(),
      /** Why not. Null if it is valid. */
      because: z.string().nullable(),
    })
    .nullable(),
  state: z.strictObject({ place: z.string(), lease: z.string().nullable() }).nullable(),
  /** What could not be found out, and what to do about it. */
  notes: z.array(z.string()),
  /** What to do next. Null if nothing is left to do. */
  next: z.string().nullable(),
});
export interface CiStatus extends Readonly<z.infer<typeof ciStatusShape>> {}
