import { drawScenario } from './draw.ts';
import { judge, type Violation } from './judge/invariants.ts';
import { play } from './play.ts';
import type { Scenario } from './scenario.ts';

export interface Verdict {
  readonly violations: readonly Violation[];
  /** How often each kind of command ended in each way. */
  readonly ends: Readonly<Record<string, number>>;
}

/** Plays a scenario and judges it. */
export async function judgeRun(scenario: Scenario): Promise<Verdict> {
  const trace = await play(scenario);
  const violations = judge(trace);
  const ends: Record<string, number> = {};
  for (const { does, args, end } of trace.processes) {
    const key = `${does === 'look' ? args[0] : does} ends with ${end ?? 'nothing'}`;
    ends[key] = (ends[key] ?? 0) + 1;
  }
  return { violations, ends };
}

export function judgeSeed(seed: number): Promise<Verdict> {
  return judgeRun(drawScenario(seed));
}
