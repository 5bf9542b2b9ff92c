import { LIST_COMMANDS } from '../../api/lists.ts';
import { readToShow } from '../../api/pages.ts';
import { chooseAccount, warnOfMoved } from '../../cli/accounts.ts';
import { defineCommand, itemResult } from '../../cli/define-command.ts';
import { word } from '../../cli/flags.ts';
import { drawItem } from '../../render/rows.ts';

export const get = defineCommand({
  path: 'accounts get',
  about: 'show one account, by alias or id',
  examples: ['herald accounts get alice', 'herald accounts get 101 --format json'],
  words: { given: word('ACCOUNT') },
  needs: 'reads',
  run: async (context, { given }, service) => {
    const chosen = await chooseAccount(service, given, { anyPlatform: true });
    await warnOfMoved(context, service, [chosen]);
    const { alias, accountId } = chosen;
    const params = { account_id: accountId };
    const { account } = await readToShow(service.client, 'accounts.get', { params });
    const text = drawItem(context.output, LIST_COMMANDS['accounts list'], alias, account);
    return itemResult({ account: alias, ...account }, text);
  },
});
