import type { Alter } from './altered.ts';
import { altered } from './altered.ts';
import { campaign, declaring } from './declare-live.ts';
import { flowClock, type FlowClock } from './flow-clock.ts';
import { applied } from './flows.ts';
import { NOON, type Scene } from './scene.ts';
import type { Simulator } from '../../src/simulator/simulator.ts';
import type { World } from '../../src/simulator/world.ts';

export interface WelcomeOnASetClock {
  readonly scene: Scene;
  readonly simulator: Simulator;
  readonly world: World;
  /** The time that really passes. */
  readonly flow: FlowClock;
  /** Sets the clock of the machine so many milliseconds ahead of the service's. */
  readonly setClock: (aheadMs: number) => void;
}

/** Files that declare Welcome with that text. */
export const saying = (text: string) => declaring({ campaigns: [campaign({ messages: [{ text }] })] });

/** Campaign 77, adopted as it is by a machine of which the clock can be set from then on. */
export async function welcomeOnASetClock(alter: Alter): Promise<WelcomeOnASetClock> {
  const flow = flowClock(NOON);
  let ms = 0;
  const { scene, simulator, world } = altered(alter, { clock: { ...flow, now: () => flow.now() + ms } });
  const setClock = (aheadMs: number) => {
    world.clockOffsetMs -= aheadMs - ms;
    ms = aheadMs;
  };
  simulator.control.seedCampaign('101', { id: '77', name: 'Welcome', messages: [{ text: 'Hey' }] });
  Object.assign(scene.files.tree, saying('Hey'));
  const { code, stderr } = await applied(scene, '--allow', 'adopt');
  if (code !== 0) throw new Error(stderr);
  return { scene, simulator, world, flow, setClock };
}
