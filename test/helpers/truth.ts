import { expect } from 'vitest';
import { parseWorld } from '../../src/simulator/world.ts';
import { decisions, planned } from './flows.ts';
import { NOON, WORLD_FILE, type Scene } from './scene.ts';

const SETTLE_SEC = 75;
const HOUR = 3_600_000;
/** After the hours of everything that the flows schedule. */
const ALL_HAS_GONE_OUT = 100 * HOUR;

/** Seconds after noon at which each create reached the service, answered or not; a 429 is not an execution. */
export async function createTimes(scene: Scene): Promise<number[]> {
  const { requests } = await scene.oracle();
  return requests
    .filter(({ operation }) => operation?.endsWith('.create') === true)
    .filter(({ fault, status }) => fault !== 'connection_refused' && status !== 429)
    .map(({ at }) => (Date.parse(at) - NOON) / 1000);
}

/** No create follows one that was lost before that one's window has passed. */
export async function expectNoEarlyRepeat(scene: Scene, posts: number): Promise<void> {
  const times = (await createTimes(scene)).slice(-posts);
  for (const [index, time] of times.slice(1).entries())
    expect(time - (times[index] ?? 0), 'a second create inside the window').toBeGreaterThanOrEqual(
      SETTLE_SEC,
    );
}

/** Lets fans fire the trigger and broadcasts go out, and asks the oracle whether anybody got words twice. */
export async function expectNoOneGetsItTwice(
  scene: Scene,
  accountIds: readonly string[] = ['101'],
): Promise<void> {
  for (const accountId of accountIds)
    await scene.service((control) => control.fireTrigger(accountId, 'welcome_message', 'f1'));
  scene.clock.move(ALL_HAS_GONE_OUT);
  const { dispatch_counts: counts } = await scene.oracle();
  expect(() => parseWorld(scene.files.tree[WORLD_FILE] ?? ''), 'the world can be read again').not.toThrow();
  expect(counts.filter(({ count }) => count > 1)).toEqual([]);
}

/** The next plan finds nothing to do and blocks nothing. */
export async function expectQuiet(scene: Scene, ...flags: readonly string[]): Promise<void> {
  const next = await planned(scene, '--detailed-exitcode', ...flags);
  expect(decisions(next).filter((line) => !/^(done|missed) /.test(line))).toEqual([]);
  expect(next.code).toBe(0);
}
