import type { Client } from '../../api/client.ts';
import type { ResolvedAccount } from '../../domain/resource.ts';

/** Asks the service for the id of a fan, given a link. This is a lookup, so it may be retried. */
export async function verifyFan(client: Client, account: ResolvedAccount, link: string): Promise<string> {
  const { fan_id: fanId } = await client.read('vault.verify-fan', {
    params: { account_id: account.accountId },
    body: { fan_link: link },
  });
  return fanId;
}
