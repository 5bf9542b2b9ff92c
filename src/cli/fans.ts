import { type FanPlace, describeFan } from '../acts/fans.ts';
import { chooseActAccounts, openService, sayService } from './accounts.ts';
import { type ActDone, sendItems } from './act-run.ts';
import { typedOwned } from './addresses.ts';
import type { Context } from './context.ts';
import { type ValuesOf, lockTimeoutFlag, optionalWord, textFlag, textsFlag, yesFlag } from './flags.ts';
import { requireAnswer } from './question.ts';
import { fileProblem } from '../domain/file-problem.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { Question } from '../domain/ports.ts';
import { quoted } from '../domain/visible.ts';
import type { Run } from '../engine/run.ts';

export const fanWords = { fan: optionalWord('FAN', 'an id, or an address such as alice/fan/101001') };
export const fanFlags = {
  fromFile: textFlag('--from-file <file>', 'fans from a CSV file with the column fan; account is optional'),
  account: textsFlag('--account <name>', 'alias, group or id (repeatable)'),
  yes: yesFlag,
  lockTimeout: lockTimeoutFlag,
};

/** What is sent for one fan. `fan` is its name for people. */
export interface FanAct {
  /** Members of the JSON, also if it fails. */
  readonly about: Readonly<Record<string, unknown>>;
  readonly title: (fan: string) => string;
  readonly askForOne: (fan: string, at: string) => Question;
  readonly send: (run: Run, place: FanPlace) => Promise<ActDone>;
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

type Given = ValuesOf<typeof fanFlags & typeof fanWords>;

/** Sends the act of each fan on each account: checks all of them first, and asks once. */
export async function sendToFans(
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
    return {
      account,
      title: act.title(fan),
      about,
      send: async (run: Run) => {
        const done = await act.send(run, place);
        return { ...done, item: { ...about, ...done.item } };
      },
    };
  });
  const [only, ...others] = placed;
  const isOne = only !== undefined && others.length === 0;
  const question = isOne
    ? only.act.askForOne(describeFan(only.place), at)
    : askForAll(String(items.length), at);
  return sendItems(context, service, { command, items, question: given.yes ? null : question });
}

/** A fan who was typed, or who has a line of a file. `cells`: what the line has in other columns. */
export interface TypedFan {
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
