import type { Client } from '../api/client.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { FanId } from '../domain/ids.ts';
import type { ResolvedAccount } from '../domain/resource.ts';

/** Asks the service for the id of a fan, given a link. This is a lookup, so it may be retried. */
export async function verifyFan(client: Client, account: ResolvedAccount, link: string): Promise<FanId> {
  const { fan_id: fanId } = await client.read('vault.verify-fan', {
    params: { account_id: account.accountId },
    body: { fan_link: link },
  });
  return fanId;
}

/** Checks the form of the link. The service accepts only links to the platform's host, which Herald does not know. */
export function checkFanLink(link: string): void {
  const isAddress = URL.canParse(link) && /^https?:$/.test(new URL(link).protocol);
  if (!isAddress || link.length > 2048)
    throw new HeraldError(
      'bad-fan-link',
      `"${link}" is not an http or https address of at most 2048 characters.`,
      'Use the link of the fan on the platform, such as https://HOST/NAME.',
    );
}
