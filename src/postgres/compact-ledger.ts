import { randomUUID } from 'node:crypto';
import type { LedgerEdit } from '../domain/ledger-store.ts';
import type { Query } from './database.ts';
import { extentOf, rowsAfter, type Extent } from './ledger-lines.ts';

/** So many lines are written by one statement. */
const BATCH_LINES = 500;

/** Lines on their way into a table, written in batches. */
class Batches {
  readonly #write: (lines: readonly string[], first: number) => Promise<void>;
  #waiting: string[] = [];
  written = 0;
  bytes = 0;

  constructor(write: (lines: readonly string[], first: number) => Promise<void>) {
    this.#write = write;
  }

  async add(line: string): Promise<void> {
    this.#waiting.push(line);
    this.bytes += Buffer.byteLength(line) + 1;
    if (this.#waiting.length === BATCH_LINES) await this.end();
  }

  async end(): Promise<void> {
    if (this.#waiting.length > 0) await this.#write(this.#waiting, this.written + 1);
    this.written += this.#waiting.length;
    this.#waiting = [];
  }
}

/**
 * Writes the edited ledger as a new epoch, in one transaction. The row of the workspace is locked, so what others append
 * meanwhile comes after it. `read` is the ledger that the edit was made for.
 */
export async function compactLedger(query: Query, read: Extent, edit: LedgerEdit): Promise<void> {
  const { workspace } = read;
  await query('SELECT id FROM herald.workspaces WHERE id = $1 FOR UPDATE', [workspace]);
  const before = await extentOf(query, workspace);
  if (before.epoch !== read.epoch) throw new Error('another run has compacted the ledger meanwhile');
  const epoch = String(BigInt(before.epoch) + 1n);
  if (edit.archive !== null) await archive(query, before, edit, edit.archive);
  const lines = new Batches((batch, first) => insert(query, { workspace, epoch }, batch, first));
  for (const mark of edit.marks) await lines.add(mark);
  for await (const row of rowsAfter(query, before, 0)) {
    const line = String(row['line']);
    const instead = Number(row['position']) > read.last ? null : edit.instead(line, Number(row['position']));
    for (const kept of instead ?? [line]) await lines.add(kept);
  }
  await lines.end();
  await query('DELETE FROM herald.ledger_lines WHERE workspace = $1 AND epoch = $2', [
    workspace,
    before.epoch,
  ]);
  await query(
    'UPDATE herald.workspaces SET epoch = $2, last_position = $3, ledger_bytes = $4 WHERE id = $1',
    [workspace, epoch, lines.written, lines.bytes],
  );
}

/** Adds the lines that leave the ledger to an archive, each once. */
async function archive(query: Query, before: Extent, edit: LedgerEdit, name: string): Promise<void> {
  const { workspace } = before;
  const there = await query(
    'SELECT position, line FROM herald.ledger_archives WHERE workspace = $1 AND name = $2 ORDER BY position',
    [workspace, name],
  );
  const known = new Set(there.map(({ line }) => line));
  const lines = new Batches(async (batch, first) => {
    await query(
      `INSERT INTO herald.ledger_archives (workspace, name, position, line)
       SELECT $1, $2, $3::bigint + ordinality, line FROM jsonb_array_elements_text($4::jsonb) WITH ORDINALITY AS t (line)`,
      [workspace, name, there.length + first - 1, JSON.stringify(batch)],
    );
  });
  for await (const row of rowsAfter(query, before, 0)) {
    const line = String(row['line']);
    if (edit.isArchived(line, Number(row['position'])) && !known.has(line)) await lines.add(line);
  }
  await lines.end();
}

async function insert(
  query: Query,
  { workspace, epoch }: Pick<Extent, 'workspace' | 'epoch'>,
  batch: readonly string[],
  first: number,
): Promise<void> {
  const rows = batch.map((line) => ({ id: randomUUID(), line }));
  await query(
    `INSERT INTO herald.ledger_lines (workspace, epoch, position, id, line)
     SELECT $1, $2, $3::bigint + ordinality, (item ->> 'id')::uuid, item ->> 'line'
     FROM jsonb_array_elements($4::jsonb) WITH ORDINALITY AS t (item)`,
    [workspace, epoch, first - 1, JSON.stringify(rows)],
  );
}
