import { KIND_CALLS } from '../api/catalogue.ts';
import { isUnread } from '../api/errors.ts';
import { findList } from '../api/lists.ts';
import { readToShow } from '../api/to-show.ts';
import { chooseAccount, warnOfMoved } from '../cli/accounts.ts';
import type { Service } from '../library/connect.ts';
import { type TypedObject, noList, noMatch, typedTarget } from '../cli/addresses.ts';
import { defineCommand, itemResult } from '../cli/define-command.ts';
import { accountFlag, word } from '../cli/flags.ts';
import { type ListItem, drawItem } from '../cli/print-rows.ts';
import { formatCommand } from '../domain/command-line.ts';
import { HeraldError } from '../domain/herald-error.ts';
import {
  type Kind,
  type Observed,
  type ResolvedAccount,
  formatAddress,
  KIND_ROWS,
} from '../domain/resource.ts';
import { isArchived, STATUS_TRAITS } from '../domain/status.ts';
import { visible } from '../domain/visible.ts';
import { scanScope } from '../live/scan.ts';

/** Shows one account. */
export const getAccount = defineCommand({
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
    const text = drawItem(context.output, findList('accounts list'), alias, account);
    return itemResult({ account: alias, ...account }, text);
  },
});

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
      const params = { account_id: account.accountId, campaign_id: id };
      const item: ListItem = await readToShow(service.client, KIND_CALLS[kind].get, { params });
      const text = drawItem(context.output, findList(`${plural} list`), account.alias, item);
      return itemResult({ account: account.alias, ...item }, text);
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
