import { formatCommand } from '../domain/command-line.ts';
import type { LedgerStore } from '../domain/ledger-store.ts';
import { refusedByMark } from '../domain/ledger-transfer.ts';
import { StateError } from '../domain/state-error.ts';

/**
 * The ledger in a database, next to a folder that may have a ledger of its own. It is refused as long as the folder has
 * lines that were not moved: they may be all that is known of requests that were sent.
 */
export function nextToFiles(database: LedgerStore, files: LedgerStore): LedgerStore {
  const afterLook = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await refuseUnmoved(database, files);
    return work();
  };
  return {
    ...database,
    open: (view) => afterLook(() => database.open(view)),
    openToAppend: (lease) => afterLook(() => database.openToAppend(lease)),
    compact: (lines, edit, lease) => afterLook(() => database.compact(lines, edit, lease)),
    archives: () => afterLook(() => database.archives()),
  };
}

/**
 * | the folder's ledger                         | the database | result                                 |
 * |---------------------------------------------|--------------|----------------------------------------|
 * | none, or no lines                           | any          | used                                   |
 * | lines that were not moved                   | any          | refused; a move adds what is missing   |
 * | a move to here that was not finished        | any          | refused; the move has to be repeated   |
 * | all lines were moved, to whatever address   | has lines    | used: one database has many addresses  |
 * | all lines were moved                        | is empty     | refused: this is not where they went   |
 */
async function refuseUnmoved(database: LedgerStore, files: LedgerStore): Promise<void> {
  const left = await files.transfer.leftover();
  if (left === null) return;
  const [here, there] = [files.transfer.place, database.transfer.place];
  const { mark, lines, hasMore } = left;
  if (mark?.type === 'arriving') throw refusedByMark(here, mark);
  if (hasMore)
    throw new StateError(
      'state-not-moved',
      `${here.name} has lines that were not moved to ${there.name}. Without them, Herald could send again what was sent. Nothing was sent.`,
      formatCommand('state', 'migrate', here.as, there.as),
    );
  if (mark === null || lines === 0 || (await database.transfer.leftover()) !== null) return;
  throw new StateError(
    'state-not-moved',
    `${there.name} is empty, and the ledger of this folder was moved to ${mark.other.name}. Nothing was sent.`,
    `Name that place in herald.yaml. If it is gone, copy the lines again: ${formatCommand('state', 'migrate', here.as, there.as)}`,
  );
}
