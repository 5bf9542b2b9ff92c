import { verifyFan } from '../../acts/upload/records.ts';
import { chooseAccount, warnOfMoved } from '../../cli/accounts.ts';
import { defineCommand, itemResult } from '../../cli/define-command.ts';
import { accountFlag, parseFanLink, word } from '../../cli/flags.ts';
import { shown } from '../../domain/visible.ts';

export const verify = defineCommand({
  path: 'vault verify-fan',
  about: 'print the id of a fan, given a link',
  examples: ['herald vault verify-fan https://HOST/some_fan --account alice'],
  words: { link: word('URL').argParser(parseFanLink) },
  flags: { account: accountFlag },
  needs: 'service',
  run: async (context, given, service) => {
    const account = await chooseAccount(service, given.account);
    await warnOfMoved(context, service, [account]);
    const { alias, accountId } = account;
    const fanId = await verifyFan(service.client, accountId, given.link);
    return itemResult(
      { account: alias, account_id: accountId, fan_link: given.link, fan_id: fanId },
      shown`${fanId}\n`,
    );
  },
});
