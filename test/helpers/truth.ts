import { expect } from 'vitest';
import { parseWorld } from '../../src/simulator/world.ts';
import { decisions, planned } from './flows.ts';
import { NOON, WORLD_FILE, type Scene } from './scene.ts';

const SETTLE_SEC = 75;
const HOUR = 3_600_000;
/** After the hours of everything that the flows schedule. */
const ALL_HAS_GONE_OUT = 100 * HOUR;

/** Seconds after noon at which each create reached the service, answered or not; a 429 is not an execution. */
async function createTimes(scene: Scene): Promise<number[]> {
  const { requests } = await scene.oracle();
  return requests
    .filter(({ operation }) => operation?.endsWith('.create') === true)
    .filter(({ fault, status }) => fault !== 'connection_refused' && status !== 429)
    .map(({ at }) => (Date.parse(at) - NOON) / 1000);
}

/** The next plan finds nothing to do and blocks nothing. */
export async function expectQuiet(scene: Scene, ...flags: readonly string[]): Promise<void> {
  const next = await planned(scene, '--detailed-exitcode', ...flags);
  expect(decisions(next).filter((line) => !/^(done|missed) /.test(line))).toEqual([]);
  expect(next.code).toBe(0);
}
