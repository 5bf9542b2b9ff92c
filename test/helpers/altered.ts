import { vi } from 'vitest';
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts';
import { createWorld, type World, type WorldOptions } from '../../src/simulator/world.ts';
import { flowClock, type FlowClock } from './flow-clock.ts';
import { aScene, NOON, WORKSPACE, WORLD_FILE, type Scene } from './scene.ts';

/** What becomes of an answer on its way; `answer` asks the service, which acts only then. */
export type Alter = (request: Request, answer: () => Promise<Response>) => Promise<Response>;

export interface AlteredOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly world?: WorldOptions;
  readonly clock?: FlowClock;
}

/**
 * A workspace with a service that answers over `fetch`, and every answer goes through `alter`: for what no fault of the
 * simulator does. Undo it with `vi.unstubAllGlobals`.
 */
export function altered(
  alter: Alter,
  { files = {}, world = {}, clock = flowClock(NOON) }: AlteredOptions = {},
): { readonly scene: Scene; readonly simulator: Simulator; readonly world: World } {
  const service =
    'auth_header: x-svc-auth-token, base_url: http://localhost:1, platforms: { primary: platform_a, secondary: platform_b }';
  const workspace = WORKSPACE.replace(`simulator: ${WORLD_FILE}`, service);
  const scene = aScene({ files: { 'herald.yaml': workspace, ...files }, clock });
  Object.assign(scene.env, { HERALD_API_KEY: 'sim-key' });
  const state = createWorld(world);
  const simulator = createSimulator(state, { clock });
  vi.stubGlobal('fetch', (request: Request) => alter(request, async () => simulator.fetch(request)));
  return { scene, simulator, world: state };
}

/** The same answer from a service that does not tell its time. */
export function withoutDate({ body, headers: all, status }: Response): Response {
  const headers = new Headers(all);
  headers.delete('date');
  return new Response(body, { status, headers });
}
