import { describePlace } from '../acts/act.ts';
import type { FanPlace } from '../acts/fans.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { ResolvedAccount } from '../domain/resource.ts';
import { quoted, shown, visible } from '../domain/visible.ts';
import type { Run } from '../engine/run.ts';
import { chooseAccounts, openService, typedOwned } from './accounts.ts';
import { type ActItem, readGivenFile, sendItems } from './act-run.ts';
import type { Context } from './context.ts';
import { lockTimeoutFlag, textFlag, textsFlag, type ValuesOf, word, yesFlag } from './flags.ts';

export const fanWords = { fan: word('[FAN]', 'an id, or an address such as alice/fan/101001') };
export const fanFlags = {
  fromFile: textFlag('--from-file <file>', 'fans from a CSV file with the column fan; account is optional'),
  account: textsFlag('--account <name>', 'alias, group or id (repeatable)'),
  yes: yesFlag,
  lockTimeout: lockTimeoutFlag,
};

/** What the line of a fan has in the columns that only one command knows. */
export type Cells = Readonly<Record<string, string>>;

interface FanCommand {
  readonly command: string;
  readonly warning: string;
  /** What a file may have, besides `fan` and `account`. */
  readonly columns: readonly string[];
  /** `fan` is the place in words: `fan 101001 of alice (account 101)`. */
  readonly makeItem: (place: FanPlace, fan: string, cells: Cells) => FanItem;
}

interface FanItem extends Omit<ActItem, 'account'> {
  /** When an earlier run did it. Asked for a file only, so that it can be run again. */
  readonly findDone?: (run: Run) => Promise<string | null>;
}

type Given = ValuesOf<typeof fanFlags & typeof fanWords>;

/** Sends what is meant for each fan, on each of its accounts. */
export async function sendToFans(
  context: Context,
  given: Given,
  { command, warning, columns, makeItem }: FanCommand,
) {
  const fans = await readFans(context, given, columns);
  const service = await openService(context);
  const chosen = new Map<string, Promise<readonly ResolvedAccount[]>>();
  const items = new Map<string, ActItem>();
  for (const { id: fanId, accounts, cells } of fans) {
    const names = accounts.join('\n');
    const found = chosen.get(names) ?? chooseAccounts(service, accounts, { id: 'accountId', isAct: true });
    chosen.set(names, found);
    for (const account of await found) {
      const place = { account, fanId };
      const fan = describePlace(place);
      if (items.has(fan))
        throw new HeraldError(
          'bad-csv',
          `The file names ${fan} twice. Nothing was sent.`,
          'Keep one of its lines.',
        );
      const item = makeItem(place, fan, cells);
      items.set(fan, { account, ...(given.fromFile === undefined ? item : sendUnlessDone(item)) });
    }
  }
  return sendItems(context, service, { command, items: [...items.values()], warning, yes: given.yes });
}

function sendUnlessDone({ findDone, ...item }: FanItem): FanItem {
  const send: FanItem['send'] = async (run) => {
    const doneAt = (await findDone?.(run)) ?? null;
    if (doneAt === null) return item.send(run);
    const text = shown`Nothing was sent: ${visible(item.title)} was done by an earlier run, at ${doneAt}.\n`;
    return { item: { done_earlier: doneAt }, text, unrecorded: null };
  };
  return { ...item, send };
}

interface TypedFan {
  readonly id: string;
  /** Empty: the only account of the workspace. */
  readonly accounts: readonly string[];
  readonly cells: Cells;
}

async function readFans(
  context: Context,
  { fan, fromFile, account }: Given,
  columns: readonly string[],
): Promise<readonly TypedFan[]> {
  if (fan !== undefined && fromFile === undefined) return [typedFan(fan, account, {})];
  if (fan !== undefined || fromFile === undefined)
    throw new HeraldError(
      'bad-flag',
      'Which fan?',
      'Give the id of one fan, or --from-file FILE for several.',
    );
  const lines = await readCsv(context, fromFile, ['fan', 'account', ...columns]);
  return lines.map(({ fan: id = '', account: named = '', ...cells }) =>
    typedFan(id, named === '' ? account : [named], cells),
  );
}

function typedFan(typed: string, given: readonly string[], cells: Cells): TypedFan {
  if (given.length > 1) return { id: typed, accounts: given, cells };
  const { id, account } = typedOwned(typed, 'fan', given[0]);
  return { id, accounts: account === undefined ? [] : [account], cells };
}

async function readCsv(
  context: Context,
  path: string,
  columns: readonly string[],
): Promise<readonly Cells[]> {
  const problem = (what: string) => new HeraldError('bad-csv', `${path}: ${what}. Nothing was sent.`);
  const parsed = parseCsv(await readGivenFile(context, path));
  if (parsed === null)
    throw problem('a cell has a quote in it; put the whole cell in quotes, and write each of its own twice');
  const [header = [], ...rows] = parsed;
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

/** Rows of cells, by RFC 4180. Empty lines are left out. Null if a cell is neither plain nor in quotes as a whole. */
function parseCsv(text: string): readonly (readonly string[])[] | null {
  const rows: string[][] = [[]];
  for (const [, quotedCell, plain = '', end = ''] of text.matchAll(
    /(?: *"((?:[^"]|"")*)" *|([^",\r\n]*))(,|\r?\n|$)/gy,
  )) {
    rows.at(-1)?.push(quotedCell === undefined ? plain.trim() : quotedCell.replaceAll('""', '"'));
    if (end === '') return rows.filter((cells) => cells.some((cell) => cell !== ''));
    if (end !== ',') rows.push([]);
  }
  return null;
}
