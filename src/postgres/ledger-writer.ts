import { randomUUID } from 'node:crypto';
import { formatCommand } from '../domain/command-line.ts';
import type { LedgerWriter } from '../domain/ledger-store.ts';
import { StateError } from '../domain/state-error.ts';
import { CompactedMeanwhileError, extentOf, rowsAfter, type Extent } from './ledger-lines.ts';
import { refuseMarked } from './mark.ts';
import type { StateWorkspace } from './workspace.ts';

/**
 * Adds one line. The row of the workspace gives the position, so appends of several runs come one after the other. A
 * line that is there already is not added again, so the statement may be repeated after a lost answer. `$2` is the
 * fencing number, or null without a lease.
 */
const APPEND = `
  WITH known AS (
    SELECT 1 FROM herald.ledger_lines l JOIN herald.workspaces w ON w.id = l.workspace AND w.epoch = l.epoch
    WHERE l.workspace = $1 AND l.id = $3
  ), place AS (
    UPDATE herald.workspaces
    SET last_position = last_position + 1, ledger_bytes = ledger_bytes + octet_length($4::text) + 1
    WHERE id = $1 AND ($2::bigint IS NULL OR fence = $2::bigint) AND mark IS NULL AND NOT EXISTS (SELECT 1 FROM known)
    RETURNING epoch, last_position
  ), added AS (
    INSERT INTO herald.ledger_lines (workspace, epoch, position, id, fence, line)
    SELECT $1, epoch, last_position, $3, $2::bigint, $4 FROM place RETURNING 1
  )
  SELECT (SELECT count(*) FROM known) + (SELECT count(*) FROM added) AS there`;

/** A line of this id is there: two copies of one append ran at the same time, and this one came second. */
const UNIQUE_VIOLATION = '23505';

export class PostgresWriter implements LedgerWriter {
  readonly #workspace: StateWorkspace;
  readonly #fence: string | null;
  #heard: Extent;

  constructor(workspace: StateWorkspace, heard: Extent, fence: string | null) {
    this.#workspace = workspace;
    this.#heard = heard;
    this.#fence = fence;
  }

  async append(line: string): Promise<void> {
    const { database } = this.#workspace;
    const values = [this.#heard.workspace, this.#fence, randomUUID(), line];
    let rows;
    try {
      rows = await database.queryUntilAnswered(APPEND, values);
    } catch (error) {
      if (codeOf(error) === UNIQUE_VIOLATION) return;
      throw error;
    }
    if (Number(rows[0]?.['there']) > 0) return;
    refuseMarked(this.#workspace, await extentOf(database.read.bind(database), this.#heard.workspace));
    throw new StateError(
      'state-lease-lost',
      `${database.name} refused the line, because another run has taken the lease of "${this.#workspace.name}"`,
      formatCommand('plan'),
    );
  }

  async readAdded(): Promise<readonly string[]> {
    const { database } = this.#workspace;
    const query = database.read.bind(database);
    for (let now = await extentOf(query, this.#heard.workspace); ;) {
      refuseMarked(this.#workspace, now);
      const after = now.epoch === this.#heard.epoch ? this.#heard.last : 0;
      try {
        const lines: string[] = [];
        for await (const row of rowsAfter(query, now, after)) lines.push(String(row['line']));
        this.#heard = now;
        return lines;
      } catch (error) {
        const newer = await extentOf(query, this.#heard.workspace);
        if (!(error instanceof CompactedMeanwhileError) || newer.epoch === now.epoch) throw error;
        now = newer;
      }
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function codeOf(error: unknown): unknown {
  const { cause } = error as { readonly cause?: { readonly code?: unknown } };
  return cause?.code;
}
