import type { Client } from '../api/client.ts';

/** More answers than these do not end a disagreement between clocks. */
const ASKS_MAX = 4;

/**
 * Asks the service for answers until clocks agree on its time, by which schedules are judged. In most runs nothing is
 * asked, because the first answer agrees with this machine's clock.
 */
export async function ensureServiceClockKnown(client: Client): Promise<void> {
  await hearWhile(client, () => client.clockDoubt().isTimeOpen);
}

/**
 * Asks the service for answers until enough of them agree for the ages of earlier requests. Without that, each of them
 * is only as old as this run has known it.
 */
export async function ensureAgesKnown(client: Client): Promise<void> {
  await hearWhile(client, () => client.clockDoubt().areAgesOpen);
}

/** Whether they are good answers does not matter. Ends where they never agree, or where none comes. */
async function hearWhile(client: Client, isInDoubt: () => boolean): Promise<void> {
  for (let asked = 0; asked < ASKS_MAX && isInDoubt(); asked += 1) {
    const { kind } = await client.call('accounts.list', { params: {}, query: { limit: 1 } });
    if (kind === 'unknown' || kind === 'not_sent') return;
  }
}
