import type { Client } from '../api/client.ts';
import { IncompleteScanError } from '../api/pages/incomplete.ts';
import { readPages, type ItemOf } from '../api/pages/read-pages.ts';
import type { PlatformAccount } from '../live/targets.ts';

export type PayoutRequest = ItemOf<'payouts.list'>;

type PayoutPlace = Pick<PlatformAccount, 'platform' | 'platformAccountId'>;

/** The account as the paths of payouts name it. */
export function placeOf({ platform, platformAccountId }: PayoutPlace) {
  return { platform, platform_account_id: platformAccountId };
}

/** How often a list that changes during reading is read again. */
const READINGS_MAX = 3;

/**
 * Every payout request of the account, newest first as it came. The scan begins without a marker: one of an earlier
 * scan would hide what is new (PAYOUT-5). Throws `IncompleteScanError` rather than give a part.
 */
export async function readPayoutRequests(
  client: Client,
  account: PayoutPlace,
): Promise<readonly PayoutRequest[]> {
  const params = placeOf(account);
  let moved = '';
  for (let reading = 1; reading <= READINGS_MAX; reading += 1) {
    moved = '';
    const onWarning = (sentence: string) => (moved = sentence);
    const found: PayoutRequest[] = [];
    for await (const page of readPages(client, 'payouts.list', { params }, { onWarning }))
      found.push(...page);
    if (moved === '') return found;
  }
  throw new IncompleteScanError(moved);
}
