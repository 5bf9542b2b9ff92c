import { LockHeldError, type Lease, type Leases, type LockHolder } from '../domain/lease.ts';
import type { Clock } from '../domain/ports.ts';
import type { Query } from './database.ts';
import type { StateWorkspace } from './workspace.ts';

/** ISO 8601 in UTC. */
function iso(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

export interface LeaseOptions {
  readonly clock: Clock;
  /** How long a lease lasts that is not renewed, by the clock of the database. */
  readonly leaseSec: number;
  /** Who takes it, for others: person, process, machine and CI job. */
  readonly holder: string;
}

/** A holder renews its lease so many times before it would end. */
const RENEWALS = 3;

/** A database that does not answer must not delay the end of a run for longer. */
const RELEASE_MAX_MS = 3_000;

/** Times are written here, because the settings of the database change how it writes them itself. */
const HOLDER = `SELECT fence, holder, ${iso('taken_at')} AS taken_at, ${iso('expires_at')} AS expires_at, expires_at > clock_timestamp() AS lasts
  FROM herald.leases WHERE workspace = $1`;

/** The lease of a workspace in the database. Its end is by the clock of the database, so clocks of runners do not matter. */
export function postgresLeases(workspace: StateWorkspace, options: LeaseOptions): Leases {
  return {
    take: async () => {
      const id = await workspace.id();
      const fence = await workspace.database.transaction((query) => take(query, workspace, id, options));
      return new PostgresLease(workspace, id, fence, options);
    },
    holder: async () => {
      const [row] = await workspace.database.read(HOLDER, [await workspace.id()]);
      return row === undefined || row['lasts'] !== true ? null : holderOf(row);
    },
  };
}

/** The row of the workspace is locked first, so that of two runs one waits and then sees the lease of the other. */
async function take(
  query: Query,
  { database, name }: StateWorkspace,
  id: string,
  { leaseSec, holder }: LeaseOptions,
): Promise<string> {
  await query('SELECT id FROM herald.workspaces WHERE id = $1 FOR UPDATE', [id]);
  const [held] = await query(HOLDER, [id]);
  if (held?.['lasts'] === true)
    throw new LockHeldError(`"${name}" in ${database.name}`, holderOf(held).words);
  const [row] = await query('UPDATE herald.workspaces SET fence = fence + 1 WHERE id = $1 RETURNING fence', [
    id,
  ]);
  const fence = String(row?.['fence']);
  await query(
    `INSERT INTO herald.leases (workspace, fence, holder, taken_at, expires_at)
     VALUES ($1, $2, $3, clock_timestamp(), clock_timestamp() + make_interval(secs => $4))
     ON CONFLICT (workspace) DO UPDATE SET fence = excluded.fence, holder = excluded.holder,
       taken_at = excluded.taken_at, expires_at = excluded.expires_at`,
    [id, fence, holder, leaseSec],
  );
  return fence;
}

function holderOf(row: Readonly<Record<string, unknown>>): LockHolder {
  return { words: `${String(row['holder'])} since ${String(row['taken_at'])}`, life: 'alive' };
}

/** A lease with its fencing number, which only grows: the store refuses a line with an older one. */
export class PostgresLease implements Lease {
  readonly fence: string;
  readonly #workspace: StateWorkspace;
  readonly #id: string;
  readonly #options: LeaseOptions;
  readonly #ended = new AbortController();

  constructor(workspace: StateWorkspace, id: string, fence: string, options: LeaseOptions) {
    this.#workspace = workspace;
    this.#id = id;
    this.fence = fence;
    this.#options = options;
    void this.#renew();
  }

  async lost(): Promise<string | null> {
    try {
      const [row] = await this.#workspace.database.read(HOLDER, [this.#id]);
      if (row === undefined) return 'it was removed from the database';
      if (String(row['fence']) !== this.fence) return `it was taken over by ${holderOf(row).words}`;
      return row['lasts'] === true
        ? null
        : `it ended at ${String(row['expires_at'])}, because it could not be renewed in time`;
    } catch (error) {
      return `it cannot be checked: ${(error as Error).message}`;
    }
  }

  /** Never rejects: a lease that cannot be given back ends by itself, and what the run did must still be reported. */
  async release(): Promise<void> {
    this.#ended.abort();
    const answered = new AbortController();
    const released = this.#workspace.database
      .query('DELETE FROM herald.leases WHERE workspace = $1 AND fence = $2', [this.#id, this.fence])
      .catch(() => undefined)
      .finally(() => answered.abort());
    const late = this.#options.clock.sleep(RELEASE_MAX_MS, answered.signal).catch(() => undefined);
    await Promise.race([released, late]);
  }

  /** An ended lease is not renewed, even if no one took it: this run may have been paused in between. */
  async #renew(): Promise<void> {
    const { clock, leaseSec } = this.#options;
    const { signal } = this.#ended;
    for (;;) {
      await clock.sleep((leaseSec * 1000) / RENEWALS, signal).catch(() => undefined);
      if (signal.aborted) return;
      await this.#workspace.database
        .query(
          `UPDATE herald.leases SET expires_at = clock_timestamp() + make_interval(secs => $3)
           WHERE workspace = $1 AND fence = $2 AND expires_at > clock_timestamp()`,
          [this.#id, this.fence, leaseSec],
        )
        // The next renewal may succeed. If none does, `lost` says so before the next request.
        .catch(() => undefined);
    }
  }
}
