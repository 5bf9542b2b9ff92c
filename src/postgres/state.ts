import type { Diagnostic } from '../domain/diagnostic.ts';
import type { EventStore } from '../domain/event-store.ts';
import type { SharedState } from '../domain/ledger-store.ts';
import type { Clock } from '../domain/ports.ts';
import { Database } from './database.ts';
import { postgresEventStore } from './event-store.ts';
import { inspectWorkspace } from './inspect.ts';
import { postgresLeases } from './lease.ts';
import type { OnLongReading } from './ledger-lines.ts';
import { postgresLedgerStore } from './ledger-store.ts';
import { migrate } from './migrations.ts';
import { postgresRates } from './rate-store.ts';
import type { RepositoryIdentity } from '../domain/repository.ts';
import { StateWorkspace } from './workspace.ts';

export interface PostgresStateOptions {
  /** `postgres://user:password@host/database`. TLS is on unless the host is this machine. */
  readonly url: string;
  /** The variable that the address is from, for messages. */
  readonly variable?: string;
  /** What is known of the repository of the workspace. */
  readonly repository?: RepositoryIdentity;
  /** The name of the workspace in the database. Several workspaces can share a database. */
  readonly workspace: string;
  readonly clock: Clock;
  /** Who runs, for others that wait for the lease: person, process, machine and CI job. */
  readonly holder: string;
  /** Seconds after which a run that does not renew its lease has lost it. */
  readonly leaseSec: number;
  /** Seconds for which a line is sent again while the database cannot be reached. */
  readonly retrySec: number;
  /** Called before a long ledger is read. */
  readonly onLongReading?: OnLongReading;
}

/** Shared state in a database, and what `herald state init` does to it. */
export interface PostgresState extends SharedState {
  /**
   * Creates the schema or brings it to this version, and adds the workspace. Returns the versions that were added. A
   * workspace of another repository is refused, unless `adopts` takes it over.
   */
  init(adopts?: boolean): Promise<readonly number[]>;
  /** What is wrong with the workspace, or cannot be done by this user. Changes nothing. */
  inspect(): Promise<readonly Diagnostic[]>;
  /** The address without its password, and the name of the workspace. */
  readonly name: string;
  readonly events: EventStore;
  close(): Promise<void>;
}

const UNKNOWN_REPOSITORY: RepositoryIdentity = { remotes: [], service: null };

/** The ledger, the lease and the rates of a workspace in a PostgreSQL database, for several people and machines. */
export function postgresState(options: PostgresStateOptions): PostgresState {
  const {
    url,
    clock,
    retrySec,
    workspace: name,
    leaseSec,
    holder,
    variable = 'HERALD_STATE_URL',
    repository = UNKNOWN_REPOSITORY,
    onLongReading,
  } = options;
  const database = new Database({ url, clock, retrySec });
  const workspace = new StateWorkspace(database, name, { variable, repository });
  const rates = postgresRates(database);
  return {
    ledger: postgresLedgerStore(workspace, onLongReading),
    leases: postgresLeases(workspace, { clock, leaseSec, holder }),
    rates,
    init: async (adopts = false) => {
      const added = await migrate(database);
      await workspace.add(adopts);
      return added;
    },
    events: postgresEventStore(workspace),
    inspect: () => inspectWorkspace(workspace),
    name: database.name,
    close: async () => {
      await rates.end();
      await database.close();
    },
  };
}
