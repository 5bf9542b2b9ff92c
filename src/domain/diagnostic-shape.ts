import * as z from 'zod';

/** A diagnostic in JSON documents. Other versions may have codes that this one does not know. */
export const diagnosticShape = z.strictObject({
  severity: z.enum(['error', 'warning', 'info']),
  code: z.string(),
  /** What is wrong, and how to fix it, in one or two sentences. */
  message: z.string(),
  /** Path of the file, relative to the workspace's directory. */
  file: z.string().optional(),
  /** From 1. */
  line: z.int().optional(),
  /** From 1. */
  column: z.int().optional(),
  /** The resource, as `account/kind/name`. */
  address: z.string().optional(),
  /** The time that it is about, ISO 8601 in UTC: when a window closes. */
  at: z.string().optional(),
});
