import * as z from 'zod';
import { formatCommand } from '../domain/command-line.ts';
import { StateError } from '../domain/state-error.ts';
import { SCHEMA_VERSION } from './schema.ts';
import { OUTCOMES } from './shapes.ts';
import { EXPORTED, type Database, type ExportedTable, type Query, type Value } from './sql.ts';

/**
 * A state as lines of JSON: a head, the rows of each table with their service, and a foot with the number of rows, so that a
 * file that was cut is not taken for a whole one.
 */

const TABLES = Object.keys(EXPORTED) as readonly ExportedTable[];

const text = z.string().max(10_000_000);
const number = z.int().min(0);
const flag = z.union([z.literal(0), z.literal(1)]);
const maybe = text.nullable();
const kind = z.enum(['campaign', 'broadcast']);

/** The rows that are accepted: a line from elsewhere may have anything. */
const SHAPES = {
  request: z.strictObject({
    service: text,
    seq: number,
    entry: text.min(1),
    run: text,
    who: maybe,
    command: text,
    operation: text,
    account: text,
    account_id: text,
    kind: z.enum(['campaign', 'broadcast', 'message', 'label', 'follow', 'payout', 'upload', 'call']),
    name: text,
    live_id: maybe,
    target: maybe,
    purpose: maybe,
    content: maybe,
    asked: text,
    sent_at: number,
    unheard_copy: flag,
    outcome: z.enum(OUTCOMES).nullable(),
    ended_at: number.nullable(),
    answer: maybe,
    because: maybe,
  }),
  object: z.strictObject({
    service: text,
    account_id: text,
    kind,
    live_id: text.min(1),
    name: text,
    ours: flag,
    protect: flag,
    declared_digest: maybe,
    hidden_digest: maybe,
    shown: maybe,
    status_set: maybe,
    status_by: z.enum(['apply', 'hand']).nullable(),
    status_why: maybe,
    status_seq: number,
    replaced_by: maybe,
    replaced_for: maybe,
    recalled: flag,
    first_seq: number,
  }),
  media: z.strictObject({ service: text, account_id: text, digest: text, media_id: text }),
  alias: z.strictObject({ service: text, alias: text, account_id: text }),
} as const satisfies Record<ExportedTable, z.ZodType>;

const headShape = z.strictObject({
  herald: z.literal('state'),
  schema: number,
  workspace: text,
  seq: number,
  cut: flag,
});
const footShape = z.strictObject({ rows: number });
const rowShape = z.strictObject({ table: z.enum(['request', 'object', 'media', 'alias']), row: z.unknown() });

/** The lines of a workspace, each with its line break. */
export async function* exportLines(database: Database, workspace: string): AsyncIterable<string> {
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
}

export interface Imported {
  readonly rows: number;
}

/**
 * Adds the rows of an export to an empty workspace: all of them, or none. `isCut` marks the workspace: someone else may have
 * sent requests since the export, so the next run waits for one window before it starts anything.
 */
export async function importLines(
  database: Database,
  workspace: string,
  source: ImportSource,
  isCut: boolean,
): Promise<Imported> {
  const lines: string[] = [];
  for await (const one of source.lines) lines.push(one);
  return database.transaction(async (query) => {
    const { statements } = database;
    for (const table of TABLES) {
      const [row] = await query(statements.count(table), [workspace]);
      if (Number(row?.['n'] ?? 0) > 0) throw notEmpty(database.name);
    }
    const head = headOf(source, lines[0]);
    let rows = 0;
    for (const [index, text] of lines.slice(1, -1).entries()) {
      await importRow(query, database, workspace, parseRow(source, index + 2, text));
      rows += 1;
    }
    const foot = footShape.safeParse(parsed(lines.at(-1) ?? ''));
    if (!foot.success || foot.data.rows !== rows) throw incomplete(source, rows, foot.data?.rows ?? null);
    await query(statements.raiseSeq, [workspace, head.seq]);
    await query(statements.setCut, [workspace, isCut || head.cut === 1 ? 1 : 0]);
    return { rows };
  });
}

type ParsedRow = { readonly table: ExportedTable; readonly row: Readonly<Record<string, Value>> };

async function importRow(
  query: Query,
  { statements }: Database,
  workspace: string,
  { table, row }: ParsedRow,
): Promise<void> {
  const columns = EXPORTED[table] as readonly string[];
  await query(statements.imported(table), [
    workspace,
    row['service'] ?? '',
    ...columns.map((column) => row[column] ?? null),
  ]);
}

function headOf(source: ImportSource, text: string | undefined): z.infer<typeof headShape> {
  const head = headShape.safeParse(parsed(text ?? ''));
  if (!head.success) throw malformed(source, 1, 'it is not the head of an export of a state');
  if (head.data.schema > SCHEMA_VERSION)
    throw new StateError(
      'state-newer',
      `${source.name} was written by a newer version of Herald (schema ${head.data.schema}, this version knows ${SCHEMA_VERSION}). Nothing was imported.`,
      'Update Herald: npm install --global herald-campaigns@latest',
    );
  return head.data;
}

function parseRow(source: ImportSource, number: number, text: string): ParsedRow {
  const outer = rowShape.safeParse(parsed(text));
  if (!outer.success) throw malformed(source, number, 'it is not a row of an export');
  const row = SHAPES[outer.data.table].safeParse(outer.data.row);
  if (!row.success) {
    const [issue] = row.error.issues;
    throw malformed(source, number, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not a row'}`);
  }
  return { table: outer.data.table, row: row.data };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function malformed({ name }: ImportSource, number: number, why: string): StateError {
  return new StateError(
    'state-failed',
    `${name}:${number}: This line cannot be imported: ${why}. Nothing was imported.`,
    `Make the file again where the state is: ${formatCommand('state', 'export', 'FILE')}`,
  );
}

function incomplete({ name }: ImportSource, rows: number, expected: number | null): StateError {
  const why =
    expected === null
      ? 'its last line is missing'
      : `it has ${rows} rows, and its last line says ${expected}`;
  return new StateError(
    'state-failed',
    `${name} is not complete: ${why}. Nothing was imported.`,
    `Make the file again where the state is: ${formatCommand('state', 'export', 'FILE')}`,
  );
}

function notEmpty(name: string): StateError {
  return new StateError(
    'state-refused',
    `${name} has rows of this workspace already. Herald does not merge two states. Nothing was imported.`,
    'Import into an empty state: choose another workspace in herald.yaml, or move .herald/state.db away.',
  );
}
