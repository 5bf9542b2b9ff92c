import { elapsedMs, momentOf } from '../domain/elapsed.ts';
import {
  LEAVES_WITHIN_MS,
  LockHeldError,
  type Lease,
  type LeaseRecord,
  type Leases,
  type LockHolder,
} from '../domain/lease.ts';
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

/** A lease that is about to end is looked at again: it may have been renewed meanwhile. */
const LOOKS_MAX = 3;

/** A database that does not answer must not delay the end of a run for longer. */
const RELEASE_MAX_MS = 3_000;

/** Times are written here, because the settings of the database change how it writes them itself. */
const INSTANT = 'extract(epoch FROM leases.taken_at)::text';
const HOLDER = `SELECT fence, holder, ${INSTANT} AS at, ${iso('taken_at')} AS taken_at, ${iso('expires_at')} AS expires_at,
    expires_at > clock_timestamp() AS lasts, extract(epoch FROM expires_at - clock_timestamp()) * 1000 AS left_ms
  FROM herald.leases WHERE workspace = $1`;

/** The lease of a workspace in the database. Its end is by the clock of the database, so clocks of runners do not matter. */
export function postgresLeases(workspace: StateWorkspace, options: LeaseOptions): Leases {
  return {
    take: async () => {
      const id = await workspace.id();
      const tries: Taken[] = [];
      const fence = await workspace.database.transactionUntilAnswered((query) =>
        take(query, { workspace, id, tries }, options),
      );
      return new PostgresLease(workspace, id, fence, options);
    },
    holder: async () => {
      const [row] = await workspace.database.read(HOLDER, [await workspace.id()]);
      return row === undefined || row['lasts'] !== true ? null : holderOf(row);
    },
    record: async () => {
      const [row] = await workspace.database.read(HOLDER, [await workspace.id()]);
      return row === undefined ? null : recordOf(row);
    },
    end: async ({ id: fence }) => {
      const id = await workspace.id();
      return workspace.database.transaction((query) => end(query, id, fence));
    },
  };
}

/** The number of the workspace grows, so that the store refuses every line of the holder from now on. */
async function end(query: Query, id: string, fence: string): Promise<boolean> {
  await query('SELECT id FROM herald.workspaces WHERE id = $1 FOR UPDATE', [id]);
  const ended = await query('DELETE FROM herald.leases WHERE workspace = $1 AND fence = $2 RETURNING fence', [
    id,
    fence,
  ]);
  if (ended.length > 0) await query('UPDATE herald.workspaces SET fence = fence + 1 WHERE id = $1', [id]);
  return ended.length > 0;
}

/** A lease that a transaction took. If the answer to its end is lost, it may be there or not. */
interface Taken {
  readonly fence: string;
  /** The instant in full: two transactions may take the same number, if the first one was undone. */
  readonly at: string;
}

interface Taking {
  readonly workspace: StateWorkspace;
  readonly id: string;
  /** Those of earlier tries. */
  readonly tries: Taken[];
}

/**
 * The row of the workspace is locked first, so that of two runs one waits and then sees the lease of the other. An
 * earlier try of this run ends before that as well.
 */
async function take(
  query: Query,
  { workspace: { database, name, repository }, id, tries }: Taking,
  { leaseSec, holder }: LeaseOptions,
): Promise<string> {
  await query('SELECT id FROM herald.workspaces WHERE id = $1 FOR UPDATE', [id]);
  const [held] = await query(HOLDER, [id]);
  const own = tries.find(({ fence, at }) => fence === String(held?.['fence']) && at === String(held?.['at']));
  if (held?.['lasts'] === true && own !== undefined) return own.fence;
  if (held?.['lasts'] === true)
    throw new LockHeldError(`"${name}" in ${database.name}`, holderOf(held).words);
  // A workspace that was set up where nothing is known of the repository gets its first one.
  const [row] = await query(
    `UPDATE herald.workspaces SET fence = fence + 1, repository = coalesce(repository, $2)
     WHERE id = $1 RETURNING fence`,
    [id, repository],
  );
  const fence = String(row?.['fence']);
  const [taken] = await query(
    `INSERT INTO herald.leases (workspace, fence, holder, taken_at, expires_at)
     VALUES ($1, $2, $3, clock_timestamp(), clock_timestamp() + make_interval(secs => $4))
     ON CONFLICT (workspace) DO UPDATE SET fence = excluded.fence, holder = excluded.holder,
       taken_at = excluded.taken_at, expires_at = excluded.expires_at
     RETURNING ${INSTANT} AS at`,
    [id, fence, holder, leaseSec],
  );
  tries.push({ fence, at: String(taken?.['at']) });
  return fence;
}

function holderOf(row: Readonly<Record<string, unknown>>): LockHolder {
  return { words: `${String(row['holder'])} since ${String(row['taken_at'])}`, life: 'alive' };
}

function recordOf(row: Readonly<Record<string, unknown>>): LeaseRecord {
  return {
    ...holderOf(row),
    life: row['lasts'] === true ? 'alive' : 'dead',
    id: String(row['fence']),
    since: String(row['taken_at']),
    until: String(row['expires_at']),
  };
}

/** The fencing number of a lease of this store. */
export function fenceIn(lease: Lease): string {
  if (!(lease instanceof PostgresLease)) throw new Error('this lease is of another store');
  return lease.fence;
}

/** A lease with its fencing number, which only grows: the store refuses a line with an older one. */
class PostgresLease implements Lease {
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
      for (let look = 1; ; look += 1) {
        const asked = momentOf(this.#options.clock);
        const [row] = await this.#workspace.database.read(HOLDER, [this.#id]);
        if (row === undefined) return 'it was removed from the database';
        if (String(row['fence']) !== this.fence) return `it was taken over by ${holderOf(row).words}`;
        // This process may have been paused since it asked. The answer is as old as that.
        const leftMs = Number(row['left_ms']) - elapsedMs(this.#options.clock, asked);
        if (leftMs > this.#coverMs()) return null;
        if (row['lasts'] !== true || look >= LOOKS_MAX)
          return `it ended at ${String(row['expires_at'])}, because it could not be renewed in time`;
      }
    } catch (error) {
      return `it cannot be checked: ${(error as Error).message}`;
    }
  }

  /** A request that leaves must do so while the lease lasts. */
  #coverMs(): number {
    return Math.min(LEAVES_WITHIN_MS, (this.#options.leaseSec * 1000) / 2);
  }

  /** Never rejects: a lease that cannot be given back ends by itself, and what the run did must still be reported. */
  async release(): Promise<void> {
    this.#ended.abort();
    const answered = new AbortController();
    const released = this.#workspace.database
      .queryUntilAnswered(
        'DELETE FROM herald.leases WHERE workspace = $1 AND fence = $2',
        [this.#id, this.fence],
        RELEASE_MAX_MS,
      )
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
