import type { Client } from '../api/client.ts';
import type { Clock } from '../domain/ports.ts';
import { UNKNOWN_SKEW_MS, type Left } from '../ledger/ages.ts';
import { ensureServiceClockKnown } from '../live/hear-clock.ts';

/**
 * The service's time, or the earliest that it can be where its answers do not tell it: nothing is taken for older than
 * it is.
 */
export async function earliestServiceMs(client: Client, clock: Clock): Promise<number> {
  await ensureServiceClockKnown(client);
  return clock.now() + (client.skewRange()?.earliestMs ?? -UNKNOWN_SKEW_MS);
}

/** When a request left by the service's clock, or the latest that it can have been where nobody wrote that down. */
export function latestSentMs({ sentAtMs, skewMs }: Left): number {
  return sentAtMs + (skewMs ?? UNKNOWN_SKEW_MS);
}
