import { HeraldError, hasCode } from '../domain/herald-error.ts';
import * as z from 'zod';
import { formatCommand } from '../domain/command-line.ts';
import { isUniqueViolation, leaseLost, newerState } from './problems.ts';
import { CELLS, type ColumnType, parseJson } from './cells.ts';
import { COLUMNS, OWN_WORKSPACE, SCHEMA_VERSION, TABLES, type Table } from './schema.ts';
import { nextSeq, type Place, type Query, type Value } from './sql.ts';

/**
 * A state as lines of JSON: a head, the rows of each table with their service, and a foot with the number of rows, so that a
 * file that was cut is not taken for a whole one.
 */

const shapeOf = (table: Table) => {
  const columns = Object.entries<ColumnType>(COLUMNS[table]);
  return z.strictObject({
    service: CELLS.text,
    ...Object.fromEntries(columns.map(([name, type]): [string, z.ZodType<Value>] => [name, CELLS[type]])),
  });
};

const headShape = z.strictObject({
  herald: z.literal('state'),
  schema: CELLS.number,
  workspace: CELLS.text,
  seq: CELLS.number,
  cut: CELLS.flag,
});
const footShape = z.strictObject({ rows: CELLS.number });
const rowShape = z.strictObject({ table: z.enum(TABLES), row: z.unknown() });

type Whole = Pick<Place, 'database' | 'workspace'>;

/** The lines of a workspace, each with its line break. */
export async function* exportLines({ database, workspace }: Whole): AsyncIterable<string> {
  const { statements } = database;
  const [head] = await database.read(statements.workspace, [workspace]);
  const { seq = 0, cut = 0 } = head ?? {};
  yield line({ herald: 'state', schema: SCHEMA_VERSION, workspace, seq, cut });
  let rows = 0;
  for (const table of TABLES)
    for await (const row of database.stream(statements.exported(table), [workspace])) {
      rows += 1;
      yield line({ table, row });
    }
  yield line({ rows });
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

/** Where the lines of an import are from, for messages. */
export interface ImportSource {
  readonly name: string;
  readonly lines: Iterable<string> | AsyncIterable<string>;
  /** What to do about lines that cannot be imported. Default: make the export again. */
  readonly next?: string;
}

export interface Imported {
  readonly rows: number;
}

/**
 * Adds the rows of an export to an empty workspace: all of them, or none. `isCut` marks the workspace: someone else may have
 * sent requests since the export, so the next run waits for one window before it starts anything. `fence` is that of the lease;
 * null for a state that no other process sees.
 */
export async function importLines(
  place: Whole,
  source: ImportSource,
  { isCut, fence }: { readonly isCut: boolean; readonly fence: string | null },
): Promise<Imported> {
  const lines: string[] = [];
  for await (const one of source.lines) lines.push(one);
  const { database, workspace } = place;
  return database.transaction(async (query, attempt) => {
    const { statements } = database;
    if ((await nextSeq(query, place, fence)) === null) throw leaseLost();
    let present = 0;
    for (const table of TABLES) {
      const [row] = await query(statements.count(table), [workspace]);
      present += Number(row?.['n'] ?? 0);
    }
    // The answer to an earlier attempt was lost, and it was carried out.
    if (present > 0 && attempt > 1 && present === lines.length - 2) return { rows: present };
    if (present > 0) throw notEmpty(database.name);
    const head = readHead(source, lines[0], workspace);
    let rows = 0;
    let { seq } = head;
    for (const [index, text] of lines.slice(1, -1).entries()) {
      const parsedRow = parseRow(source, index + 2, text);
      await importRow(query, place, parsedRow).catch((error: unknown) => {
        throw isRepeated(error) ? malformed(source, index + 2, REPEATED) : error;
      });
      // The export may have begun before its last rows were recorded.
      for (const column of NUMBERED) seq = Math.max(seq, Number(parsedRow.row[column] ?? 0));
      rows += 1;
    }
    const foot = footShape.safeParse(parseJson(lines.at(-1) ?? ''));
    if (!foot.success || foot.data.rows !== rows) throw incomplete(source, rows, foot.data?.rows ?? null);
    await query(statements.raiseSeq, [workspace, seq]);
    await query(statements.setCut, [workspace, isCut || head.cut === 1 ? 1 : 0]);
    return { rows };
  });
}

const NUMBERED = ['seq', 'status_seq', 'first_seq'] as const;
const REPEATED =
  'it repeats an earlier row, or starts a name a second time while the first start is unconfirmed';

function isRepeated(error: unknown): boolean {
  return isUniqueViolation(error) || (hasCode(error, 'state-') && isUniqueViolation(error.cause));
}

type ParsedRow = { readonly table: Table; readonly row: Readonly<Record<string, Value>> };

async function importRow(
  query: Query,
  { database, workspace }: Whole,
  { table, row }: ParsedRow,
): Promise<void> {
  const values = Object.keys(COLUMNS[table]).map((column) => row[column] ?? null);
  await query(database.statements.imported(table), [workspace, row['service'] ?? '', ...values]);
}

function readHead(
  source: ImportSource,
  text: string | undefined,
  workspace: string,
): z.infer<typeof headShape> {
  const head = headShape.safeParse(parseJson(text ?? ''));
  if (!head.success) throw malformed(source, 1, 'it is not the head of an export of a state');
  const { schema, workspace: other } = head.data;
  if (schema > SCHEMA_VERSION) throw newerState(source.name, schema, SCHEMA_VERSION);
  if (other !== workspace && other !== OWN_WORKSPACE && workspace !== OWN_WORKSPACE)
    throw new HeraldError(
      'state-refused',
      `${source.name} is an export of the workspace "${other}", and herald.yaml names "${workspace}". Nothing was imported.`,
      'Check `workspace:` in herald.yaml, or take the export of this workspace.',
    );
  return head.data;
}

function parseRow(source: ImportSource, number: number, text: string): ParsedRow {
  const outer = rowShape.safeParse(parseJson(text));
  if (!outer.success) throw malformed(source, number, 'it is not a row of an export');
  const row = shapeOf(outer.data.table).safeParse(outer.data.row);
  if (!row.success) {
    const [issue] = row.error.issues;
    throw malformed(source, number, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not a row'}`);
  }
  return { table: outer.data.table, row: row.data };
}

function malformed(source: ImportSource, number: number, why: string): HeraldError {
  return unusable(source, `${source.name}:${number}: This line cannot be imported: ${why}.`);
}

function incomplete(source: ImportSource, rows: number, expected: number | null): HeraldError {
  const why =
    expected === null
      ? 'its last line is missing'
      : `it has ${rows} rows, and its last line says ${expected}`;
  return unusable(source, `${source.name} is not complete: ${why}.`);
}

function unusable({ next }: ImportSource, message: string): HeraldError {
  const again = `Make the file again where the state is: ${formatCommand('state', 'export', 'FILE')}`;
  return new HeraldError('state-failed', `${message} Nothing was imported.`, next ?? again);
}

function notEmpty(name: string): HeraldError {
  return new HeraldError(
    'state-refused',
    `${name} has rows of this workspace already. Herald does not merge two states. Nothing was imported.`,
    'Import into an empty state: choose another workspace in herald.yaml, or move .herald/state.db away.',
  );
}
