import type { Client } from '../api/client.ts';
import type { Clock } from '../domain/ports.ts';
import { UNKNOWN_SKEW_MS, type SendTime } from '../ledger/ages.ts';
import { ensureServiceClockKnown } from '../live/hear-clock.ts';

/**
 * The service's time, or the earliest possible one if its answers do not tell, so that nothing seems older than it
 * is.
 */
async function earliestServiceMs(client: Client, clock: Clock): Promise<number> {
  await ensureServiceClockKnown(client);
  return clock.now() + (client.skewRange()?.earliestMs ?? -UNKNOWN_SKEW_MS);
}

/** What the ages of requests on record are measured by. */
export interface EarliestTimes {
  /** The earliest time that the service may have now, in epoch milliseconds. */
  readonly serviceMs: number;
  /** This machine's; null if it tells nothing, as next to a simulator that was moved on in time. */
  readonly machineMs: number | null;
}

/** Both of the two times. */
export async function earliestTimes(client: Client, clock: Clock): Promise<EarliestTimes> {
  const serviceMs = await earliestServiceMs(client, clock);
  return { serviceMs, machineMs: client.isTimeMoved() ? null : clock.now() };
}

/**
 * How old a request on record is at least. The answers of its run may have told a wrong time, and this machine may not
 * be the one that sent it. So it has the smaller age of the two clocks.
 */
export function leastAgeMs({ sentAtMs, skewMs }: SendTime, { serviceMs, machineMs }: EarliestTimes): number {
  const byServiceMs = serviceMs - sentAtMs - (skewMs ?? UNKNOWN_SKEW_MS);
  return machineMs === null ? byServiceMs : Math.min(byServiceMs, machineMs - sentAtMs);
}
