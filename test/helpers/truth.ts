import { expect } from 'vitest';
import { decisions, planned } from './flows.ts';
import type { Scene } from './scene.ts';

/** The next plan finds nothing to do and blocks nothing. */
export async function expectQuiet(scene: Scene, ...flags: readonly string[]): Promise<void> {
  const next = await planned(scene, '--detailed-exitcode', ...flags);
  expect(decisions(next).filter((line) => !/^(done|missed) /.test(line))).toEqual([]);
  expect(next.code).toBe(0);
}
