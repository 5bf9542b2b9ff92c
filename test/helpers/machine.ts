import { flowClock } from './flow-clock.ts';
import { aScene, NOON, type Scene } from './scene.ts';

/** A workspace on a machine that has a clock of its own. */
export interface Machine {
  readonly scene: Scene;
  /** Sets the machine's clock ahead by so much, or back where it is below zero; the service's goes on as it was. */
  setClock(ms: number): Promise<void>;
}

/** A machine with the right time, until its clock is set. */
export function aMachine(files: Readonly<Record<string, string>> = {}): Machine {
  const flow = flowClock(NOON);
  let aheadMs = 0;
  const scene = aScene({ files, clock: { ...flow, now: () => flow.now() + aheadMs } });
  const setClock = async (ms: number) => {
    // The embedded service counts from the machine's clock.
    await scene.service((_, world) => (world.clockOffsetMs -= ms));
    aheadMs += ms;
  };
  return { scene, setClock };
}
