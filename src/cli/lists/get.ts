import { KIND_CALLS } from '../../api/kind-calls.ts';
import { formatCommand } from '../../domain/command-line.ts';
import type { AccountId } from '../../domain/ids.ts';
import type { Client } from '../../api/client.ts';
import { IncompleteScanError, ServiceError } from '../../api/errors.ts';
import { readAsAnswered } from '../../api/odd-values.ts';
import { readPages } from '../../api/pages.ts';
import type { Context } from '../context.ts';
import { type Kind, KIND_ROWS, type ResolvedAccount } from '../../domain/resource.ts';
import { page, shown } from '../../domain/visible.ts';
import type { ListColumn } from '../../domain/list-column.ts';
import { cellText } from '../../render/cells.ts';
import { drawFields, type Field } from '../../render/fields.ts';
import { renderJson } from '../../render/json.ts';
import { renderResource, type ResourceItem } from '../../render/resource-text.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { idOfTyped, typedTarget } from '../addresses.ts';
import { chooseAccount, openServiceToRead, warnOfMoved } from '../accounts.ts';
import { valueOf } from './list-columns.ts';
import { listOf } from '../../api/lists.ts';
import { HeraldError } from '../../domain/herald-error.ts';

/** `herald accounts get ACCOUNT`. */
export async function getAccountCommand(context: Context, given: string): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const service = await openServiceToRead(context);
  const chosen = await chooseAccount(service, given, { anyPlatform: true });
  await warnOfMoved(context, service, [chosen]);
  const { alias, accountId } = chosen;
  const params = { account_id: accountId };
  const { account } = await readAsAnswered(service.client, 'accounts.get', { params });
  if (format === 'json') return printItem(context, { account: alias, ...account });
  const definition = listOf('accounts list');
  const fields = [...definition.columns, ...definition.more].map((column): Field => [
    column.header ?? column.path,
    cellText(valueOf(definition, account, column), column),
  ]);
  context.output.result(page(drawFields([['account', alias], ...fields], styleOf(context))));
  return EXIT.done;
}

/** `herald campaigns get ID` and `herald broadcasts get ID`, or with an address. */
export async function getResourceCommand(
  context: Context,
  kind: Kind,
  typed: string,
  given: string | undefined,
): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const command = `${KIND_ROWS[kind].plural} get`;
  const target = typedTarget(kind, typed, given, command);
  const service = await openServiceToRead(context);
  const account = await chooseAccount(service, target.account);
  await warnOfMoved(context, service, [account]);
  const id = await idOfTyped(service.client, account, kind, target.object, command);
  const item = await readResource(context, service.client, kind, account, id).catch((error: unknown) => {
    if (!(error instanceof ServiceError) || error.problem.status !== 404) throw error;
    throw new HeraldError(
      'not-found',
      `Account ${account.alias} has no ${kind} ${id}.`,
      `To list them: ${formatCommand(KIND_ROWS[kind].plural, 'list', '--account', account.alias, '--archived')}`,
    );
  });
  if (format === 'json') return printItem(context, { account: account.alias, ...item });
  const messages = item['messages'];
  const unreadable = kind === 'broadcast' && (!Array.isArray(messages) || messages.length === 0);
  const view = { item, account: account.alias, unreadable, ...VIEWS[kind] };
  context.output.result(renderResource(view, styleOf(context)));
  return EXIT.done;
}

function printItem(context: Context, item: Readonly<Record<string, unknown>>): number {
  context.output.result(renderJson({ schema: 'herald/item/1', item }));
  return EXIT.done;
}

function styleOf({ output }: Context) {
  return { colour: output.colour, width: output.width };
}

async function readResource(
  context: Context,
  client: Client,
  kind: Kind,
  { accountId }: ResolvedAccount,
  id: string,
): Promise<ResourceItem> {
  const params = { account_id: accountId, campaign_id: id };
  try {
    return await readAsAnswered(client, KIND_CALLS[kind].get, { params });
  } catch (error) {
    const isHidden = KIND_ROWS[kind].listShowsUnreadable && isBadGateway(error);
    const entry = isHidden ? await listEntry(client, accountId, id) : null;
    if (entry === null) throw error;
    context.output.say(
      shown`The service answered 502, as it does for content that it cannot read. Shown instead: the entry in the list.`,
    );
    return entry;
  }
}

/** A 502 means unreadable content or an outage. The list has an entry in both cases (BROADCAST-23). */
function isBadGateway(error: unknown): boolean {
  return error instanceof ServiceError && error.problem.status === 502;
}

/**
 * The entry of a broadcast in the list. Null if there is none or the list cannot be read; then the first error is
 * more useful.
 */
async function listEntry(client: Client, accountId: AccountId, id: string): Promise<ResourceItem | null> {
  const input = { params: { account_id: accountId }, query: { include_archived: true } };
  try {
    for await (const page of readPages(client, 'broadcasts.list', input)) {
      const found = page.find((broadcast) => broadcast.id === id);
      if (found !== undefined) return found;
    }
  } catch (error) {
    if (!(error instanceof ServiceError) && !(error instanceof IncompleteScanError)) throw error;
  }
  return null;
}

const PLACED_APART: readonly string[] = [
  'messages',
  'messages.length',
  'audience_filters',
  'rules',
  'follow_up_message_stats',
];

/** Columns of the list, split into figures and those above the messages. The other fields have their own places. */
const VIEWS = { campaign: viewOf('campaigns list'), broadcast: viewOf('broadcasts list') } as const;

function viewOf(list: 'campaigns list' | 'broadcasts list') {
  const { columns, more } = listOf(list);
  const all = [...columns, ...more].filter(({ path }) => !PLACED_APART.includes(path));
  const isFigure = ({ path, figure }: ListColumn) => figure === true || path === 'targeted_sends_count';
  return { fields: all.filter((column) => !isFigure(column)), figures: all.filter(isFigure) };
}
