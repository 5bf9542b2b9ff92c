import { KIND_CALLS } from '../api/catalogue.ts';
import { isUnread, ServiceError } from '../api/errors.ts';
import { findList } from '../api/lists.ts';
import { readAsAnswered } from '../api/odd-values.ts';
import { readPages } from '../api/pages.ts';
import { type Service, chooseAccount, warnOfMoved } from '../cli/accounts.ts';
import { type TypedObject, noList, noMatch, typedTarget } from '../cli/addresses.ts';
import type { Context } from '../cli/context.ts';
import { defineCommand, itemResult } from '../cli/define-command.ts';
import { accountFlag, word } from '../cli/flags.ts';
import { formatCommand } from '../domain/command-line.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { ListColumn } from '../domain/list-column.ts';
import {
  type Kind,
  type Observed,
  type ResolvedAccount,
  formatAddress,
  KIND_ROWS,
} from '../domain/resource.ts';
import { isArchived, STATUS_TRAITS } from '../domain/status.ts';
import { shown, visible } from '../domain/visible.ts';
import { scanScope } from '../live/scan.ts';
import { type ResourceItem, renderResource } from '../render/resource-text.ts';

/** `campaigns get` and `broadcasts get`. */
export function defineGet(kind: Kind) {
  const { plural } = KIND_ROWS[kind];
  const path = `${plural} get`;
  return defineCommand({
    path,
    about: `show one ${kind} with its messages, audience and figures`,
    examples: [`herald ${path} alice/${kind}/Welcome`, `herald ${path} 77 --account alice --format json`],
    words: { typed: word('ID|ADDRESS') },
    flags: { account: accountFlag },
    needs: 'reads',
    run: async (context, { typed, account: given }, service) => {
      const target = typedTarget(kind, typed, given, path);
      const account = await chooseAccount(service, target.account);
      await warnOfMoved(context, service, [account]);
      const id = await findId(service, { account, kind }, target.object, path);
      const item = await readResource(context, service, { account, kind }, id);
      const messages = item['messages'];
      const unreadable = kind === 'broadcast' && (!Array.isArray(messages) || messages.length === 0);
      const view = { item, account: account.alias, unreadable, ...splitColumns(kind) };
      return itemResult({ account: account.alias, ...item }, renderResource(view, context.output));
    },
  });
}

/** The list that an object is in. */
interface Scope {
  readonly account: ResolvedAccount;
  readonly kind: Kind;
}

/** Which of several objects of one name is meant, the first choice first. */
const CHOICES: readonly ((object: Observed) => boolean)[] = [
  ({ kind, live }) => STATUS_TRAITS[KIND_ROWS[kind].statusOf(live)].runs,
  ({ live }) => !isArchived(live),
  () => true,
];

/**
 * The id of a typed object. A name means the one that runs. If none runs, it means the only one that is not archived, or
 * the only one at all. Throws if that is not exactly one, with the candidates.
 */
async function findId(
  { client }: Service,
  { account, kind }: Scope,
  object: TypedObject,
  command: string,
): Promise<string> {
  if (object.by === 'id') return object.id;
  const all = await scanScope(client, { account, kind }).catch((error: unknown) => {
    throw isUnread(error) ? noList(error, account, command) : error;
  });
  const named = all.filter(({ live }) => live.name === object.name);
  const chosen = CHOICES.map((isChosen) => named.filter(isChosen)).find((some) => some.length > 0) ?? [];
  const [one, ...others] = chosen;
  if (one !== undefined && others.length === 0) return one.live.id;
  const address = visible(formatAddress({ account: account.alias, kind, name: object.name }));
  if (one === undefined) throw noMatch(address, all, object.name, kind);
  const ids = chosen.map(({ live }) => `${live.id} (${live.status ?? 'no status'})`).join(', ');
  throw new HeraldError(
    'ambiguous-name',
    `${chosen.length} ${KIND_ROWS[kind].plural} have the address ${address}: ${ids}. Nothing was sent.`,
    `Use an id: ${formatCommand(...command.split(' '), one.live.id, '--account', account.alias)}`,
  );
}

/** A 502 means unreadable content or an outage. The list has an entry in both cases (BROADCAST-23). */
async function readResource(
  { output }: Context,
  service: Service,
  scope: Scope,
  id: string,
): Promise<ResourceItem> {
  const { account, kind } = scope;
  const { listShowsUnreadable, plural } = KIND_ROWS[kind];
  const params = { account_id: account.accountId, campaign_id: id };
  try {
    return await readAsAnswered(service.client, KIND_CALLS[kind].get, { params });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { status } = error.problem;
    if (status === 404)
      throw new HeraldError(
        'not-found',
        `Account ${account.alias} has no ${kind} ${id}.`,
        `To list them: ${formatCommand(plural, 'list', '--account', account.alias, '--archived')}`,
      );
    const entry = listShowsUnreadable && status === 502 ? await readListEntry(service, account, id) : null;
    if (entry === null) throw error;
    output.say(
      shown`The service answered 502, as it does for content that it cannot read. Shown instead: the entry in the list.`,
    );
    return entry;
  }
}

/** The entry of a broadcast. Null if there is none or the list cannot be read; then the first error is more useful. */
async function readListEntry(
  { client }: Service,
  { accountId }: ResolvedAccount,
  id: string,
): Promise<ResourceItem | null> {
  const input = { params: { account_id: accountId }, query: { include_archived: true } };
  try {
    for await (const page of readPages(client, 'broadcasts.list', input)) {
      const found = page.find((broadcast) => broadcast.id === id);
      if (found !== undefined) return found;
    }
  } catch (error) {
    if (!isUnread(error)) throw error;
  }
  return null;
}

/** Members that have a place of their own. */
const PLACED_APART: readonly string[] = [
  'messages',
  'messages.length',
  'audience_filters',
  'rules',
  'follow_up_message_stats',
];

/** Columns of the list, split into figures and those above the messages. */
function splitColumns(kind: Kind) {
  const { columns, more } = findList(`${KIND_ROWS[kind].plural} list`);
  const all = [...columns, ...more].filter(({ path }) => !PLACED_APART.includes(path));
  const isFigure = ({ path, figure }: ListColumn) => figure === true || path === 'targeted_sends_count';
  return { fields: all.filter((column) => !isFigure(column)), figures: all.filter(isFigure) };
}
