import type { World } from '../../../src/simulator/world.ts';
import type { Chaos, Process } from '../state.ts';

/** The service counts over one second, whatever it says. */
const LEAST_MS = 1_000;

/** Remembers for how long a 429 wants its endpoint to be left alone. */
export function hearThrottle(process: Process, { requests, nowMs }: World, request: number): void {
  const record = requests[request - 1];
  if (record?.status !== 429) return;
  process.quietUntilMs.set(endpointOf(record.method, record.path), nowMs + LEAST_MS);
}

/**
 * A request to an endpoint that has just answered 429: the next one leaves the process at the earliest a second later.
 * What a frozen process has sent before the answer may arrive after it.
 */
export function judgeQuiet(chaos: Chaos, process: Process, method: string, path: string): void {
  const nowMs = chaos.simulator.control.now();
  const untilMs = process.quietUntilMs.get(endpointOf(method, path)) ?? 0;
  if (nowMs >= untilMs) return;
  const words = `${method} ${path} came ${untilMs - nowMs} ms too early after a 429`;
  chaos.violations.push({ kind: 'forbidden write', words });
  chaos.tell(`    VIOLATION: ${words}`);
}

/** The path without its ids: all accounts of an endpoint count together. */
function endpointOf(method: string, path: string): string {
  return `${method} ${path.replace(/\/\d+/g, '/N')}`;
}
