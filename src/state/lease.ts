import { formatCommand } from '../domain/command-line.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { Clock } from '../domain/ports.ts';
import { waitAtMost } from '../domain/time.ts';
import { confinedTo } from '../host/confined.ts';
import type { Database, Query } from './sql.ts';
import { LOCK_FILE, tryLock } from './sqlite.ts';

export interface LeaseWait {
  readonly waitMs: number;
  /** Called once, when another run has the lease. */
  readonly onWait?: (holder: string) => void;
  readonly clock: Clock;
}

interface LeaseRequest extends LeaseWait {
  readonly workspace: string;
  /** The id of the run. Every request that this run records is checked against it. */
  readonly fence: string;
  /** Person, process, machine and CI job, for others. */
  readonly holder: string;
}

/** The right to change something in a workspace. `begin` checks it in its own transaction. */
export interface HeldLease {
  release(): Promise<void>;
}

const POLL_MS = 200;

/** Takes the lease of a workspace: by a lock in its folder, or for a time in PostgreSQL. Rejects with `locked` if another run has it for too long. */
export function takeLease(
  database: Database,
  place: { readonly directory: string } | { readonly leaseSec: number },
  request: LeaseRequest,
): Promise<HeldLease> {
  return 'directory' in place
    ? takeFileLease(database, place.directory, request)
    : takePostgresLease(database, place.leaseSec, request);
}

/** A lock of the operating system decides: freed when the process is gone, and held while it is stopped. */
async function takeFileLease(
  database: Database,
  directory: string,
  request: LeaseRequest,
): Promise<HeldLease> {
  const { workspace, fence, holder } = request;
  const { statements } = database;
  const path = confinedTo(directory)(LOCK_FILE);
  const lock = await untilTaken(
    request,
    POLL_MS,
    async () => (await tryLock(path)) ?? (await findHolder(request, database)),
    'If it hangs, or was stopped with Ctrl-Z, end that process: its lease ends with it.',
  );
  try {
    await database.transaction((query) => query(statements.replaceLease, [workspace, fence, holder]));
  } catch (error) {
    lock.release();
    throw error;
  }
  return {
    release: async () => {
      try {
        await database.transaction((query) => query(statements.releaseLease, [workspace, fence]));
      } finally {
        lock.release();
      }
    },
  };
}

/** A holder renews its lease so many times before it would end. */
const RENEWALS = 3;

/** A database that does not answer must not delay the end of a run for longer. */
const RELEASE_MAX_MS = 3_000;

/**
 * A lease in PostgreSQL ends `leaseSec` after the last renewal, by the clock of the database. A run
 * that lost it finds out with its next `begin`, because the row has the number of another lease.
 */
async function takePostgresLease(
  database: Database,
  leaseSec: number,
  request: LeaseRequest,
): Promise<HeldLease> {
  const { workspace, fence, holder, clock } = request;
  const { statements } = database;
  const leaseMs = leaseSec * 1000;
  const take = async (query: Query) =>
    (await query(statements.takeLease, [workspace, fence, holder, leaseMs]))[0];
  await untilTaken(
    request,
    POLL_MS,
    async () => (await database.transaction(take)) ?? (await findHolder(request, database)),
  );
  const ended = new AbortController();
  const renew = async () => {
    for (;;) {
      await clock.sleep(leaseMs / RENEWALS, ended.signal).catch(() => undefined);
      if (ended.signal.aborted) return;
      // The next renewal may succeed. If none does, another run may take the lease, and `begin` says so.
      await database
        .transaction((query) => query(statements.renewLease, [workspace, fence, leaseMs]))
        .catch(() => undefined);
    }
  };
  void renew();
  return {
    release: async () => {
      ended.abort();
      const released = database.transaction((query) => query(statements.releaseLease, [workspace, fence]));
      await waitAtMost(clock, RELEASE_MAX_MS, released).catch(() => undefined);
    },
  };
}

/** The run that has the lease in a database, for people. */
async function findHolder({ workspace }: LeaseRequest, database: Database): Promise<string> {
  const [row] = await database.read(database.statements.workspace, [workspace]);
  return typeof row?.['holder'] === 'string' ? row['holder'] : 'another run';
}

/** Tries again until the lease is taken. Rejects with `locked` if another run, named by its holder, has it for too long. */
export async function untilTaken<Taken extends object>(
  { waitMs, onWait, clock }: LeaseWait,
  pollMs: number,
  attempt: () => Promise<Taken | string>,
  ifGone = `If that run is gone for good: ${formatCommand('state', 'unlock')}`,
): Promise<Taken> {
  const startedMs = clock.monotonicMs();
  for (let isFirst = true; ; isFirst = false) {
    const taken = await attempt();
    if (typeof taken !== 'string') return taken;
    if (clock.monotonicMs() - startedMs >= waitMs) throw lockHeld(taken, ifGone);
    if (isFirst) onWait?.(taken);
    await clock.sleep(pollMs);
  }
}

/** The error while another run has the lease. `holder` says which, as far as it is known. */
function lockHeld(holder: string, ifGone: string): HeraldError {
  return new HeraldError(
    'locked',
    `Another herald run is active: ${holder}.`,
    `Wait for it to finish, then run the command again. Or let Herald wait: --lock-timeout 10m. ${ifGone}`,
  );
}
