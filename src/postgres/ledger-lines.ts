import { formatCommand } from '../domain/command-line.ts';
import {
  LEDGER_BEGIN,
  LONG_READING_BYTES,
  type KeptViews,
  type LedgerEnd,
  type LedgerLines,
  type TakeLine,
} from '../domain/ledger-store.ts';
import { StateError } from '../domain/state-error.ts';
import type { Query, Row } from './database.ts';

/** So many lines are read at once: a reading needs memory for these, whatever the length of the ledger. */
const PAGE_LINES = 2_000;

/** Another run has compacted the ledger, so a reading has to begin again. */
export class CompactedMeanwhileError extends StateError {
  constructor() {
    super('state-failed', 'The ledger was compacted while it was read.', 'Run the command again.');
  }
}

/** The lines of a workspace up to a position. A compaction begins a new epoch, with positions from 1. */
export interface Extent {
  readonly workspace: string;
  readonly epoch: string;
  readonly last: number;
  readonly bytes: number;
  /** Why the ledger must not be used, as JSON; null if it may be. */
  readonly mark: string | null;
}

export async function extentOf(query: Query, workspace: string): Promise<Extent> {
  const [row] = await query(
    'SELECT epoch, last_position, ledger_bytes, mark FROM herald.workspaces WHERE id = $1',
    [workspace],
  );
  const mark = row?.['mark'];
  return {
    workspace,
    epoch: String(row?.['epoch']),
    last: Number(row?.['last_position']),
    bytes: Number(row?.['ledger_bytes']),
    mark: typeof mark === 'string' ? mark : null,
  };
}

/**
 * Gives the rows of the ledger after a position, page by page, in order. Positions have no gaps, so a missing row means
 * that a compaction has removed the epoch meanwhile, or a person the row. Then it rejects: a part of a ledger must not
 * look like all of it.
 */
export async function* rowsAfter(
  query: Query,
  { workspace, epoch, last }: Pick<Extent, 'workspace' | 'epoch' | 'last'>,
  after: number,
): AsyncGenerator<Row> {
  for (let from = after; from < last;) {
    const page = await query(
      `SELECT position, id, line FROM herald.ledger_lines
       WHERE workspace = $1 AND epoch = $2 AND position > $3 AND position <= $4 ORDER BY position LIMIT $5`,
      [workspace, epoch, from, last, PAGE_LINES],
    );
    yield* page;
    const reached = Number(page.at(-1)?.['position'] ?? from);
    if (reached - from !== page.length || page.length === 0) {
      const { epoch: now } = await extentOf(query, workspace);
      throw now === epoch ? missingRows() : new CompactedMeanwhileError();
    }
    from = reached;
  }
}

function missingRows(): StateError {
  return new StateError(
    'state-failed',
    'Rows of the ledger are missing in the database. Nothing was sent.',
    formatCommand('state', 'check'),
  );
}

/** Called before a long read, for which the heap should be kept small. */
export type OnLongReading = () => void | Promise<void>;

/** The ledger as it was when it was opened. Lines are whole: a line that was not committed is not there. */
export class PostgresLines implements LedgerLines {
  readonly extent: Extent;
  readonly kept: KeptViews | null;
  readonly #query: Query;
  readonly #onLongReading: OnLongReading;

  constructor(
    query: Query,
    extent: Extent,
    kept: KeptViews | null = null,
    onLongReading: OnLongReading = () => undefined,
  ) {
    this.#query = query;
    this.extent = extent;
    this.kept = kept;
    this.#onLongReading = onLongReading;
  }

  async size(): Promise<number> {
    return this.extent.bytes;
  }

  async continues(position: string): Promise<boolean> {
    const { workspace, epoch, last } = this.extent;
    if (position === LEDGER_BEGIN) return last === 0;
    const read = placeOf(position);
    return read.workspace === workspace && read.epoch === epoch && read.last <= last;
  }

  async read(from: string, take: TakeLine): Promise<LedgerEnd> {
    const { workspace, epoch, last, bytes } = this.extent;
    const after = from === LEDGER_BEGIN ? 0 : placeOf(from).last;
    if ((bytes / Math.max(1, last)) * (last - after) >= LONG_READING_BYTES) await this.#onLongReading();
    for await (const row of rowsAfter(this.#query, this.extent, after))
      take(String(row['line']), Number(row['position']));
    return { position: JSON.stringify({ workspace, epoch, last }), torn: null };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** What a position says. */
export function placeOf(position: string): Pick<Extent, 'workspace' | 'epoch' | 'last'> {
  return JSON.parse(position) as Pick<Extent, 'workspace' | 'epoch' | 'last'>;
}
