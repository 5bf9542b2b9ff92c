import * as z from 'zod';

/** Sources of the service's address. */
const SERVICE_SOURCES = ['herald.yaml', 'HERALD_BASE_URL'] as const;

/** The service of a run. Part of every plan and saved plan. */
export const serviceIdentityShape = z.strictObject({
  /** Its address without secrets; `simulator:FILE` for the embedded simulator. */
  origin: z.string(),
  source: z.enum(SERVICE_SOURCES),
  /** True for the embedded simulator, and for a service that identifies itself as one. */
  simulator: z.boolean(),
});
