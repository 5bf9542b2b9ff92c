import { systemClock } from '../../src/host/clock.ts';
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts';
import { serveSimulator } from '../../src/simulator/serve.ts';
import { createWorld, type WorldOptions } from '../../src/simulator/world.ts';

export type Served = Awaited<ReturnType<typeof serveWorld>>;

/** A simulator on a socket, in real time. */
export async function serveWorld(options: WorldOptions = {}) {
  const simulator = createSimulator(createWorld(options), { clock: systemClock });
  const watchers = new Set<() => void>();
  const seen = <Answer>(answer: Answer): Answer => {
    for (const look of watchers) look();
    return answer;
  };
  const watched: Simulator = {
    ...simulator,
    exchange: (request) => seen(simulator.exchange(request)),
    store: (request) => seen(simulator.store(request)),
  };
  const whenTrue = (holds: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = () => {
        if (!holds()) return;
        watchers.delete(look);
        resolve();
      };
      watchers.add(look);
      look();
    });
  const served = await serveSimulator(watched, { port: 0 });
  return {
    simulator,
    env: { HERALD_BASE_URL: served.url, HERALD_API_KEY: 'sim-key' },
    /** Resolves once a request of the operation has arrived that is the nth of its kind. */
    arrival: (operation: string, nth = 1) =>
      whenTrue(
        () => simulator.world.requests.filter((request) => request.operation === operation).length >= nth,
      ),
    /** The same for puts to the object store. */
    putArrival: (nth = 1) => whenTrue(() => simulator.world.storage.puts.length >= nth),
    close: served.close,
  };
}
