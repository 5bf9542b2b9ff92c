import type { Client } from '../../api/client.ts';
import { makeColumns } from '../../api/columns.ts';
import { ServiceError } from '../../api/errors.ts';
import { findList } from '../../api/lists.ts';
import { readPages } from '../../api/pages.ts';
import { defineCommand } from '../../cli/define-command.ts';
import { accountsFlag, limitFlag, switchFlag } from '../../cli/flags.ts';
import { LIST_FORMATS } from '../../cli/formats.ts';
import {
  chooseColumns,
  columnsFlag,
  streamRows,
  type ColumnSet,
  type ListItem,
} from '../../cli/print-rows.ts';
import { openOwners } from '../../cli/read-list.ts';

const COLUMNS: ColumnSet = {
  who: 'account',
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

/** The last message of each recent chat, and whether it waits for an answer. */
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
    const { makeSources } = await openOwners(context, service, findList('fans list'), { accounts });
    const sources = makeSources(({ account, accountId }) =>
      readInbox(service.client, { alias: account, id: accountId ?? '' }, limit, waiting),
    );
    return streamRows(context, print, { what: 'chats', sources });
  },
});

interface Account {
  readonly alias: string;
  readonly id: string;
}

async function* readInbox(
  client: Client,
  account: Account,
  limit: number,
  waiting: boolean,
): AsyncGenerator<readonly ListItem[], void> {
  const params = { account_id: account.id };
  for await (const fans of readPages(client, 'fans.list', { params }, { limit }))
    for (const fan of fans) {
      const item = await readChat(client, account, String(fan));
      if (!waiting || item['waits'] === true) yield [item];
    }
}

/** Assumed: the chat of a fan has the id of the fan (CHAT-13). A chat of another id is not found, and shows nothing. */
async function readChat(client: Client, { alias, id }: Account, fanId: string): Promise<ListItem> {
  const params = { account_id: id, chat_id: fanId };
  const item = { account: alias, fan_id: fanId };
  try {
    for await (const [last] of readPages(client, 'chat.messages', { params }, { limit: 1 })) {
      const { id: messageId, is_sent_by_me: isOurs = null, created_at, text } = last ?? {};
      return {
        ...item,
        waits: isOurs === null ? null : !isOurs,
        message_id: messageId ?? null,
        created_at: created_at ?? null,
        is_sent_by_me: isOurs,
        text: text ?? null,
      };
    }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.problem.status !== 404) throw error;
  }
  return { ...item, waits: null, message_id: null, created_at: null, is_sent_by_me: null, text: null };
}
