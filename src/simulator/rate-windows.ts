import { rowOf } from '../api/catalogue.ts';
import { GROUP_PER_SECOND, TOKEN_PER_SECOND } from '../api/row.ts';
import { Refusal } from './refusal.ts';
import type { Route } from './routing.ts';
import type { ApiKey } from './state.ts';
import type { World } from './world.ts';

const WINDOW_MS = 1000;

/** The arrivals of the last second, by window. In real time; not saved with the world. */
export type RateWindows = Map<string, number[]>;

/**
 * Admits a request if all of its windows have space (LIMIT-1 to LIMIT-4): 25/s for a token, the row's rate for a
 * token and endpoint, 1/s for a platform account of the payout group. Windows slide: no second has more. Assumed:
 * requests refused for their rate are not counted.
 */
export function admitToRates(
  world: World,
  windows: RateWindows,
  key: ApiKey,
  route: Route,
  arrivalMs: number,
): void {
  if (world.modes.rates === 'none') return;
  const limits = limitsOf(key, route);
  for (const [name, limit] of limits) {
    const arrivals = recent(windows, name, arrivalMs);
    if (arrivals.length >= limit) throw tooMany(world);
  }
  for (const [name] of limits) windows.get(name)?.push(arrivalMs);
}

function limitsOf(key: ApiKey, { operation, params }: Route): [string, number][] {
  const row = rowOf(operation);
  const limits: [string, number][] = [
    [`token ${key.id}`, TOKEN_PER_SECOND],
    [`token ${key.id} ${operation}`, row.perSecond],
  ];
  if (row.group !== undefined)
    limits.push([`${row.group} ${params['platform_account_id']}`, GROUP_PER_SECOND]);
  return limits;
}

function recent(windows: RateWindows, name: string, nowMs: number): number[] {
  const arrivals = (windows.get(name) ?? []).filter((arrival) => nowMs - arrival < WINDOW_MS);
  windows.set(name, arrivals);
  return arrivals;
}

/** Assumed: a mode decides whether the answer tells when to retry (ERROR-3). */
export function tooMany(world: World, afterSec?: number): Refusal {
  const seconds = afterSec ?? 1;
  const mode = afterSec === undefined ? world.modes.retryAfter : 'seconds';
  const headers: Record<string, string> = {};
  if (mode === 'seconds') headers['retry-after'] = String(seconds);
  if (mode === 'date') headers['retry-after'] = new Date(world.nowMs + seconds * 1000).toUTCString();
  world.throttled += 1;
  return new Refusal(429, 'Rate limit exceeded', { headers });
}
