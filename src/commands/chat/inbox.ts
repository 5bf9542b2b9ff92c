import type { Client } from '../../api/client.ts';
import { makeColumns } from '../../api/columns.ts';
import { ServiceError } from '../../api/errors.ts';
import { LIST_COMMANDS } from '../../api/lists.ts';
import { type ItemOf, type ListInput, readPages } from '../../api/pages.ts';
import { defineCommand, LIST_FORMATS } from '../../cli/define-command.ts';
import { accountsFlag, limitFlag, switchFlag } from '../../cli/flags.ts';
import { chooseColumns, columnsFlag, streamRows } from '../../cli/print-rows.ts';
import type { ListItem } from '../../render/rows.ts';
import { openOwners, type Owner } from '../../cli/read-list.ts';

const COLUMNS = {
  who: 'account' as const,
  columns: makeColumns('fan_id waits created_at is_sent_by_me text', {
    waits: { as: 'flag' },
    created_at: { header: 'last message', none: '-' },
    is_sent_by_me: 'sent by us',
    text: { none: '' },
  }),
  more: makeColumns('message_id', { message_id: { none: '-' } }),
};

/** As many fans as a person answers in one sitting; each costs one request, and the service takes one a second. */
const FANS = 20;

export const inbox = defineCommand({
  path: 'chat inbox',
  about: 'show the last message of each recent chat, and whether it waits for an answer',
  examples: ['herald chat inbox --account alice', 'herald chat inbox --account vip --waiting --limit 50'],
  more: 'WAITS is yes where the fan wrote last. Each fan costs one request, and the service takes one a second.',
  formats: LIST_FORMATS,
  flags: {
    accounts: accountsFlag,
    waiting: switchFlag('--waiting', 'only chats that wait for an answer'),
    limit: limitFlag(`look at this many fans of each account (default: ${FANS})`),
    columns: columnsFlag(COLUMNS),
  },
  needs: 'reads',
  run: async (context, given, service) => {
    const { accounts, waiting, limit = FANS } = given;
    const print = chooseColumns(COLUMNS, given);
    const { makeSources } = await openOwners(context, service, LIST_COMMANDS['fans list'], { accounts });
    const sources = makeSources((owner) => readInbox(service.client, owner, limit, waiting));
    return streamRows(context, print, { what: 'chats', sources });
  },
});

async function* readInbox(
  client: Client,
  { alias, params }: Owner,
  limit: number,
  waiting: boolean,
): AsyncGenerator<readonly ListItem[], void> {
  const account = { account_id: params['account_id'] ?? '' };
  for await (const fans of readPages(client, 'fans.list', { params: account }, { limit }))
    for (const fan of fans) {
      const last = await readLast(client, { ...account, chat_id: String(fan) });
      const { id = null, is_sent_by_me: isOurs = null, created_at = null, text = null } = last ?? {};
      const waits = isOurs === null ? null : !isOurs;
      const message = { message_id: id, created_at, is_sent_by_me: isOurs, text };
      if (!waiting || waits === true) yield [{ account: alias, fan_id: String(fan), waits, ...message }];
    }
}

/** Assumed: the chat of a fan has the id of the fan (CHAT-13). A chat of another id is not found, and shows nothing. */
async function readLast(
  client: Client,
  params: ListInput<'chat.messages'>['params'],
): Promise<ItemOf<'chat.messages'> | undefined> {
  try {
    for await (const [last] of readPages(client, 'chat.messages', { params }, { limit: 1 })) return last;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.problem.status !== 404) throw error;
  }
  return undefined;
}
