import type * as z from 'zod';
import type { serviceIdentityShape } from './change.ts';

export interface ServiceIdentity extends Readonly<z.infer<typeof serviceIdentityShape>> {}

/** The address under which the client calls the embedded simulator. No host has it. */
export const EMBEDDED_BASE_URL = 'http://simulator.invalid';

const EMBEDDED = 'simulator:';

/**
 * The origin of the embedded simulator with this file. With an id, that of one world of it: another machine has another world
 * in a file with the same name.
 */
export function worldOrigin(worldFile: string, worldId?: string): string {
  return `${EMBEDDED}${worldFile}${worldId === undefined ? '' : `?world=${worldId}`}`;
}

/** True if the address is on this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/** The file of the embedded simulator with this origin. Null for a service with an address. */
export function findWorldFile(origin: string): string | null {
  if (!origin.startsWith(EMBEDDED)) return null;
  return origin.slice(EMBEDDED.length).replace(/\?world=[0-9a-z]*$/, '');
}

/** `https://api.example`, or `simulator .herald/world.json`. */
export function servicePlace({ origin }: ServiceIdentity): string {
  const worldFile = findWorldFile(origin);
  return worldFile === null ? origin : `simulator ${worldFile}`;
}
