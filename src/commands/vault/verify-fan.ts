import { chooseAccount, openService, warnOfMoved } from '../../cli/accounts.ts';
import { defineCommand, itemResult } from '../../cli/define-command.ts';
import { textFlag, word } from '../../cli/flags.ts';
import { checkFanLink, verifyFan } from '../../cli/vault.ts';
import { shown } from '../../domain/visible.ts';

/** Prints the id of a fan, given a link. */
export const verify = defineCommand({
  path: 'vault verify-fan',
  about: 'print the id of a fan, given a link',
  examples: ['herald vault verify-fan https://HOST/some_fan --account alice'],
  words: { link: word('URL') },
  flags: { account: textFlag('--account <name>', 'alias or id of the account') },
  needs: 'nothing',
  run: async (context, given) => {
    checkFanLink(given.link);
    const service = await openService(context);
    const account = await chooseAccount(service, given.account);
    await warnOfMoved(context, service, [account]);
    const fanId = await verifyFan(service.client, account, given.link);
    const { alias, accountId } = account;
    return itemResult(
      { account: alias, account_id: accountId, fan_link: given.link, fan_id: fanId },
      shown`${fanId}\n`,
    );
  },
});
