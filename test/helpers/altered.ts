import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts';
import { createWorld, type World, type WorldOptions } from '../../src/simulator/world.ts';
import { flowClock, type FlowClock } from './flow-clock.ts';
import { aScene, type Scene } from './scene.ts';

/** What becomes of an answer on its way; `answer` asks the service, which acts only then. */
type Alter = (request: Request, answer: () => Promise<Response>) => Promise<Response>;

interface AlteredOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly world?: WorldOptions;
  readonly clock?: FlowClock;
}

/** A workspace with a service at an address, and every answer goes through `alter`: for what no fault of the simulator does. */
export function altered(
  alter: Alter = (_, answer) => answer(),
  { files = {}, world: options = {}, clock = flowClock() }: AlteredOptions = {},
): { readonly scene: Scene; readonly simulator: Simulator; readonly world: World } {
  const world = createWorld(options);
  const simulator = createSimulator(world, { clock });
  const scene = aScene({
    files,
    clock,
    network: (request) => alter(request, async () => simulator.fetch(request.clone())),
  });
  Object.assign(scene.env, { HERALD_BASE_URL: 'http://localhost:1', HERALD_API_KEY: 'sim-key' });
  return { scene, simulator, world };
}
