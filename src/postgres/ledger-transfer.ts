import type { LedgerTransfer } from '../domain/ledger-transfer.ts';
import { textKey } from '../domain/text-key.ts';
import { extentOf, rowsAfter } from './ledger-lines.ts';
import { leaseTaken, lockedFence, refuseTaken } from './fence.ts';
import { fenceIn } from './lease.ts';
import { addNew, addToArchive, Batches, insertLines } from './line-batches.ts';
import { markIn, markText } from './mark.ts';
import type { StateWorkspace } from './workspace.ts';

/** So many lines are given at once. */
const PAGE_LINES = 500;

/** Moves a ledger in a database. Its mark is in the row of the workspace, where each append reads it. */
export function postgresLedgerTransfer(workspace: StateWorkspace): LedgerTransfer {
  const { database, place } = workspace;
  const read = database.read.bind(database);
  return {
    place,
    mark: async () => markIn(await extentOf(read, await workspace.id())),
    setMark: async (mark, lease) => {
      const id = await workspace.id();
      const rows = await database.queryUntilAnswered(
        'UPDATE herald.workspaces SET mark = $2 WHERE id = $1 AND fence = $3 RETURNING id',
        [id, markText(mark), fenceIn(lease)],
      );
      if (rows.length === 0) throw leaseTaken(workspace);
    },
    lines: () => linesOf(workspace),
    unite: async (lines, mark, lease) => {
      const id = await workspace.id();
      return database.transaction(async (query) => {
        const fence = refuseTaken(workspace, lease, await lockedFence(query, id));
        const before = await extentOf(query, id);
        const known = new Set<string>();
        for await (const row of rowsAfter(query, before, 0)) known.add(textKey(String(row['line'])));
        const ledger = { workspace: id, epoch: before.epoch, fence };
        const added = new Batches((batch, first) => insertLines(query, ledger, batch, before.last + first));
        await addNew(added, lines, known);
        await query(
          'UPDATE herald.workspaces SET last_position = $2, ledger_bytes = $3, mark = $4 WHERE id = $1',
          [id, before.last + added.written, before.bytes + added.bytes, markText(mark)],
        );
        return added.written;
      });
    },
    uniteArchive: async (name, lines) => {
      const id = await workspace.id();
      await database.transaction((query) => addToArchive(query, { workspace: id, name }, lines));
    },
    leftover: async () => {
      const extent = await extentOf(read, await workspace.id());
      return extent.last === 0 ? null : { mark: markIn(extent), lines: extent.last, hasMore: true };
    },
  };
}

async function* linesOf(workspace: StateWorkspace): AsyncGenerator<readonly string[], void> {
  const { database } = workspace;
  const query = database.read.bind(database);
  let page: string[] = [];
  for await (const row of rowsAfter(query, await extentOf(query, await workspace.id()), 0)) {
    page.push(String(row['line']));
    if (page.length < PAGE_LINES) continue;
    yield page;
    page = [];
  }
  yield page;
}
