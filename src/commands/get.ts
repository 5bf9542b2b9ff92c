import { KIND_CALLS } from '../api/catalogue.ts';
import { isUnread, ServiceError } from '../api/errors.ts';
import { findList } from '../api/lists.ts';
import { readAsAnswered } from '../api/odd-values.ts';
import { readPages } from '../api/pages.ts';
import { chooseAccount, warnOfMoved } from '../cli/accounts.ts';
import type { Service } from '../library/connect.ts';
import { type TypedObject, noList, noMatch, typedTarget } from '../cli/addresses.ts';
import type { Context } from '../cli/context.ts';
import { defineCommand, itemResult } from '../cli/define-command.ts';
import { accountFlag, word } from '../cli/flags.ts';
import type { ListItem } from '../cli/print-rows.ts';
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
import { page, shown, type Visible, visible, visibleLines } from '../domain/visible.ts';
import { scanScope } from '../live/scan.ts';
import { cellText, NOT_AVAILABLE, valueAt } from '../render/cells.ts';
import { compactJson } from '../render/json.ts';
import { drawLine, span, type TextStyle } from '../render/spans.ts';
import { drawFields, type Field } from '../render/table.ts';
import {
  describeAudience,
  formatDuration,
  formatFilterTimes,
  formatPrice,
  formatTime,
  formatValue,
} from '../render/values.ts';

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
): Promise<ListItem> {
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
): Promise<ListItem | null> {
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

interface ResourceView {
  readonly item: ListItem;
  readonly account: string;
  /** Fields above the messages, in order. */
  readonly fields: readonly ListColumn[];
  /** Its figures. Their labels name the counted messages. */
  readonly figures: readonly ListColumn[];
  /** True if the service could not read its messages, so that it has no figures (BROADCAST-23). */
  readonly unreadable: boolean;
}

/** A campaign or broadcast as text: fields, audience, messages and figures. Ends with a line break. */
export function renderResource(view: ResourceView, style: TextStyle): Visible {
  const { item, account, fields, unreadable } = view;
  const head: readonly Field[] = [
    ['account', account],
    ...fields.map((column): Field => [column.header ?? column.path, fieldText(item, column)]),
    ['audience', unreadable ? NOT_AVAILABLE : audienceText(item['audience_filters'])],
    ...ruleFields(item['rules']),
  ];
  const lines = [
    ...drawFields(head, style),
    shown``,
    ...messageLines(item['messages'], unreadable, style),
    shown``,
    ...figureLines(view, style),
  ];
  return page(lines);
}

/** A value in words, such as `$9.99` or `Sun 6 Dec 2026 17:00 UTC`. */
function fieldText(item: ListItem, column: ListColumn): string {
  const value = valueAt(item, column.path);
  const time = column.as === 'instant' && typeof value === 'string' ? formatTime(value, null) : null;
  return time ?? formatValue(column.path, value, null) ?? cellText(value, column);
}

function audienceText(filters: unknown): string {
  return Array.isArray(filters) ? formatFilterTimes(describeAudience(filters), null) : NOT_AVAILABLE;
}

function ruleFields(rules: unknown): readonly Field[] {
  if (typeof rules !== 'object' || rules === null) return [];
  const set = Object.entries(rules).filter(([, value]) => value !== null);
  return set.map(([name, value]): Field => [
    `rule ${name}`,
    formatValue(`rules.${name}`, value, null) ?? (typeof value === 'string' ? value : compactJson(value)),
  ]);
}

function messageLines(messages: unknown, unreadable: boolean, style: TextStyle): readonly Visible[] {
  if (unreadable) return [shown`messages: the service could not read them, so the figures have no meaning`];
  if (!Array.isArray(messages)) return [shown`messages: ${NOT_AVAILABLE}`];
  if (messages.length === 0) return [shown`messages: none`];
  return messages.flatMap((message: unknown, index) => [
    ...drawLine(
      [span(shown`message ${index + 1}`, 'strong'), span(shown`: ${describeTerms(message)}`)],
      style,
    ),
    ...textLines(valueAt(message, 'text')).flatMap((line) => drawLine([span(line)], style, 2, 0)),
  ]);
}

/** `$9.99; delay 1 h; attached 55012 (image, paid)` */
function describeTerms(message: unknown): Visible {
  const price = valueAt(message, 'price_gross');
  const delaySec = valueAt(message, 'delay_sec');
  const attachments = valueAt(message, 'attachments');
  const tagged = valueAt(message, 'tagged_platform_account_ids');
  const parts = [
    typeof price === 'number' ? (price === 0 ? 'free' : formatPrice(price)) : `price ${NOT_AVAILABLE}`,
    ...(valueAt(message, 'text_is_paid') === true ? ['the text is paid'] : []),
    ...(typeof delaySec === 'number' && delaySec > 0 ? [`delay ${formatDuration(delaySec)}`] : []),
    ...(Array.isArray(attachments) && attachments.length > 0
      ? [`attached ${attachments.map(describeAttachment).join(', ')}`]
      : []),
    ...(Array.isArray(tagged) && tagged.length > 0 ? [`tags ${tagged.join(', ')}`] : []),
  ];
  return visible(parts.join('; '));
}

function describeAttachment(attachment: unknown): string {
  const type = cellText(valueAt(attachment, 'type'), { path: 'type' });
  const paid = valueAt(attachment, 'is_paid') === true ? ', paid' : '';
  return `${cellText(valueAt(attachment, 'id'), { path: 'id' })} (${type}${paid})`;
}

function textLines(text: unknown): readonly Visible[] {
  return typeof text === 'string' && text !== '' ? visibleLines(text) : [shown`(no text)`];
}

function figureLines({ item, figures, unreadable }: ResourceView, style: TextStyle): readonly Visible[] {
  const fields = figures.map((column): Field => [
    column.header ?? column.path,
    cellText(unreadable ? null : valueAt(item, column.path), column),
  ]);
  return [...drawFields(fields, style), ...followUpLines(item['follow_up_message_stats'], style)];
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
    return drawLine(
      [span(shown`follow-up, step ${cellText(step, { path: 'step' })}: ${words.join(', ')}`)],
      style,
    );
  });
}
