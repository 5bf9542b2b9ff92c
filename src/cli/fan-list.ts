import type { FanPlace } from '../acts/fans.ts';
import { fileProblem } from '../domain/file-problem.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { quoted } from '../domain/visible.ts';
import { chooseActAccounts, type Service } from './accounts.ts';
import { typedOwned } from './addresses.ts';
import type { Context } from './context.ts';
import { optionalWord, textFlag, textsFlag } from './flags.ts';

/** Which fans a command is about. */
export const fanWord = optionalWord('FAN', 'an id, or an address such as alice/fan/101001');
export const fanFlags = {
  fromFile: textFlag('--from-file <file>', 'fans from a CSV file with the column fan; account is optional'),
  account: textsFlag('--account <name>', 'alias, group or id (repeatable)'),
};

interface FanChoice {
  readonly fan: string | undefined;
  readonly fromFile: string | undefined;
  readonly account: readonly string[];
}

/** A fan who was typed, or who has a line of a file. `cells`: what the line has in other columns. */
export interface TypedFan {
  readonly id: string;
  /** Empty: the only account of the workspace. */
  readonly accounts: readonly string[];
  readonly cells: Readonly<Record<string, string>>;
}

/** Reads which fans are meant. `columns` are those of the file that the command knows, besides `fan` and `account`. */
export async function readFans(
  context: Context,
  { fan, fromFile, account }: FanChoice,
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

/** Each fan on each of its accounts. Throws if one is named twice. */
export async function placeFans<Fan extends TypedFan>(
  service: Service,
  fans: readonly Fan[],
): Promise<readonly { readonly place: FanPlace; readonly fan: Fan }[]> {
  const chosen = new Map<string, FanPlace['account'][]>();
  const placed: { readonly place: FanPlace; readonly fan: Fan }[] = [];
  const known = new Set<string>();
  for (const fan of fans) {
    const { id, accounts: given } = fan;
    const key = given.join('\n');
    const accounts = chosen.get(key) ?? [...(await chooseActAccounts(service, given))];
    chosen.set(key, accounts);
    for (const account of accounts) {
      const name = `${account.alias}/fan/${id}`;
      if (known.has(name)) throw new HeraldError('bad-flag', `${name} is named twice. Nothing was sent.`);
      known.add(name);
      placed.push({ place: { account, fanId: id }, fan });
    }
  }
  return placed;
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
