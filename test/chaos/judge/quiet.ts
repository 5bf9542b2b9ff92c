import type { World } from '../../../src/simulator/world.ts';
import type { Chaos, Process } from '../state.ts';

/** The service counts over one second, whatever it says. */
const LEAST_MS = 1_000;

/** An endpoint that has answered 429. */
export interface Quiet {
  readonly untilMs: number;
  /** The request that was answered so, which comes again. */
  readonly path: string;
}

/** Remembers for how long a 429 wants its endpoint to be left alone. */
export function hearThrottle(process: Process, { requests, nowMs }: World, request: number): void {
  const record = requests[request - 1];
  if (record?.status !== 429) return;
  process.quiet.set(endpointOf(record.method, record.path), {
    untilMs: nowMs + LEAST_MS,
    path: pathOf(record.path),
  });
}

/**
 * A request to an endpoint that has just answered 429: the next one leaves the process at the earliest a second later.
 * What a frozen process has sent before the answer may arrive after it. Another request may leave at the very moment of
 * the answer: its process has not read that yet.
 */
export function judgeQuiet(chaos: Chaos, process: Process, method: string, path: string): void {
  const nowMs = chaos.simulator.control.now();
  const quiet = process.quiet.get(endpointOf(method, path));
  if (quiet === undefined || nowMs >= quiet.untilMs) return;
  const { untilMs } = quiet;
  if (nowMs === untilMs - LEAST_MS && path !== quiet.path) return;
  const words = `${method} ${path} came ${untilMs - nowMs} ms too early after a 429`;
  chaos.violations.push({ kind: 'forbidden write', words });
  chaos.tell(`    VIOLATION: ${words}`);
}

/** Without its query: another page of a list is the same request here. */
function pathOf(path: string): string {
  return path.split('?')[0] ?? path;
}

/** The path without its ids: all accounts of an endpoint count together. */
function endpointOf(method: string, path: string): string {
  return `${method} ${path.replace(/\/\d+/g, '/N')}`;
}
