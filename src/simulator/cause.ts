import * as z from 'zod';

/** The cause of a change: an API request, a person outside the API, or the service's own timers. */
export const causeShape = z.strictObject({
  by: z.enum(['api', 'control', 'service']),
  request: z.int().nullable(),
});
export interface Cause extends z.infer<typeof causeShape> {}

export const BY_SERVICE: Cause = { by: 'service', request: null };
export const BY_CONTROL: Cause = { by: 'control', request: null };
