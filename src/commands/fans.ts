import {
  describeFan,
  followFan,
  labelFan,
  type FanLabels,
  type FanPlace,
  type FanSubscription,
} from '../acts/fans.ts';
import { chooseActAccounts, openService, sayService } from '../cli/accounts.ts';
import { sendItems, type ActDone } from '../cli/act-run.ts';
import { typedOwned } from '../cli/addresses.ts';
import type { Context } from '../cli/context.ts';
import { defineCommand } from '../cli/define-command.ts';
import { lockTimeoutFlag, optionalWord, textFlag, textsFlag, yesFlag, type ValuesOf } from '../cli/flags.ts';
import { warningLine } from '../cli/notice.ts';
import { plainQuestion, requireAnswer, requireYes, typedQuestion } from '../cli/question.ts';
import { fileProblem } from '../domain/file-problem.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { Question } from '../domain/ports.ts';
import { quoted, shown, visible } from '../domain/visible.ts';
import type { Run } from '../engine/run.ts';
import { formatInstant } from '../render/cells.ts';
import { formatAmount } from '../render/values.ts';

const words = { fan: optionalWord('FAN', 'an id, or an address such as alice/fan/101001') };
const flags = {
  fromFile: textFlag('--from-file <file>', 'fans from a CSV file with the column fan; account is optional'),
  account: textsFlag('--account <name>', 'alias, group or id (repeatable)'),
  yes: yesFlag,
  lockTimeout: lockTimeoutFlag,
};

/** Sets the private name or note of fans. A part that is not given stays unchanged. */
export const label = defineCommand({
  path: 'fans label',
  about: "set a fan's private name or note",
  examples: [
    'herald fans label 101001 --account alice --name "Tom" --yes',
    'herald fans label 101001 --account alice --note "" --yes',
    'herald fans label --from-file fans.csv --account alice',
  ],
  more: 'A CSV file may have the columns name and note. An empty cell leaves it to --name and --note.',
  words,
  flags: {
    name: textFlag('--name <text>', 'the name; "" removes it'),
    note: textFlag('--note <text>', 'the note; "" removes it'),
    ...flags,
  },
  needs: 'nothing',
  run: (context, given) =>
    sendToFans(context, given, {
      command: 'fans label',
      reason: 'This changes a label that your team sees',
      columns: ['name', 'note'],
      prepare: (cells) => labelOne(context, readLabels(context, given, cells)),
      askForAll: (wanted, at) =>
        typedQuestion(shown`Set these labels at ${at}?`, `set ${wanted} labels`, wanted),
    }),
});

/** Assumed: the service shows no limit (CHAT-8), and a longer note is probably a mistake. */
const LONG_LABEL = 10_000;

/** The labels of one fan: those of the file, and those of the flags where it has none. */
function readLabels(
  { output }: Context,
  given: { readonly name: string | undefined; readonly note: string | undefined },
  cells: TypedFan['cells'],
): FanLabels {
  const [name, note] = (['name', 'note'] as const).map((part) => (cells[part] ?? '') || given[part]);
  if (name === undefined && note === undefined)
    throw new HeraldError('bad-flag', 'Nothing to set.', 'Give --name, --note or both.');
  const labels = {
    ...(name === undefined ? {} : { custom_name: name }),
    ...(note === undefined ? {} : { note }),
  };
  for (const [member, text] of Object.entries(labels))
    if (text.length > LONG_LABEL)
      output.say(
        warningLine('long-label', shown`${member} has ${text.length} characters; the service may refuse it.`),
      );
  return labels;
}

function labelOne({ output }: Context, labels: FanLabels): FanAct {
  const { custom_name: name, note } = labels;
  const what = [
    ...(name === undefined ? [] : [`the name ${quoted(name)}`]),
    ...(note === undefined ? [] : [`the note ${quoted(note)}`]),
  ].join(' and ');
  return {
    about: labels,
    title: (fan) => `${fan}: ${what}`,
    askForOne: (fan, at) => plainQuestion(shown`Set ${what} for ${fan} at ${at}?`),
    send: async (run, place, ask) => {
      const { isConfirmed, unrecorded } = await labelFan(run, place, labels, ask);
      if (!isConfirmed)
        output.fail(
          warningLine(
            'unclear-answer',
            shown`The service accepted the request, but did not answer "success: true".`,
          ),
        );
      const item = { success: isConfirmed ? true : null };
      return { item, text: shown`set ${what} for ${describeFan(place)}\n`, unrecorded };
    },
  };
}

const COST = 'Following a fan may cost money';

/** Follows fans. Each is charged at most once, also after a lost answer. */
export const follow = defineCommand({
  path: 'fans follow',
  about: 'follow a fan; may cost money, charged at most once',
  examples: [
    'herald fans follow 101001 --account alice',
    'herald fans follow --from-file fans.csv --account alice',
  ],
  words,
  flags,
  needs: 'nothing',
  run: (context, given) =>
    sendToFans(context, given, {
      command: 'fans follow',
      reason: COST,
      columns: [],
      prepare: () => followOne(context),
      askForAll: (wanted, at) =>
        typedQuestion(askToFollow(`these ${wanted} fans`, at), `follow ${wanted} fans`, wanted),
    }),
});

function askToFollow(whom: string, at: string) {
  return shown`${COST}; the service does not show the price in advance. Follow ${whom} at ${at}?`;
}

function followOne({ output }: Context): FanAct {
  return {
    about: {},
    title: (fan) => fan,
    askForOne: (fan, at) => typedQuestion(askToFollow(fan, at), 'follow'),
    send: async (run, place, ask) => {
      const { subscription, isRepeated, unrecorded } = await followFan(run, place, ask);
      if (subscription === null)
        output.fail(
          warningLine('unclear-answer', shown`The service accepted the request, but returned no details.`),
        );
      const item = {
        subscribed: subscription?.subscribed ?? null,
        subscribed_at: subscription?.subscribed_at ?? null,
        expires_at: subscription?.expires_at ?? null,
        auto_renew_enabled: subscription?.auto_renew_enabled ?? null,
        price_gross: subscription?.price_gross ?? null,
        repeated: isRepeated,
      };
      const details = subscription === null ? 'details unknown' : describeSubscription(subscription);
      return { item, text: shown`following ${describeFan(place)}: ${details}\n`, unrecorded };
    },
  };
}

/** Null means no end. A price of 0 or null means free (CHAT-12). */
function describeSubscription(subscription: FanSubscription): string {
  const { subscribed_at: since, expires_at: until, auto_renew_enabled: renews, price_gross } = subscription;
  const parts = [
    price_gross == null || price_gross === 0 ? 'free' : `${formatAmount(price_gross)} USD`,
    ...(since == null ? [] : [`since ${formatInstant(since)}`]),
    until == null ? 'without an end' : `until ${formatInstant(until)}`,
    ...(renews === true ? ['renews by itself'] : []),
  ];
  return visible(parts.join(', '));
}

/** What is sent for one fan. `fan` is its name for people. */
interface FanAct {
  /** Members of the JSON, also if it fails. */
  readonly about: Readonly<Record<string, unknown>>;
  readonly title: (fan: string) => string;
  readonly askForOne: (fan: string, at: string) => Question;
  readonly send: (run: Run, place: FanPlace, ask: (() => Promise<void>) | null) => Promise<ActDone>;
}

interface FanCommand {
  /** For the record. */
  readonly command: string;
  /** Why it asks. */
  readonly reason: string;
  /** What a file may have, besides `fan` and `account`. */
  readonly columns: readonly string[];
  readonly prepare: (cells: TypedFan['cells']) => FanAct;
  readonly askForAll: (wanted: string, at: string) => Question;
}

type Given = ValuesOf<typeof flags & typeof words>;

/** Sends the act of each fan on each account: checks all of them first, and asks once. */
async function sendToFans(
  context: Context,
  given: Given,
  { command, reason, columns, prepare, askForAll }: FanCommand,
) {
  const fans = (await readFans(context, given, columns)).map((fan) => ({ ...fan, act: prepare(fan.cells) }));
  requireAnswer(context, given.yes, reason);
  const service = await openService(context);
  const placed: { readonly place: FanPlace; readonly act: FanAct }[] = [];
  const known = new Set<string>();
  const chosen = new Map<string, Promise<readonly FanPlace['account'][]>>();
  for (const { id, accounts, act } of fans) {
    const names = accounts.join('\n');
    const found = chosen.get(names) ?? chooseActAccounts(service, accounts);
    chosen.set(names, found);
    for (const account of await found) {
      const name = `${account.alias}/fan/${id}`;
      if (known.has(name)) throw new HeraldError('bad-flag', `${name} is named twice. Nothing was sent.`);
      known.add(name);
      placed.push({ place: { account, fanId: id }, act });
    }
  }
  const at = sayService(context, service);
  const items = placed.map(({ place, act }) => {
    const { account, fanId } = place;
    const fan = describeFan(place);
    const about = { account: account.alias, account_id: account.accountId, fan_id: fanId, ...act.about };
    const ask = () => requireYes(context, act.askForOne(fan, at), 'Nothing was sent.');
    return {
      account,
      title: act.title(fan),
      about,
      send: async (run: Run, isAgreed: boolean) => {
        const done = await act.send(run, place, isAgreed ? null : ask);
        return { ...done, item: { ...about, ...done.item } };
      },
    };
  });
  const question = given.yes ? null : askForAll(String(items.length), at);
  return sendItems(context, service, { command, items, question });
}

/** A fan who was typed, or who has a line of a file. `cells`: what the line has in other columns. */
interface TypedFan {
  readonly id: string;
  /** Empty: the only account of the workspace. */
  readonly accounts: readonly string[];
  readonly cells: Readonly<Record<string, string>>;
}

/** Reads which fans are meant. `columns` are those of the file that the command knows, besides `fan` and `account`. */
async function readFans(
  context: Context,
  { fan, fromFile, account }: Given,
  columns: readonly string[],
): Promise<readonly TypedFan[]> {
  if ((fan === undefined) === (fromFile === undefined))
    throw new HeraldError(
      'bad-flag',
      'Which fan?',
      'Give the id of one fan, or --from-file FILE for several.',
    );
  if (fan !== undefined) return [typedFan(fan, account, {})];
  const lines = await readCsv(context, fromFile ?? '', ['fan', 'account', ...columns]);
  return lines.map(({ fan: id = '', account: named = '', ...cells }) =>
    typedFan(id, named === '' ? account : [named], cells),
  );
}

function typedFan(typed: string, given: readonly string[], cells: TypedFan['cells']): TypedFan {
  if (given.length > 1) return { id: typed, accounts: given, cells };
  const { id, account } = typedOwned(typed, 'fan', given[0]);
  return { id, accounts: account === undefined ? [] : [account], cells };
}

/** The lines of a CSV file with a header, by their columns. */
async function readCsv(
  { typed, readInput }: Context,
  path: string,
  columns: readonly string[],
): Promise<readonly Readonly<Record<string, string>>[]> {
  const problem = (what: string) => new HeraldError('bad-csv', `${path}: ${what}. Nothing was sent.`);
  const text = await (path === '-' ? readInput() : typed.files.readText(path)).catch((error: unknown) => {
    throw problem(`it cannot be read: ${fileProblem(error)}`);
  });
  const [header = [], ...rows] = parseCsv(text.replace(/^\uFEFF/, ''));
  const unknown = header.filter((name) => !columns.includes(name));
  if (unknown.length > 0)
    throw problem(`unknown columns ${unknown.map(quoted).join(', ')}; it may have: ${columns.join(', ')}`);
  if (!header.includes('fan')) throw problem('the first line must name the column fan');
  if (rows.length === 0) throw problem('it has no fans');
  return rows.map((cells, at) => {
    if (cells.length !== header.length || cells[header.indexOf('fan')] === '')
      throw problem(`line ${at + 2} does not have a fan, or not ${header.length} cells`);
    return Object.fromEntries(header.map((name, index) => [name, cells[index] ?? '']));
  });
}

/** Rows of cells, by RFC 4180. Empty lines are left out. */
function parseCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  for (const [, quotedCell, plain = '', end = ''] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g,
  )) {
    rows.at(-1)?.push(quotedCell === undefined ? plain.trim() : quotedCell.replaceAll('""', '"'));
    if (end !== ',' && end !== '') rows.push([]);
    if (end === '') break;
  }
  return rows.filter((cells) => cells.some((cell) => cell !== ''));
}
