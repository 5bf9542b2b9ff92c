import type { Client } from '../api/client.ts';
import type { Clock } from '../domain/ports.ts';
import { UNKNOWN_SKEW_MS, type Left } from '../ledger/ages.ts';

/**
 * Asks the service for any answer where none told its clock yet, by which the ages of earlier requests are judged;
 * whether it is a good one does not matter.
 */
export async function hearClock(client: Client): Promise<void> {
  if (client.told().skewMs === null) await client.call('accounts.list', { params: {}, query: { limit: 1 } });
}

/**
 * The service's time, or the earliest that it can be where the service does not tell it: nothing is taken for older
 * than it is.
 */
export async function earliestServiceMs(client: Client, clock: Clock): Promise<number> {
  await hearClock(client);
  return clock.now() + (client.told().skewMs ?? -UNKNOWN_SKEW_MS);
}

/** When a request left by the service's clock, or the latest that it can have been where nobody wrote that down. */
export function latestSentMs({ sentAtMs, skewMs }: Left): number {
  return sentAtMs + (skewMs ?? UNKNOWN_SKEW_MS);
}
