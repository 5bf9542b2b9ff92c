import type { Context } from '../context.ts';
import { shown } from '../../domain/visible.ts';
import { renderJson } from '../../render/json.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { chooseAccount, openService, warnOfMoved } from '../accounts.ts';
import type { Client } from '../../api/client.ts';
import type { FanId } from '../../domain/ids.ts';
import type { ResolvedAccount } from '../../domain/resource.ts';
import { HeraldError } from '../../domain/herald-error.ts';

/** `herald vault verify-fan`: prints the id of a fan, given a link. */
export async function vaultVerifyFanCommand(
  context: Context,
  link: string,
  flags: { readonly account: string | undefined },
): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  checkFanLink(link);
  const service = await openService(context);
  const account = await chooseAccount(service, flags.account);
  await warnOfMoved(context, service, [account]);
  const fanId = await verifyFan(service.client, account, link);
  if (format === 'text') context.output.result(shown`${fanId}\n`);
  else {
    const item = { account: account.alias, account_id: account.accountId, fan_link: link, fan_id: fanId };
    context.output.result(renderJson({ schema: 'herald/item/1', item }));
  }
  return EXIT.done;
}

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
