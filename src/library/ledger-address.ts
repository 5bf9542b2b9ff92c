import type { Files } from '../domain/ports.ts';
import { worldOrigin } from '../domain/service-identity.ts';
import type { ServiceTarget } from '../domain/workspace.ts';
import { addressOf } from '../ledger/origins.ts';

/** In place of the id of a world that is not made yet. No line of the ledger is about it. */
const NO_WORLD = 'none';

/**
 * How the ledger names the service, without a connection to it. For an embedded simulator it reads the id of its
 * world. Null if that file cannot be read as a world.
 */
export async function ledgerAddress(
  files: Pick<Files, 'exists' | 'readText'>,
  target: ServiceTarget,
): Promise<string | null> {
  if (target.kind === 'http') return addressOf(target);
  const { worldFile } = target;
  if (!(await files.exists(worldFile))) return worldOrigin(worldFile, NO_WORLD);
  const { parseWorld } = await import('../simulator/world.ts');
  try {
    return worldOrigin(worldFile, parseWorld(await files.readText(worldFile)).id);
  } catch {
    return null;
  }
}
