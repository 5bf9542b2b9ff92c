import { readStack } from './findings.ts';
import { Readable } from 'node:stream';
import { ServiceError } from '../api/errors.ts';
import type { ListFacts } from '../api/pages.ts';
import { ACCOUNT_COLUMN, type ListDefinition } from '../api/lists.ts';
import { EXIT, type ExitCode } from '../domain/exit-codes.ts';
import { HeraldError, toHeraldError } from '../domain/herald-error.ts';
import type { ListColumn } from '../domain/list-column.ts';
import type { Output } from '../domain/ports.ts';
import { joined, shown, visibleProse, type Visible } from '../domain/visible.ts';
import { type ListItem, type Part, readColumn, ROW_DRAWINGS } from '../render/rows.ts';
import type { Context } from './context.ts';
import { suggest, textFlag } from './flags.ts';
import type { ListFormat } from './define-command.ts';

/** Columns of the rows. Without `who`, a row has no account. */
export type ColumnSet = Pick<ListDefinition, 'columns'> &
  Partial<Pick<ListDefinition, 'who' | 'argument' | 'more'>>;

/** The flag with the columns of a list. */
export function columnsFlag(definition: ColumnSet) {
  return suggest(
    knownColumns(definition).map(({ path }) => path),
    textFlag('--columns <names>', 'columns to show, by their names in the service (table and csv)'),
  );
}

function knownColumns({ who = 'organisation', columns, more = [] }: ColumnSet): readonly ListColumn[] {
  return [...(who === 'organisation' ? [] : [ACCOUNT_COLUMN]), ...columns, ...more];
}

export interface RowPrint {
  readonly format: ListFormat;
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
    return { format, columns };
  }
  const { who = 'organisation' } = definition;
  const columns = definition.columns.filter(({ wide, lookedUp }) =>
    isTable ? wide !== true : lookedUp !== true,
  );
  const hasAccount = who !== 'organisation' && (!isTable || definition.argument === undefined);
  return { format, columns: hasAccount ? [ACCOUNT_COLUMN, ...columns] : columns };
}

/** Whole members (`metadata`) and nested paths (`messages.0.text`) are accepted. Throws for any other. */
function findColumn(definition: ColumnSet, path: string): ListColumn {
  const known = knownColumns(definition);
  const found = known.find((column) => column.path === path);
  if (found !== undefined) return found;
  const [root = '', ...below] = path.split('.');
  if (!below.includes('') && known.some((column) => column.path.split('.')[0] === root)) return { path };
  const paths = known.map((column) => column.path).join(', ');
  throw new HeraldError('bad-flag', `--columns: unknown column "${path}".`, `Use one of: ${paths}.`);
}

export interface ListSource {
  /** The account's alias; empty for the organisation. */
  readonly account: string;
  /** Begins to read it; called once, when its turn comes near. */
  readonly pages: () => AsyncGenerator<readonly ListItem[], void>;
  /** What the service says about the list, filled in while it is read. */
  readonly facts: ListFacts;
}

export interface Reading {
  /** Name of the rows in the plural, for progress. */
  readonly what: string;
  readonly sources: readonly ListSource[];
  /** After so many rows, an account is left. */
  readonly limit?: number | undefined;
}

/** Prints rows that were read as a whole. */
export async function printRows(
  { output }: Pick<Context, 'output'>,
  print: RowPrint,
  items: readonly object[],
): Promise<ExitCode> {
  const writer = makeWriter(output, print);
  await writer.take(items as readonly ListItem[]);
  await writer.end(true, []);
  return EXIT.done;
}

/** Prints the rows of all lists page by page, then tells which could not be read. */
export async function streamRows(
  { output }: Pick<Context, 'output'>,
  print: RowPrint,
  reading: Reading,
): Promise<ExitCode> {
  const writer = makeWriter(output, print);
  const reportMissing = await readInto(output, reading, writer.take);
  const heard = reading.sources.filter(({ facts }) => Object.keys(facts).length > 0);
  await writer.end(reportMissing === null, heard);
  // JSON has the cursors.
  for (const { account, facts } of print.format === 'json' ? [] : heard)
    if (facts.next_cursor !== undefined)
      output.say(
        shown`There may be more rows${account === '' ? '' : ` of ${account}`}. To go on: --cursor ${facts.next_cursor}`,
      );
  return reportMissing?.() ?? EXIT.done;
}

/** How many accounts are read at once: as many as the published rate of most lists, so that answers of a second still fill it. */
const PARALLEL = 15;

/** Pages of one account that may wait for their turn: what bounds the memory. */
const READ_AHEAD_PAGES = 4;

/**
 * Takes the rows of all lists, one list after the other, with a progress line, while the pages of the next ones are already read.
 * A list that fails does not stop the others, except where the key itself was refused: then no other account is asked. Returns
 * null if all of it was read, else what tells what is missing. Throws if no account could be read, or if the request itself is
 * wrong.
 */
export async function readInto(
  output: Output,
  { what, sources, limit = Number.POSITIVE_INFINITY }: Reading,
  take: (items: readonly ListItem[]) => Promise<void>,
): Promise<(() => ExitCode) | null> {
  const failures = new Map<string, unknown>();
  const started: Readable[] = [];
  let [rows, pages, done] = [0, 0, 0];
  try {
    for (const { account } of sources) {
      const isRefused = [...failures.values()].some(concernsAll);
      for (const source of isRefused ? [] : sources.slice(started.length, done + PARALLEL)) {
        const ahead = Readable.from(readUpTo(source, limit, failures), { highWaterMark: READ_AHEAD_PAGES });
        // Begins to fill its buffer.
        ahead.read(0);
        started.push(ahead);
      }
      const current = started[done];
      if (current === undefined) break;
      for await (const items of current as AsyncIterable<readonly ListItem[]>) {
        [rows, pages] = [rows + items.length, pages + 1];
        await take(items);
        const progress = sources.length === 1 ? '' : `, ${done} of ${sources.length} accounts done`;
        output.progress(
          shown`${what}: ${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}, page ${pages.toLocaleString('en-US')}${progress}`,
        );
      }
      done += 1;
      if (concernsAll(failures.get(account))) break;
    }
  } finally {
    output.progress('');
    for (const reading of started) reading.destroy();
  }
  const found = sources
    .slice(0, done)
    .filter(({ account }) => failures.has(account))
    .map(({ account }) => ({ account, error: failures.get(account) }));
  const notRead = sources.slice(done).map(({ account }) => account);
  const unfinished = found.length + notRead.length;
  const [first, ...others] = found;
  if (rows === 0 && first !== undefined && unfinished === sources.length) {
    for (const other of others)
      if (String(other.error) !== String(first.error)) output.fail(describeFailure(other));
    throw first.error;
  }
  if (unfinished > 0) return () => reportMissing(output, found, notRead, sources.length);
  if (rows === 0) output.say(shown`No ${what}.`);
  return null;
}

/** Its pages, up to so many rows. A failure ends them and is noted. */
async function* readUpTo(
  { account, pages }: ListSource,
  limit: number,
  failures: Map<string, unknown>,
): AsyncGenerator<readonly ListItem[], void> {
  let left = limit;
  try {
    for await (const page of pages()) {
      const items = page.slice(0, left);
      left -= items.length;
      if (items.length > 0) yield items;
      if (left <= 0) return;
    }
  } catch (error) {
    failures.set(account, error);
  }
}

/** A refused key, or one without the permission, fails for every account. */
function concernsAll(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  const { status, code } = error.problem;
  return status === 401 || (status === 403 && code === 'API_KEY_PERMISSION_DENIED');
}

interface Failure {
  readonly account: string;
  readonly error: unknown;
}

function reportMissing(
  output: Output,
  failures: readonly Failure[],
  notRead: readonly string[],
  accounts: number,
): ExitCode {
  for (const failure of failures) output.fail(describeFailure(failure));
  const unfinished = failures.length + notRead.length;
  const left = notRead.length === 0 ? '' : ` Not read: ${notRead.join(', ')}.`;
  const scope = accounts === 1 ? '' : ` for ${unfinished} of ${accounts} accounts`;
  output.fail(shown`The list is incomplete${scope}: rows are missing or may be.${left}`);
  return unfinished < accounts ? EXIT.partly : EXIT.failed;
}

function describeFailure({ account, error }: Failure): Visible {
  const failure = toHeraldError(error);
  if (failure === null) return joined([shown`bug: `, readStack(error)], '');
  const { message, hint } = failure;
  const words = hint === null ? [message] : [message, hint];
  const who = account === '' ? '' : `${account}: `;
  return joined([shown`error: ${who}`, joined(words.map(visibleProse), '\n')], '');
}

const DRAWINGS: Readonly<Record<ListFormat, (part: Part) => Visible | Promise<Visible>>> = {
  ...ROW_DRAWINGS,
  csv: drawCsv,
  yaml: async (part) => (await import('../render/accounts-yaml.ts')).drawAccounts(part),
};

/**
 * Rows of a part; in other formats those of a page. A longer table is drawn in parts, so that it is never in memory as a whole.
 */
const PART_ROWS: Readonly<Partial<Record<ListFormat, number>>> = {
  table: 5000,
  yaml: Number.POSITIVE_INFINITY,
};

function makeWriter(output: Output, print: RowPrint) {
  const { [print.format]: draw } = DRAWINGS;
  const { [print.format]: partRows } = PART_ROWS;
  let waiting: readonly ListItem[] = [];
  let [isFirst, isEmpty] = [true, true];
  const write = async (items: readonly ListItem[], end?: Part['end']) => {
    await output.stream(await draw({ ...print, items, isFirst, end, style: output }));
    isFirst = false;
  };
  return {
    take: async (items: readonly ListItem[]) => {
      if (items.length > 0) isEmpty = false;
      if (partRows === undefined) return write(items);
      waiting = [...waiting, ...items];
      for (; waiting.length >= partRows; waiting = waiting.slice(partRows))
        await write(waiting.slice(0, partRows));
    },
    /** Called after the last row. `isComplete` is true if the whole list was read. */
    end: async (isComplete: boolean, heard: readonly ListSource[]) => {
      if (waiting.length > 0 || isFirst) await write(waiting);
      if (print.format !== 'json') return;
      const pages = heard.map(({ account, facts }) => (account === '' ? facts : { account, ...facts }));
      await write([], { isEmpty, isComplete, pages });
    },
  };
}

/** A line with the column paths, then raw values. */
async function drawCsv({ items, isFirst, columns }: Part): Promise<Visible> {
  const { renderCsv } = await import('../render/csv.ts');
  const rows = items.map((item) => columns.map((column) => readColumn(item, column)));
  return renderCsv(isFirst ? [columns.map(({ path }) => path), ...rows] : rows);
}
