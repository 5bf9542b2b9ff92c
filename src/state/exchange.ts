import { HeraldError } from '../domain/herald-error.ts';
import * as z from 'zod';
import { formatCommand } from '../domain/command-line.ts';
import { newerState } from './problems.ts';
import {
  CELLS,
  COLUMNS,
  OWN_WORKSPACE,
  parseJson,
  SCHEMA_VERSION,
  TABLES,
  type ColumnType,
  type Table,
} from './shapes.ts';
import type { Place, Query, Value } from './sql.ts';

/**
 * A state as lines of JSON: a head, the rows of each table with their service, and a foot with the number of rows, so that a
 * file that was cut is not taken for a whole one.
 */

const shapeOf = (table: Table) => {
  const columns = Object.entries<ColumnType>(COLUMNS[table]);
  const cells: Record<string, z.ZodType<Value>> = { service: CELLS.text };
  for (const [name, type] of columns) cells[name] = CELLS[type];
  const row = z.strictObject(cells);
  return z.strictObject({ table: z.literal(table), row });
};

const rowShape = z.discriminatedUnion('table', [
  shapeOf('request'),
  shapeOf('object'),
  shapeOf('media'),
  shapeOf('alias'),
]);
const headShape = z.strictObject({
  herald: z.literal('state'),
  schema: CELLS.number,
  workspace: CELLS.text,
  seq: CELLS.number,
  cut: CELLS.flag,
});

type Whole = Pick<Place, 'database' | 'workspace'>;

/** The lines of a workspace, each with its line break. */
export async function* exportLines({ database, workspace }: Whole): AsyncIterable<string> {
  const { statements } = database;
  const [head] = await database.read(statements.workspace, [workspace]);
  const { seq = 0, cut = 0 } = head ?? {};
  yield line({ herald: 'state', schema: SCHEMA_VERSION, workspace, seq, cut });
  let rows = 0;
  for (const table of TABLES)
    for (const row of await database.read(statements.exported(table), [workspace])) {
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
  readonly lines: readonly string[];
  /** What to do about lines that cannot be imported. Default: make the export again. */
  readonly next?: string;
}

/**
 * The work of a transaction: adds the rows of an export to an empty workspace, all of them or none, and returns their number.
 * `isCut` marks the workspace: someone else may have sent requests since the export, so the next run waits for one window
 * before it starts anything.
 */
export function importLines(
  { database, workspace }: Whole,
  source: ImportSource,
  isCut: boolean,
): (query: Query, attempt: number) => Promise<number> {
  const { lines } = source;
  const { statements } = database;
  return async (query, attempt) => {
    let present = 0;
    for (const table of TABLES) {
      const [row] = await query(statements.count(table), [workspace]);
      present += Number(row?.['n'] ?? 0);
    }
    // The answer to an earlier attempt was lost, and it was carried out.
    if (present > 0 && attempt > 1 && present === lines.length - 2) return present;
    if (present > 0)
      throw new HeraldError(
        'state-refused',
        `${database.name} has rows of this workspace already. Herald does not merge two states. Nothing was imported.`,
        'Import into an empty state: choose another workspace in herald.yaml, or move .herald/state.db away.',
      );
    const head = readHead(source, lines[0], workspace);
    let { seq } = head;
    for (const [index, text] of lines.slice(1, -1).entries()) {
      const { table, row } = readLine(source, index + 2, text, rowShape);
      const values = Object.keys(COLUMNS[table]).map((column) => row[column] ?? null);
      await query(statements.imported(table), [workspace, row['service'] ?? '', ...values]);
      // The export may have begun before its last rows were recorded.
      for (const column of ['seq', 'status_seq', 'first_seq']) seq = Math.max(seq, Number(row[column] ?? 0));
    }
    const rows = lines.length - 2;
    const foot = z.strictObject({ rows: CELLS.number }).safeParse(parseJson(lines.at(-1) ?? ''));
    if (foot.data?.rows !== rows)
      throw unusable(source, lines.length, `it is not the end of an export with ${rows} rows`);
    await query(statements.raiseSeq, [workspace, seq]);
    await query(statements.setCut, [workspace, isCut || head.cut === 1 ? 1 : 0]);
    return rows;
  };
}

function readHead(
  source: ImportSource,
  text: string | undefined,
  workspace: string,
): z.infer<typeof headShape> {
  const schema = z.looseObject({ herald: z.literal('state'), schema: CELLS.number });
  const { schema: version } = readLine(source, 1, text, schema);
  if (version > SCHEMA_VERSION) throw newerState(source.name, version, SCHEMA_VERSION);
  const head = readLine(source, 1, text, headShape);
  const { workspace: other } = head;
  if (other !== workspace && other !== OWN_WORKSPACE && workspace !== OWN_WORKSPACE)
    throw new HeraldError(
      'state-refused',
      `${source.name} is an export of the workspace "${other}", and herald.yaml names "${workspace}". Nothing was imported.`,
      'Check `workspace:` in herald.yaml, or take the export of this workspace.',
    );
  return head;
}

function readLine<Line>(
  source: ImportSource,
  number: number,
  text: string | undefined,
  shape: z.ZodType<Line>,
): Line {
  const parsed = shape.safeParse(parseJson(text ?? ''));
  if (parsed.success) return parsed.data;
  const why = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw unusable(source, number, why.join(', '));
}

function unusable({ name, next }: ImportSource, number: number, why: string): HeraldError {
  return new HeraldError(
    'state-failed',
    `${name}:${number}: This line cannot be imported: ${why}. Nothing was imported.`,
    next ?? `Make the file again where the state is: ${formatCommand('state', 'export', 'FILE')}`,
  );
}
