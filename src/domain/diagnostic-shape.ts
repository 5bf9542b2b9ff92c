import * as z from 'zod';

/** A diagnostic in JSON documents. Other versions may have codes that this one does not know. */
export const diagnosticShape = z.strictObject({
  severity: z.enum(['error', 'warning', 'info']),
  code: z.string(),
  message: z.string(),
  file: z.string().optional(),
  line: z.int().optional(),
  column: z.int().optional(),
  address: z.string().optional(),
  at: z.string().optional(),
});
