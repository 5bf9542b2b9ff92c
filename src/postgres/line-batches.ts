import { randomUUID } from 'node:crypto';
import type { LinePages } from '../domain/ledger-transfer.ts';
import { textKey } from '../domain/text-key.ts';
import type { Query } from './database.ts';

/** So many lines are written by one statement. */
const BATCH_LINES = 500;

/** So many characters of lines are kept in memory, and one line more. */
const BATCH_LENGTH = 8_000_000;

interface NewRow {
  readonly id: string;
  readonly line: string;
}

/** Lines on their way into a table, written in batches. */
export class Batches {
  readonly #write: (rows: readonly NewRow[], first: number) => Promise<void>;
  #waiting: NewRow[] = [];
  #length = 0;
  written = 0;
  /** Of the lines with their line breaks. */
  bytes = 0;

  constructor(write: (rows: readonly NewRow[], first: number) => Promise<void>) {
    this.#write = write;
  }

  async add(row: NewRow): Promise<void> {
    this.#waiting.push(row);
    this.#length += row.line.length;
    this.bytes += Buffer.byteLength(row.line) + 1;
    if (this.#waiting.length === BATCH_LINES || this.#length > BATCH_LENGTH) await this.end();
  }

  async end(): Promise<void> {
    if (this.#waiting.length > 0) await this.#write(this.#waiting, this.written + 1);
    this.written += this.#waiting.length;
    this.#waiting = [];
    this.#length = 0;
  }
}

/** A line that is new to the table. */
export function newRow(line: string): NewRow {
  return { id: randomUUID(), line };
}

export async function insertLines(
  query: Query,
  ledger: { readonly workspace: string; readonly epoch: string; readonly fence: string | null },
  batch: readonly NewRow[],
  first: number,
): Promise<void> {
  const { workspace, epoch, fence } = ledger;
  await query(
    `INSERT INTO herald.ledger_lines (workspace, epoch, position, id, fence, line)
     SELECT $1, $2, $3::bigint + ordinality, (item ->> 'id')::uuid, $5::bigint, item ->> 'line'
     FROM jsonb_array_elements($4::jsonb) WITH ORDINALITY AS t (item)`,
    [workspace, epoch, first - 1, JSON.stringify(batch), fence],
  );
}

/** Adds lines to an archive, each once. */
export async function addToArchive(
  query: Query,
  { workspace, name }: { readonly workspace: string; readonly name: string },
  added: LinePages,
): Promise<void> {
  const there = await query(
    'SELECT line FROM herald.ledger_archives WHERE workspace = $1 AND name = $2 ORDER BY position',
    [workspace, name],
  );
  const known = new Set(there.map(({ line }) => textKey(String(line))));
  const lines = new Batches(async (batch, first) => {
    await query(
      `INSERT INTO herald.ledger_archives (workspace, name, position, line)
       SELECT $1, $2, $3::bigint + ordinality, item ->> 'line'
       FROM jsonb_array_elements($4::jsonb) WITH ORDINALITY AS t (item)`,
      [workspace, name, there.length + first - 1, JSON.stringify(batch)],
    );
  });
  await addNew(lines, added, known);
}

/** Adds the lines that are not known, each once. */
export async function addNew(lines: Batches, added: LinePages, known: Set<string>): Promise<void> {
  for await (const page of added)
    for (const line of page) {
      const key = textKey(line);
      if (known.has(key)) continue;
      known.add(key);
      await lines.add(newRow(line));
    }
  await lines.end();
}
