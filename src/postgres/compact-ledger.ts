import { randomUUID } from 'node:crypto';
import type { LedgerEdit } from '../domain/ledger-store.ts';
import { StateError } from '../domain/state-error.ts';
import type { Query } from './database.ts';
import { extentOf, rowsAfter, type Extent } from './ledger-lines.ts';

/** So many lines are written by one statement. */
const BATCH_LINES = 500;

/** So many characters of lines are kept in memory, and one line more. */
const BATCH_LENGTH = 8_000_000;

interface NewRow {
  readonly id: string;
  readonly line: string;
}

/** Lines on their way into a table, written in batches. */
class Batches {
  readonly #write: (rows: readonly NewRow[], first: number) => Promise<void>;
  #waiting: NewRow[] = [];
  #length = 0;
  written = 0;
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

/**
 * Writes the edited ledger as a new epoch, in one transaction. The row of the workspace is locked, so what others append
 * meanwhile comes after it. `read` is the ledger that the edit was made for; `tries` tells a repetition what was written.
 */
export async function compactLedger(
  query: Query,
  read: Extent,
  edit: LedgerEdit,
  tries: Set<string> = new Set(),
): Promise<void> {
  const { workspace } = read;
  await query('SELECT id FROM herald.workspaces WHERE id = $1 FOR UPDATE', [workspace]);
  const before = await extentOf(query, workspace);
  if (before.epoch !== read.epoch && (await isOwn(query, before, tries))) return;
  if (before.epoch !== read.epoch)
    throw new StateError(
      'state-failed',
      'Nothing was changed, because another run has compacted the ledger meanwhile.',
      'herald ledger compact',
    );
  const epoch = String(BigInt(before.epoch) + 1n);
  if (edit.archive !== null) await archive(query, before, edit, edit.archive);
  const lines = new Batches(async (batch, first) => {
    await insert(query, { workspace, epoch }, batch, first);
    if (first === 1) tries.add(tryOf({ epoch, id: batch[0]?.id }));
  });
  for (const mark of edit.marks) await lines.add(newRow(mark));
  for await (const row of rowsAfter(query, before, 0)) {
    const line = String(row['line']);
    const instead = Number(row['position']) > read.last ? null : edit.instead(line, Number(row['position']));
    // A line that stays keeps its id: its append may be repeated after this.
    const rows = instead === null ? [{ id: String(row['id']), line }] : instead.map(newRow);
    for (const kept of rows) await lines.add(kept);
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

/** Whether an earlier try of the same compaction was carried out, and only the answer to its end was lost. */
async function isOwn(query: Query, { workspace, epoch }: Extent, tries: Set<string>): Promise<boolean> {
  const [first] = await query(
    'SELECT id FROM herald.ledger_lines WHERE workspace = $1 AND epoch = $2 AND position = 1',
    [workspace, epoch],
  );
  return tries.has(tryOf({ epoch, id: first?.['id'] }));
}

function tryOf({ epoch, id }: { readonly epoch: string; readonly id: unknown }): string {
  return `${epoch} ${String(id)}`;
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
       SELECT $1, $2, $3::bigint + ordinality, item ->> 'line'
       FROM jsonb_array_elements($4::jsonb) WITH ORDINALITY AS t (item)`,
      [workspace, name, there.length + first - 1, JSON.stringify(batch)],
    );
  });
  for await (const row of rowsAfter(query, before, 0)) {
    const line = String(row['line']);
    if (edit.isArchived(line, Number(row['position'])) && !known.has(line)) await lines.add(newRow(line));
  }
  await lines.end();
}

async function insert(
  query: Query,
  { workspace, epoch }: Pick<Extent, 'workspace' | 'epoch'>,
  batch: readonly NewRow[],
  first: number,
): Promise<void> {
  await query(
    `INSERT INTO herald.ledger_lines (workspace, epoch, position, id, line)
     SELECT $1, $2, $3::bigint + ordinality, (item ->> 'id')::uuid, item ->> 'line'
     FROM jsonb_array_elements($4::jsonb) WITH ORDINALITY AS t (item)`,
    [workspace, epoch, first - 1, JSON.stringify(batch)],
  );
}

function newRow(line: string): NewRow {
  return { id: randomUUID(), line };
}
