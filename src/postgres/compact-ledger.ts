import { formatCommand } from '../domain/command-line.ts';
import type { Lease } from '../domain/lease.ts';
import type { LedgerEdit } from '../domain/ledger-store.ts';
import { StateError } from '../domain/state-error.ts';
import type { Query } from './database.ts';
import { lockedFence, refuseTaken } from './fence.ts';
import { addToArchive, Batches, insertLines, newRow } from './line-batches.ts';
import { extentOf, rowsAfter, type Extent } from './ledger-lines.ts';
import type { StateWorkspace } from './workspace.ts';

interface Compacting {
  readonly workspace: StateWorkspace;
  readonly lease: Lease;
  /** The ledger that the edit was made for. */
  readonly read: Extent;
  readonly edit: LedgerEdit;
  /** Tells a repetition what was written. */
  readonly tries: Set<string>;
}

/**
 * Writes the edited ledger as a new epoch, in one transaction. The row of the workspace is locked, so what others append
 * meanwhile comes after it. If another run has taken the lease, nothing is replaced.
 */
export async function compactLedger(
  query: Query,
  { workspace: state, lease, read, edit, tries }: Compacting,
): Promise<void> {
  const { workspace } = read;
  const locked = await lockedFence(query, workspace);
  const before = await extentOf(query, workspace);
  if (before.epoch !== read.epoch && (await isOwn(query, before, tries))) return;
  refuseTaken(state, lease, locked);
  if (before.epoch !== read.epoch)
    throw new StateError(
      'state-failed',
      'Nothing was changed, because another run has compacted the ledger meanwhile.',
      formatCommand('ledger', 'compact'),
    );
  const epoch = String(BigInt(before.epoch) + 1n);
  if (edit.archive !== null)
    await addToArchive(query, { workspace, name: edit.archive }, archivedIn(query, before, edit));
  const lines = new Batches(async (batch, first) => {
    await insertLines(query, { workspace, epoch, fence: null }, batch, first);
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

/** The lines that leave the ledger for an archive. */
async function* archivedIn(
  query: Query,
  before: Extent,
  edit: LedgerEdit,
): AsyncGenerator<readonly string[], void> {
  for await (const row of rowsAfter(query, before, 0)) {
    const line = String(row['line']);
    if (edit.isArchived(line, Number(row['position']))) yield [line];
  }
}
