import * as z from 'zod';

/** Where the address of the service came from. */
const SERVICE_SOURCES = ['herald.yaml', 'HERALD_BASE_URL'] as const;

/** Which service a run works with: part of every plan and saved plan. */
export const serviceIdentityShape = z.strictObject({
  /** Its address without secrets; `simulator:FILE` for the embedded simulator. */
  origin: z.string(),
  source: z.enum(SERVICE_SOURCES),
  /** The embedded simulator, or a service that says of itself that it is one. */
  simulator: z.boolean(),
});
export interface ServiceIdentity extends Readonly<z.infer<typeof serviceIdentityShape>> {}

const EMBEDDED = 'simulator:';

/** The origin of the embedded simulator that is kept in this file. */
export function embeddedOrigin(worldFile: string): string {
  return `${EMBEDDED}${worldFile}`;
}

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Whether the address is on this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK.includes(hostname);
}

/** The file that the simulator of that origin is kept in; null where it is a service with an address. */
export function worldFileOf(origin: string): string | null {
  return origin.startsWith(EMBEDDED) ? origin.slice(EMBEDDED.length) : null;
}

/** `https://api.example`, or `simulator .herald/world.json`. */
export function servicePlace({ origin }: ServiceIdentity): string {
  const worldFile = worldFileOf(origin);
  return worldFile === null ? origin : `simulator ${worldFile}`;
}

/** `https://api.example (HERALD_BASE_URL overrides herald.yaml)`. */
export function serviceWords(identity: ServiceIdentity): string {
  if (worldFileOf(identity.origin) !== null) return servicePlace(identity);
  const source =
    identity.source === 'herald.yaml' ? 'from herald.yaml' : `${identity.source} overrides herald.yaml`;
  return `${identity.origin} (${source}${identity.simulator ? '; a simulator' : ''})`;
}
