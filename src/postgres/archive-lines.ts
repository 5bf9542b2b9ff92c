import { LEDGER_BEGIN, type LedgerEnd, type LedgerLines, type TakeLine } from '../domain/ledger-store.ts';
import type { StateWorkspace } from './workspace.ts';

/** So many lines are read at once. */
const PAGE_LINES = 2_000;

/** The lines that a compaction has put away. An archive only grows, and never changes. */
export class ArchiveLines implements LedgerLines {
  readonly #workspace: StateWorkspace;
  readonly #values: readonly [string, string];
  readonly #size: number;

  private constructor(workspace: StateWorkspace, values: readonly [string, string], size: number) {
    this.#workspace = workspace;
    this.#values = values;
    this.#size = size;
  }

  static async of(workspace: StateWorkspace, id: string, name: string): Promise<ArchiveLines> {
    const [row] = await workspace.database.read(
      'SELECT coalesce(sum(octet_length(line) + 1), 0) AS bytes FROM herald.ledger_archives WHERE workspace = $1 AND name = $2',
      [id, name],
    );
    return new ArchiveLines(workspace, [id, name], Number(row?.['bytes']));
  }

  async size(): Promise<number> {
    return this.#size;
  }

  async continues(position: string): Promise<boolean> {
    return position !== LEDGER_BEGIN;
  }

  async read(from: string, take: TakeLine): Promise<LedgerEnd> {
    let last = from === LEDGER_BEGIN ? 0 : Number(from);
    for (;;) {
      const page = await this.#workspace.database.read(
        `SELECT position, line FROM herald.ledger_archives
         WHERE workspace = $1 AND name = $2 AND position > $3 ORDER BY position LIMIT $4`,
        [...this.#values, last, PAGE_LINES],
      );
      for (const row of page) {
        last = Number(row['position']);
        take(String(row['line']), last);
      }
      if (page.length < PAGE_LINES) return { position: String(last), torn: null };
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
