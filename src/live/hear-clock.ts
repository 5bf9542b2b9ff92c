import type { Client } from '../api/client.ts';

/** More answers than these do not end a disagreement between clocks. */
const ASKS_MAX = 4;

/**
 * Asks the service for answers until clocks agree on its time, by which schedules are judged. In most runs nothing is
 * asked, because the first answer agrees with this machine's clock. Ends where they never agree, or where none comes.
 */
export async function ensureServiceClockKnown(client: Client): Promise<void> {
  for (let asked = 0; asked < ASKS_MAX && client.isClockDoubtful(); asked += 1) {
    // Whether they are good answers does not matter.
    const { kind } = await client.call('accounts.list', { params: {}, query: { limit: 1 } });
    if (kind === 'unknown' || kind === 'not_sent') return;
  }
}
