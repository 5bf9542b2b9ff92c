import type { Lease } from '../domain/lease.ts';
import type { LedgerArchive, LedgerStore } from '../domain/ledger-store.ts';
import { compactLedger } from './compact-ledger.ts';
import { ArchiveLines } from './archive-lines.ts';
import { extentOf, PostgresLines, type Extent, type OnLongReading } from './ledger-lines.ts';
import { postgresLedgerTransfer } from './ledger-transfer.ts';
import { PostgresWriter } from './ledger-writer.ts';
import { PostgresViews } from './kept-views.ts';
import { fenceIn } from './lease.ts';
import { refuseMarked } from './mark.ts';
import type { StateWorkspace } from './workspace.ts';

/** The ledger of a workspace as rows of a table. A row is never changed; its payload is the line of a file ledger. */
export function postgresLedgerStore(workspace: StateWorkspace, onLongReading?: OnLongReading): LedgerStore {
  const { database } = workspace;
  const query = database.read.bind(database);
  return {
    name: workspace.place.name,
    open: async (view) => {
      const extent = await usable(workspace);
      const kept = view === undefined ? null : new PostgresViews(database, extent, view);
      return new PostgresLines(query, extent, kept, onLongReading);
    },
    openToAppend: async (lease) => new PostgresWriter(workspace, await usable(workspace), fenceOf(lease)),
    archives: () => archivesOf(workspace),
    archiveFor: (at) => `archive ${at.slice(0, 10)}`,
    compact: async (lines, edit, lease) => {
      if (!(lines instanceof PostgresLines)) throw new Error('these lines were opened by another store');
      const tries = new Set<string>();
      const read = lines.extent;
      await database.transactionUntilAnswered((inside) =>
        compactLedger(inside, { workspace, lease, read, edit, tries }),
      );
    },
    transfer: postgresLedgerTransfer(workspace),
  };
}

/** Rejects if the ledger was moved to another place. */
async function usable(workspace: StateWorkspace): Promise<Extent> {
  const extent = await extentOf(workspace.database.read.bind(workspace.database), await workspace.id());
  refuseMarked(workspace, extent);
  return extent;
}

function fenceOf(lease: Lease | null): string | null {
  return lease === null ? null : fenceIn(lease);
}

async function archivesOf(workspace: StateWorkspace): Promise<readonly LedgerArchive[]> {
  const id = await workspace.id();
  const rows = await workspace.database.read(
    'SELECT name FROM herald.ledger_archives WHERE workspace = $1 GROUP BY name ORDER BY name',
    [id],
  );
  return rows.map((row) => {
    const name = String(row['name']);
    return { name, open: async () => ArchiveLines.of(workspace, id, name) };
  });
}
