import type { Client } from '../api/client.ts';
import type { Clock } from '../domain/ports.ts';
import { UNKNOWN_SKEW_MS, type SendTime } from '../ledger/ages.ts';
import { ensureServiceClockKnown } from '../live/hear-clock.ts';

/**
 * The service's time, or the earliest possible one if its answers do not tell, so that nothing seems older than it
 * is.
 */
export async function earliestServiceMs(client: Client, clock: Clock): Promise<number> {
  await ensureServiceClockKnown(client);
  return clock.now() + (client.skewRange()?.earliestMs ?? -UNKNOWN_SKEW_MS);
}

/** The send time of a request by the service's clock, or the latest possible one if it was not recorded. */
export function latestSentMs({ sentAtMs, skewMs }: SendTime): number {
  return sentAtMs + (skewMs ?? UNKNOWN_SKEW_MS);
}
