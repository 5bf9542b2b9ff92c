import { KIND_CALLS } from '../api/catalogue.ts';
import { isUnread } from '../api/errors.ts';
import { LIST_COMMANDS } from '../api/lists.ts';
import { chooseAccount, TypedTarget, warnOfMoved } from '../cli/accounts.ts';
import type { Service } from '../library/connect.ts';
import { defineCommand, itemResult } from '../cli/define-command.ts';
import { accountFlag, word } from '../cli/flags.ts';
import { type ListItem, drawItem } from '../render/rows.ts';
import { formatCommand } from '../domain/command-line.ts';
import { readMember } from '../domain/field-path.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { type Kind, type Observed, type ResolvedAccount, KIND_ROWS } from '../domain/resource.ts';
import { isArchived, readKindStatus, STATUS_TRAITS } from '../domain/status.ts';
import { shown, type Visible, visible, visibleLines } from '../domain/visible.ts';
import { scanScope } from '../live/scan.ts';
import { drawLine, span, type TextStyle } from '../render/spans.ts';
import { drawFields, type Field } from '../render/table.ts';
import { cellText, formatDuration, formatValue } from '../render/values.ts';
import { readToShow } from '../api/pages.ts';

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
      const target = new TypedTarget(kind, path, typed, given);
      const account = await chooseAccount(service, target.account);
      await warnOfMoved(context, service, [account]);
      const id = await findId(service, { account, kind }, target, path);
      const params = { account_id: account.accountId, campaign_id: id };
      const item: ListItem = await readToShow(service.client, KIND_CALLS[kind].get, { params });
      const text = drawResource(kind, account.alias, item, context.output);
      return itemResult({ account: account.alias, ...item }, text);
    },
  });
}

/** Which of several objects of one name is meant, the first choice first. */
const CHOICES: readonly ((object: Observed) => boolean)[] = [
  ({ kind, live }) => STATUS_TRAITS[readKindStatus(live, KIND_ROWS[kind].statuses)].runs,
  ({ live }) => !isArchived(live),
  () => true,
];

/** The one that runs, else the only one not archived, else the only one. Throws with the candidates. */
async function findId(
  { client }: Service,
  { account, kind }: { readonly account: ResolvedAccount; readonly kind: Kind },
  target: TypedTarget,
  command: string,
): Promise<string> {
  const { object } = target;
  if (object.by === 'id') return object.id;
  const all = await scanScope(client, { account, kind }).catch((error: unknown) => {
    throw isUnread(error) ? target.explainUnread(error, account) : error;
  });
  const named = all.filter(({ live }) => live.name === object.name);
  const chosen = CHOICES.map((isChosen) => named.filter(isChosen)).find((some) => some.length > 0) ?? [];
  const [one, ...others] = chosen;
  if (one !== undefined && others.length === 0) return one.live.id;
  if (one === undefined) throw target.explainMissing(account.alias, all);
  const address = target.format(account.alias);
  const ids = chosen.map(({ live }) => `${live.id} (${live.status ?? 'no status'})`).join(', ');
  throw new HeraldError(
    'ambiguous-name',
    `${chosen.length} ${KIND_ROWS[kind].plural} have the address ${address}: ${ids}. Nothing was sent.`,
    `Use an id: ${formatCommand(...command.split(' '), one.live.id, '--account', account.alias)}`,
  );
}

/** Members with a place of their own below the others. */
const BELOW: readonly string[] = ['messages', 'messages.length', 'rules', 'follow_up_message_stats'];

/** A campaign or broadcast for people: its fields and figures, its rules, its messages, and the figures of later ones. */
function drawResource(kind: Kind, account: string, item: ListItem, style: TextStyle): readonly Visible[] {
  const definition = LIST_COMMANDS[`${KIND_ROWS[kind].plural} list`];
  const columns = [...definition.columns, ...definition.more].filter(({ path }) => !BELOW.includes(path));
  const { messages, rules, follow_up_message_stats: laterFigures } = item;
  // A broadcast without messages is one that the service cannot read (BROADCAST-23).
  const none = Array.isArray(messages) && kind === 'campaign' ? 'none' : 'n/a';
  return [
    ...drawItem(style, { columns }, account, item),
    shown``,
    ...drawFields(listMembers(rules, 'rule '), style),
    ...(readList(messages).length === 0 ? [shown``, visible(`messages: ${none}`)] : []),
    ...readList(messages).flatMap((message, index) => drawMessage(message, index, style)),
    ...readList(laterFigures).flatMap((figures) => {
      const words = listMembers(figures).map(
        ([name, value]) => `${name.replace('_messages_count', '')} ${value}`,
      );
      return [shown``, ...drawLine([span(visible(`later message: ${words.join(', ')}`))], style)];
    }),
  ];
}

/** `message 2: $9.99, after 1 h, with image 55012 (paid)`, then its text. */
function drawMessage(message: unknown, index: number, style: TextStyle): readonly Visible[] {
  const read = (name: string) => readMember(message, name);
  const [price, delaySec, text] = ['price_gross', 'delay_sec', 'text'].map(read);
  const attached = readList(read('attachments')).map((one) => {
    const paid = readMember(one, 'is_paid') === true ? ' (paid)' : '';
    return `with ${['type', 'id'].map((name) => cellText(readMember(one, name), { path: name })).join(' ')}${paid}`;
  });
  const tagged = readList(read('tagged_platform_account_ids'));
  const terms = [
    price === 0 ? 'free' : (formatValue('price_gross', price, null) ?? 'price n/a'),
    ...(read('text_is_paid') === true ? ['the text is paid'] : []),
    ...(typeof delaySec === 'number' && delaySec > 0 ? [`after ${formatDuration(delaySec)}`] : []),
    ...attached,
    ...(tagged.length > 0 ? [`tags ${tagged.join(', ')}`] : []),
  ];
  const title = [span(shown`message ${index + 1}`, 'strong'), span(visible(`: ${terms.join(', ')}`))];
  const lines = typeof text === 'string' && text !== '' ? visibleLines(text) : [shown`(no text)`];
  return [
    shown``,
    ...drawLine(title, style),
    ...lines.flatMap((line) => drawLine([span(line)], style, 2, 0)),
  ];
}

function listMembers(value: unknown, before = ''): readonly Field[] {
  if (typeof value !== 'object' || value === null) return [];
  const given = Object.entries(value).filter(([, member]) => member !== null);
  return given.map(([path, member]) => [
    `${before}${path}`,
    formatValue(path, member, null) ?? cellText(member, { path, as: 'flag' }),
  ]);
}

function readList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
