import { CATALOGUE, isOperation } from '../src/api/catalogue.ts';
import { TOKEN_PER_SECOND } from '../src/api/row.ts';
import type { Oracle } from '../src/simulator/control.ts';

type Requests = Oracle['requests'];

/**
 * The least that these requests take. Everything is read before the first write, and once more after the last one:
 * these phases cannot overlap.
 */
export function boundSec(requests: Requests): number {
  const isWrite = ({ method }: Requests[number]) => method !== 'GET';
  const [first, last] = [requests.findIndex(isWrite), requests.findLastIndex(isWrite)];
  if (first === -1) return phaseSec(requests);
  const phases = [requests.slice(0, first), requests.slice(first, last + 1), requests.slice(last + 1)];
  return phases.reduce((sum, phase) => sum + phaseSec(phase), 0);
}

/**
 * The slowest of the endpoints, or of all together: no client can be faster. A window of a second lets its whole number
 * through at once, so that the first one costs no time.
 */
function phaseSec(requests: Requests): number {
  const counts = new Map<string, number>();
  for (const { operation } of requests)
    if (operation !== null) counts.set(operation, (counts.get(operation) ?? 0) + 1);
  const bounds = [...counts].map(([operation, count]) =>
    isOperation(operation) ? windows(count, CATALOGUE[operation].perSecond) : 0,
  );
  return Math.max(windows(requests.length, TOKEN_PER_SECOND), ...bounds);
}

/** Seconds from the first to the last of so many requests. */
function windows(count: number, perSecond: number): number {
  return Math.max(0, Math.ceil(count / perSecond) - 1);
}
