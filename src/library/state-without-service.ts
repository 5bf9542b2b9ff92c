import type { Files } from '../domain/ports.ts';
import { worldOrigin } from '../domain/service-identity.ts';
import type { ServiceTarget } from '../domain/workspace.ts';
import type { State } from '../state/state.ts';
import { formatAddress } from './connect.ts';
import { LIVE, type ServiceName } from './state-access.ts';

/**
 * Opens the state of the service that `herald.yaml` names, for a command that does not connect to it. An address that never
 * answered as a simulator is the live service.
 */
export async function openWithoutService(
  open: (service: ServiceName) => Promise<State>,
  files: Pick<Files, 'exists' | 'readText'>,
  target: ServiceTarget,
): Promise<State> {
  let name = target.kind === 'simulator' ? await nameWorld(files, target.worldFile) : formatAddress(target);
  const state = await open(() => name);
  if (target.kind === 'simulator') return state;
  try {
    if (!(await state.hasRows())) name = LIVE;
    return state;
  } catch (error) {
    await state.close();
    throw error;
  }
}

/** In place of the id of a world that is not made yet, or cannot be read: it has no rows. */
const NO_WORLD = 'none';

async function nameWorld(files: Pick<Files, 'exists' | 'readText'>, worldFile: string): Promise<string> {
  if (!(await files.exists(worldFile))) return worldOrigin(worldFile, NO_WORLD);
  const { parseWorld } = await import('../simulator/world.ts');
  try {
    return worldOrigin(worldFile, parseWorld(await files.readText(worldFile)).id);
  } catch {
    return worldOrigin(worldFile, NO_WORLD);
  }
}
