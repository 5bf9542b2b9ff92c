import { InvalidCallError } from '../api/errors.ts';
import type { ListFacts } from '../api/pages.ts';
import { readSources, type ListEnd, type ListSource } from '../api/read-sources.ts';
import { ACCOUNT_COLUMN, type ListDefinition } from '../api/lists.ts';
import { EXIT, type ExitCode } from '../domain/exit-codes.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { ListColumn, CellKind } from '../domain/list-column.ts';
import { ReaderGoneError, type Output } from '../domain/ports.ts';
import { harmless, joined, page, shown, visibleProse, type Visible } from '../domain/visible.ts';
import { cellText, valueAt } from '../render/cells.ts';
import { compactJson } from '../render/json.ts';
import type { TextStyle } from '../render/spans.ts';
import { drawFields, renderTable, type Field } from '../render/table.ts';
import { formatTime, formatValue } from '../render/values.ts';
import type { VisibleAccount } from '../workspace/scaffold.ts';
import type { Context } from './context.ts';
import { readStack, toHeraldError } from './failure-of.ts';
import { suggestedFlag } from './flags.ts';
import type { ListFormat } from './formats.ts';

/** A row of a list: the service's members, after the account. */
export type ListItem = Readonly<Record<string, unknown>>;

/** The columns of a list. */
export type ColumnSet = Pick<ListDefinition, 'who' | 'argument' | 'columns' | 'more'>;

/** The flag with the columns of a list. */
export function columnsFlag(definition: ColumnSet) {
  return suggestedFlag(
    '--columns <names>',
    'columns to show, by their names in the service (table and csv)',
    knownColumns(definition).map(({ path }) => path),
  );
}

/** The columns that `--columns` takes. */
function knownColumns({
  who,
  columns,
  more,
}: Pick<ListDefinition, 'who' | 'columns' | 'more'>): readonly ListColumn[] {
  return [...(who === 'organisation' ? [] : [ACCOUNT_COLUMN]), ...columns, ...more];
}

/** How the rows of a list are printed. */
export interface RowPrint {
  readonly format: ListFormat;
  readonly definition: ColumnSet;
  readonly columns: readonly ListColumn[];
}

/**
 * The columns to show: those of `--columns`, or the default ones. The account is one of them if the command can have
 * several, for any number of accounts, so that a script that cuts columns works with more accounts too. Throws for an
 * unknown column, and for a format without columns.
 */
export function chooseColumns(
  definition: ColumnSet,
  { format, columns: asked }: { readonly format: ListFormat; readonly columns: string | undefined },
): RowPrint {
  const isTable = format === 'table';
  if (asked !== undefined && !isTable && format !== 'csv')
    throw new HeraldError(
      'bad-flag',
      `--columns works with table and csv only. ${format} prints whole items.`,
      'Select members with a tool such as jq.',
    );
  if (asked !== undefined) {
    const columns = asked.split(',').map((name) => findColumn(definition, name.trim()));
    return { format, definition, columns };
  }
  const columns = definition.columns.filter(({ wide, lookedUp }) =>
    isTable ? wide !== true : lookedUp !== true,
  );
  const hasAccount = definition.who !== 'organisation' && (!isTable || definition.argument === undefined);
  return { format, definition, columns: hasAccount ? [ACCOUNT_COLUMN, ...columns] : columns };
}

/**
 * The column with this path. Whole members (`metadata`) and nested paths (`messages.0.text`) are accepted, because
 * the service may put anything there. Throws for any other.
 */
function findColumn(definition: ColumnSet, path: string): ListColumn {
  const known = knownColumns(definition);
  const found = known.find((column) => column.path === path);
  if (found !== undefined) return found;
  const [root = '', ...below] = path.split('.');
  if (!below.includes('') && known.some((column) => column.path.split('.')[0] === root)) return { path };
  const paths = known.map((column) => column.path).join(', ');
  throw new HeraldError('bad-flag', `--columns: unknown column "${path}".`, `Use one of: ${paths}.`);
}

/**
 * The value of a column. Undefined for a figure of content that the service could not read: an unreadable broadcast has
 * no messages, and all its figures are zero (BROADCAST-23).
 */
function readColumn(item: ListItem, column: ListColumn): unknown {
  const { messages } = item;
  if (column.figure === true && !(Array.isArray(messages) && messages.length > 0)) return undefined;
  return valueAt(item, column.path);
}

/** One item as lines, in words: the columns of its list, without those that are looked up for many rows. */
export function drawItem(
  { colour, width }: TextStyle,
  definition: ColumnSet,
  account: string,
  item: ListItem,
): readonly Visible[] {
  const columns = [...definition.columns, ...definition.more].filter(({ lookedUp }) => lookedUp !== true);
  const fields = columns.map((column): Field => {
    const { path, header = path } = column;
    return [header, formatCell(column, readColumn(item, column))];
  });
  return drawFields([['account', account], ...fields], { colour, width });
}

function formatCell(column: ListColumn, value: unknown): string {
  const text = cellText(value, column);
  if (column.as === 'audience') return formatValue('audience', text, null) ?? text;
  const time = column.as === 'instant' && typeof value === 'string' ? formatTime(value, null) : null;
  return time ?? formatValue(column.path, value, null) ?? text;
}

/** What the service says about the list of one account. */
export interface PageFacts extends ListFacts {
  readonly account?: string;
}

/** Receives the rows of a list, page by page. */
export interface ListSink {
  take(items: readonly ListItem[]): Promise<void>;
  /** Called after the last row. `complete` is true if the whole list was read. */
  end(complete: boolean, pages?: readonly PageFacts[]): Promise<void>;
}

interface SinkOptions extends RowPrint {
  readonly output: Output;
}

/** A table collects the rows of one part before it writes. The other sinks hold one page at most. */
const SINKS = {
  table: tableSink,
  json: jsonSink,
  ndjson: ndjsonSink,
  csv: csvSink,
  yaml: accountsSink,
} as const satisfies Record<ListFormat, (options: SinkOptions) => ListSink>;

/** Prints rows that were read as a whole. */
export function printRows(
  { output }: Pick<Context, 'output'>,
  print: RowPrint,
  items: readonly object[],
): Promise<ExitCode> {
  return untilReaderLeaves(async () => {
    const sink = SINKS[print.format]({ output, ...print });
    await sink.take(items as readonly ListItem[]);
    await sink.end(true);
    return EXIT.done;
  });
}

/** A reader that closes the pipe, as `| head` does, has all that it wanted. */
async function untilReaderLeaves(work: () => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ReaderGoneError) return EXIT.done;
    throw error;
  }
}

/** The lists of a command, one for each account. */
export interface Reading {
  /** Name of the rows in the plural, for progress. */
  readonly what: string;
  readonly sources: readonly ListSource<ListItem>[];
  readonly limit?: number | undefined;
  /** What the service says about each list, filled in while it is read. */
  readonly facts?: ReadonlyMap<string, PageFacts>;
}

/** Prints the rows of all lists page by page, then tells which could not be read. */
export function streamRows(
  { output }: Pick<Context, 'output'>,
  print: RowPrint,
  reading: Reading,
): Promise<ExitCode> {
  return untilReaderLeaves(async () => {
    const sink = SINKS[print.format]({ output, ...print });
    const reportMissing = await readInto(output, reading, sink);
    const heard = [...(reading.facts?.values() ?? [])].filter((one) =>
      Object.keys(one).some((key) => key !== 'account'),
    );
    await sink.end(reportMissing === null, heard);
    // JSON has the cursors.
    for (const { account, next_cursor: cursor } of print.format === 'json' ? [] : heard)
      if (cursor !== undefined)
        output.say(
          shown`There may be more rows${account === undefined ? '' : ` of ${account}`}. To go on: --cursor ${cursor}`,
        );
    return reportMissing?.() ?? EXIT.done;
  });
}

/**
 * Reads all lists into the sink, with a progress line. Returns null if all of it was read, else what tells what is missing.
 * Throws if no account could be read, or if the request itself is wrong.
 */
export async function readInto(
  output: Output,
  { what, sources, limit }: Reading,
  sink: Pick<ListSink, 'take'>,
): Promise<(() => ExitCode) | null> {
  const accounts = sources.length;
  let [rows, pages] = [0, 0];
  const reading = readSources(sources, limit);
  let end: ListEnd = { complete: false, failures: [], notRead: [] };
  try {
    let step = await reading.next();
    for (; step.done !== true; step = await reading.next()) {
      const { items, accountsDone } = step.value;
      rows += items.length;
      pages += 1;
      await sink.take(items);
      const progress = accounts === 1 ? '' : `, ${accountsDone} of ${accounts} accounts done`;
      output.progress(
        shown`${what}: ${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}, page ${pages.toLocaleString('en-US')}${progress}`,
      );
    }
    end = step.value;
  } finally {
    output.progress('');
    await reading.return(end);
  }
  if (rows === 0) throwCommonFailure(output, end, accounts);
  if (rows === 0 && end.complete) output.say(shown`No ${what}.`);
  return end.complete ? null : () => reportMissing(output, end, accounts);
}

function throwCommonFailure(output: Output, { failures, notRead }: ListEnd, accounts: number): void {
  const mistake = failures.find(
    ({ error }) => error instanceof InvalidCallError || toHeraldError(error) === null,
  );
  const [first, ...others] = failures;
  if (mistake !== undefined) throw mistake.error;
  if (first === undefined || failures.length + notRead.length < accounts) return;
  for (const failure of others) output.fail(describeFailure(failure));
  throw first.error;
}

/** Says which lists are incomplete. */
function reportMissing(output: Output, { failures, notRead }: ListEnd, accounts: number): ExitCode {
  for (const failure of failures) output.fail(describeFailure(failure));
  const unfinished = failures.length + notRead.length;
  const left = notRead.length === 0 ? '' : ` Not read: ${notRead.join(', ')}.`;
  const scope = accounts === 1 ? '' : ` for ${unfinished} of ${accounts} accounts`;
  output.fail(shown`The list is incomplete${scope}: rows are missing or may be.${left}`);
  return unfinished < accounts ? EXIT.partly : EXIT.failed;
}

function describeFailure({ account, error }: ListEnd['failures'][number]): Visible {
  const failure = toHeraldError(error);
  if (failure === null) return joined([shown`bug: `, readStack(error)], '');
  const { message, hint } = failure;
  const words = hint === null ? [message] : [message, hint];
  const who = account === '' ? '' : `${account}: `;
  return joined([shown`error: ${who}`, joined(words.map(visibleProse), '\n')], '');
}

/** `herald/list/1`, streamed with one item per line. */
function jsonSink({ output }: SinkOptions): ListSink {
  const begin = shown`{\n  "schema": "herald/list/1",\n  "items": [`;
  let begun = false;
  return {
    take: async (items) => {
      const lines = items.flatMap((item, index) => [
        index === 0 ? shown`\n    ` : shown`,\n    `,
        compactJson(item),
      ]);
      await output.stream(joined([begun ? shown`,` : begin, ...lines], ''));
      begun = true;
    },
    end: (complete, pages = []) => {
      const facts = pages.length === 0 ? shown`` : shown`,\n  "pages": ${compactJson(pages)}`;
      const close = shown`],\n  "complete": ${String(complete)}`;
      return output.stream(joined([begun ? shown`\n  ` : begin, close, facts, shown`\n}\n`], ''));
    },
  };
}

/** One item per line and nothing else. The exit code shows if the list is complete. */
function ndjsonSink({ output }: SinkOptions): ListSink {
  const drawLine = (item: ListItem) => page([compactJson(item)]);
  return {
    take: (items) => output.stream(joined(items.map(drawLine), '')),
    end: () => Promise.resolve(),
  };
}

/** A line with the column paths, then raw values. */
function csvSink({ output, columns }: SinkOptions): ListSink {
  let header: readonly (readonly string[])[] = [columns.map(({ path }) => path)];
  const write = async (items: readonly ListItem[]) => {
    const { renderCsv } = await import('../render/csv.ts');
    const rows = items.map((item) => columns.map((column) => readColumn(item, column)));
    await output.stream(renderCsv([...header, ...rows]));
    header = [];
  };
  return { take: write, end: () => (header.length === 0 ? Promise.resolve() : write([])) };
}

/** Accounts as the block of `herald.yaml`. */
function accountsSink({ output }: SinkOptions): ListSink {
  const accounts: VisibleAccount[] = [];
  const readWord = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return {
    take: async (items) => {
      for (const { id, username, alias } of items)
        accounts.push({ id: String(id), username: readWord(username), alias: readWord(alias) });
    },
    end: async () => {
      const { accountsText, chooseAliases } = await import('../workspace/scaffold.ts');
      await output.stream(harmless(accountsText(chooseAliases(accounts))));
    },
  };
}

/** Rows per part of a table. A longer list is drawn in parts, so that it is never in memory as a whole. */
const TABLE_PART_ROWS = 5000;

function tableSink({ output, columns }: SinkOptions): ListSink {
  const headings = columns.map(makeHeading);
  const style = { colour: output.colour, width: output.width };
  const waiting: ListItem[] = [];
  let parts = 0;
  const draw = async (items: readonly ListItem[]) => {
    const cells = items.map((item) => columns.map((column) => cellText(readColumn(item, column), column)));
    await output.stream(joined([parts === 0 ? shown`` : shown`\n`, renderTable(headings, cells, style)], ''));
    parts += 1;
  };
  return {
    take: async (items) => {
      waiting.push(...items);
      while (waiting.length >= TABLE_PART_ROWS) await draw(waiting.splice(0, TABLE_PART_ROWS));
    },
    end: async () => {
      if (waiting.length > 0 || parts === 0) await draw(waiting);
    },
  };
}

const RIGHT: readonly CellKind[] = ['number', 'money'];

const WHOLE: readonly CellKind[] = ['whole', 'number', 'money', 'instant'];

/** The heading of the column for a table. */
function makeHeading({ path, header = path, as = 'text' }: ListColumn) {
  return { header, align: RIGHT.includes(as) ? 'right' : 'left', whole: WHOLE.includes(as) } as const;
}
