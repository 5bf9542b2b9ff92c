import { KIND_CALLS } from '../api/catalogue.ts';
import { isUnread, ServiceError } from '../api/errors.ts';
import { findList } from '../api/lists.ts';
import { readToShow } from '../api/to-show.ts';
import { chooseAccount, warnOfMoved } from '../cli/accounts.ts';
import type { Service } from '../library/connect.ts';
import { type TypedObject, noList, noMatch, typedTarget } from '../cli/addresses.ts';
import type { Context } from '../cli/context.ts';
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
import { shown, type Visible, visible, visibleLines } from '../domain/visible.ts';
import { scanScope } from '../live/scan.ts';
import { cellText, NOT_AVAILABLE, valueAt } from '../render/cells.ts';
import { compactJson } from '../render/json.ts';
import { drawLine, span, type TextStyle } from '../render/spans.ts';
import { drawFields, type Field } from '../render/table.ts';
import { formatDuration, formatPrice, formatValue } from '../render/values.ts';

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
      const item = await readResource(context, service, { account, kind }, id);
      const text = renderResource(kind, account.alias, item, context.output);
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

/** A 502 means unreadable content or an outage. The list has an entry in both cases (BROADCAST-23). */
async function readResource(
  { output }: Context,
  { client }: Service,
  { account, kind }: Scope,
  id: string,
): Promise<ListItem> {
  const { alias, accountId } = account;
  const { listShowsUnreadable, plural } = KIND_ROWS[kind];
  const params = { account_id: accountId, campaign_id: id };
  try {
    return await readToShow(client, KIND_CALLS[kind].get, { params });
  } catch (error) {
    const status = error instanceof ServiceError ? error.problem.status : null;
    if (status === 404) {
      const hint = `To list them: ${formatCommand(plural, 'list', '--account', alias, '--archived')}`;
      throw new HeraldError('not-found', `Account ${alias} has no ${kind} ${id}.`, hint);
    }
    if (!listShowsUnreadable || status !== 502) throw error;
    const list = await scanScope(client, { account, kind }).catch((unread: unknown) => {
      if (isUnread(unread)) return [];
      throw unread;
    });
    const entry = list.find(({ live }) => live.id === id);
    // The first error is more useful than that of the list.
    if (entry === undefined) throw error;
    output.say(
      shown`The service answered 502, as it does for content that it cannot read. Shown instead: the entry in the list.`,
    );
    return { ...entry.live };
  }
}

/** Members that have a place of their own. */
const PLACED_APART: readonly string[] = ['messages', 'messages.length', 'rules', 'follow_up_message_stats'];

/** A campaign or broadcast as text: its fields and figures, its messages, and the figures of later ones. */
export function renderResource(
  kind: Kind,
  account: string,
  item: ListItem,
  style: TextStyle,
): readonly Visible[] {
  const definition = findList(`${KIND_ROWS[kind].plural} list`);
  const isInPlace = ({ path }: { readonly path: string }) => !PLACED_APART.includes(path);
  const columns = [...definition.columns, ...definition.more].filter(isInPlace);
  return [
    ...drawItem(style, { ...definition, columns, more: [] }, account, item),
    ...drawFields(ruleFields(item['rules']), style),
    shown``,
    ...messageLines(item['messages'], definition.filledWhenReadable !== undefined, style),
    shown``,
    ...followUpLines(item['follow_up_message_stats'], style),
  ];
}

function ruleFields(rules: unknown): readonly Field[] {
  if (typeof rules !== 'object' || rules === null) return [];
  const set = Object.entries(rules).filter(([, value]) => value !== null);
  return set.map(([name, value]): Field => [
    `rule ${name}`,
    formatValue(`rules.${name}`, value, null) ?? (typeof value === 'string' ? value : compactJson(value)),
  ]);
}

/** `neverEmpty`: without messages, the service could not read them (BROADCAST-23). */
function messageLines(messages: unknown, neverEmpty: boolean, style: TextStyle): readonly Visible[] {
  const found: readonly unknown[] = Array.isArray(messages) ? messages : [];
  if (found.length === 0 && neverEmpty)
    return [shown`messages: the service could not read them, so the figures have no meaning`];
  if (found.length === 0) return [shown`messages: ${Array.isArray(messages) ? 'none' : NOT_AVAILABLE}`];
  return found.flatMap((message, index) => {
    const title = span(shown`message ${index + 1}`, 'strong');
    const text = valueAt(message, 'text');
    const lines = typeof text === 'string' && text !== '' ? visibleLines(text) : [shown`(no text)`];
    return [
      ...drawLine([title, span(shown`: ${describeTerms(message)}`)], style),
      ...lines.flatMap((line) => drawLine([span(line)], style, 2, 0)),
    ];
  });
}

/** `$9.99; delay 1 h; attached 55012 (image, paid)` */
function describeTerms(message: unknown): string {
  const price = valueAt(message, 'price_gross');
  const delaySec = valueAt(message, 'delay_sec');
  const attachments = valueAt(message, 'attachments');
  const tagged = valueAt(message, 'tagged_platform_account_ids');
  const paid =
    price === 0 ? 'free' : typeof price === 'number' ? formatPrice(price) : `price ${NOT_AVAILABLE}`;
  const parts = [
    paid,
    ...(valueAt(message, 'text_is_paid') === true ? ['the text is paid'] : []),
    ...(typeof delaySec === 'number' && delaySec > 0 ? [`delay ${formatDuration(delaySec)}`] : []),
    ...(Array.isArray(attachments) && attachments.length > 0
      ? [`attached ${attachments.map(describeAttachment).join(', ')}`]
      : []),
    ...(Array.isArray(tagged) && tagged.length > 0 ? [`tags ${tagged.join(', ')}`] : []),
  ];
  return parts.join('; ');
}

function describeAttachment(attachment: unknown): string {
  const type = cellText(valueAt(attachment, 'type'), { path: 'type' });
  const paid = valueAt(attachment, 'is_paid') === true ? ', paid' : '';
  return `${cellText(valueAt(attachment, 'id'), { path: 'id' })} (${type}${paid})`;
}

/** Figures of later messages have their step. Their place in the list has no meaning (CONTENT-8). */
function followUpLines(followUps: unknown, style: TextStyle): readonly Visible[] {
  if (!Array.isArray(followUps)) return [];
  return followUps.flatMap((stats: unknown) => {
    if (typeof stats !== 'object' || stats === null) return [];
    const { step, ...figures } = stats as Readonly<Record<string, unknown>>;
    const words = Object.entries(figures).map(
      ([name, value]) => `${name} ${value === null ? NOT_AVAILABLE : compactJson(value)}`,
    );
    const line = `follow-up, step ${cellText(step, { path: 'step' })}: ${words.join(', ')}`;
    return drawLine([span(visible(line))], style);
  });
}
