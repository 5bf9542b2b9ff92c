import { drawScenario } from './draw.ts';
import { judge, type Violation } from './judge/invariants.ts';
import { play } from './play.ts';

export interface Verdict {
  readonly violations: readonly Violation[];
  /** How often each kind of command ended in each way. */
  readonly ends: Readonly<Record<string, number>>;
}

/** Plays the scenario of a seed and judges it. */
export async function judgeSeed(seed: number): Promise<Verdict> {
  const trace = await play(drawScenario(seed));
  const violations = judge(trace);
  const ends: Record<string, number> = {};
  for (const { does, args, end } of trace.processes) {
    const key = `${does === 'look' ? args[0] : does} ends with ${end ?? 'nothing'}`;
    ends[key] = (ends[key] ?? 0) + 1;
  }
  return { violations, ends };
}
