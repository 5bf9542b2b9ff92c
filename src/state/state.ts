import type { Clock } from '../domain/ports.ts';
import { StateError } from '../domain/state-error.ts';
import { exportLines, importLines, type Imported, type ImportSource } from './exchange.ts';
import { history, prune, stopsSince } from './history.ts';
import { takeFileLease, takePostgresLease, type HeldLease } from './lease.ts';
import { known, learn, running } from './objects.ts';
import type { Place } from './place.ts';
import { Postgres, requireWorkspace } from './postgres.ts';
import { Requests, type Ending } from './requests.ts';
import { SCHEMA_VERSION } from './schema.ts';
import type {
  Begun,
  Fact,
  HistoryFilter,
  Known,
  NewRequest,
  ObjectRow,
  OpenRequest,
  RequestRow,
  StartCheck,
} from './shapes.ts';
import type { Database, Row } from './sql.ts';
import { openSqlite, openSqliteToRead } from './sqlite.ts';

/** Where the state of a workspace is. */
export type StateLocation =
  | { readonly kind: 'sqlite'; readonly directory: string }
  | {
      readonly kind: 'postgres';
      readonly url: string;
      readonly workspace: string;
      readonly leaseSec: number;
      readonly retrySec: number;
    };

export interface StateOptions {
  readonly location: StateLocation;
  readonly clock: Clock;
  /** The id of this run: random, and part of the name of each of its requests. */
  readonly run: string;
  /** The person, for the history. */
  readonly who: string | null;
  /** Person, process, machine and CI job, for others that wait for the lease. */
  readonly holder: string;
  /** `live`, or the id of a simulator's world. Known after the first answer. */
  readonly service: () => string;
}

/** The name of the workspace in a file: a folder has one. */
const OWN_WORKSPACE = 'workspace';

/**
 * The record of what Herald did and knows, in SQLite or PostgreSQL. Few rules keep the promise: a request is recorded right
 * before its first byte leaves, an end and its facts are one transaction, and the database refuses a second start of a name or
 * a content while the first one may still take effect.
 */
export class State {
  readonly name: string;
  readonly #database: Database;
  readonly #options: StateOptions;
  readonly #place: Place;
  readonly #requests: Requests;
  #lease: HeldLease | null = null;

  private constructor(database: Database, workspace: string, options: StateOptions) {
    const { run: id, who, clock, service } = options;
    this.name = database.name;
    this.#database = database;
    this.#options = options;
    this.#place = { database, workspace, service };
    this.#requests = new Requests(
      this.#place,
      { id, who, fence: () => (this.#lease === null ? null : id) },
      clock,
    );
  }

  /** Opens the state to read and write. A file is created where there is none; a database has to be set up. */
  static async open(options: StateOptions): Promise<State> {
    const { location, clock } = options;
    if (location.kind === 'sqlite') {
      const database = await openSqlite(location.directory);
      const { addWorkspace } = database.statements;
      const isCut = database.wasLost ? 1 : 0;
      await database.transaction((query) => query(addWorkspace, [OWN_WORKSPACE, isCut, SCHEMA_VERSION]));
      return new State(database, OWN_WORKSPACE, options);
    }
    const { url, retrySec, workspace } = location;
    const state = new State(new Postgres({ url, clock, retrySec }), workspace, options);
    await state.#requireSetup();
    return state;
  }

  /** Opens the state to read. Creates nothing: a folder without a state reads as an empty one. */
  static async openToRead(options: StateOptions): Promise<State> {
    const { location } = options;
    if (location.kind === 'postgres') return State.open(options);
    return new State(await openSqliteToRead(location.directory), OWN_WORKSPACE, options);
  }

  /** Takes the lease: one run at a time changes things. Rejects with `LockHeldError`. */
  async take(waitMs: number, onWait?: (holder: string) => void): Promise<void> {
    const { location, clock, run: fence, holder } = this.#options;
    const request = {
      workspace: this.#place.workspace,
      fence,
      holder,
      waitMs,
      clock,
      ...(onWait === undefined ? {} : { onWait }),
    };
    const database = this.#database;
    if (location.kind === 'sqlite') this.#lease = await takeFileLease(database, location.directory, request);
    else if (database instanceof Postgres)
      this.#lease = await takePostgresLease(database, location.leaseSec, request);
  }

  /** Records a request right before its first byte leaves. `check` is what a start must not overlook; null for all else. */
  begin(request: NewRequest, check: StartCheck | null): Promise<Begun> {
    return this.#requests.begin(request, check);
  }

  /** Records that one more copy of a request leaves. */
  repeat(
    request: Parameters<Requests['repeat']>[0],
    how: { readonly check: StartCheck | null; readonly unheard: boolean },
  ): Promise<Begun> {
    return this.#requests.repeat(request, how);
  }

  /** Records how a request ended, and what follows from it. False if it had ended before. */
  end(entry: string, ending: Ending, facts: readonly Fact[] = []): Promise<boolean> {
    return this.#requests.end(entry, ending, facts);
  }

  /** Records facts that follow from no request, such as a status that a list shows. */
  learn(facts: readonly Fact[]): Promise<void> {
    return learn(this.#place, facts);
  }

  /** Requests that may still take effect. Their age counts from when this process first knew them: call it after `take`. */
  open(): Promise<readonly OpenRequest[]> {
    return this.#requests.open();
  }

  /** What is known of these accounts. */
  known(accountIds: readonly string[]): Promise<Known> {
    return known(this.#place, accountIds);
  }

  /** Objects on record as running, on every account of this service. */
  running(): Promise<readonly ObjectRow[]> {
    return running(this.#place);
  }

  /** Stops by hand that were recorded after a number. */
  stopsSince(seq: number): Promise<readonly RequestRow[]> {
    return stopsSince(this.#place, seq);
  }

  history(filter: HistoryFilter): Promise<readonly RequestRow[]> {
    return history(this.#place, filter);
  }

  /** The workspace as lines of JSON. */
  export(): AsyncIterable<string> {
    return exportLines(this.#database, this.#place.workspace);
  }

  /** Adds the rows of an export to an empty workspace, all or none, and marks it as cut. Needs the lease. */
  import(source: ImportSource): Promise<Imported> {
    this.#requireLease();
    return importLines(this.#database, this.#place.workspace, source, true);
  }

  /** Deletes requests that ended before a time, and returns their number. Needs the lease. */
  prune(beforeMs: number): Promise<number> {
    this.#requireLease();
    return prune(this.#place, beforeMs);
  }

  /** The run has waited for one window, and what it found stopped is on record: the workspace is not cut any more. */
  async endCut(): Promise<void> {
    const { setCut } = this.#database.statements;
    await this.#database.transaction((query) => query(setCut, [this.#place.workspace, 0]));
  }

  /** Ends the lease of a run that is gone, and marks the workspace as cut. Null if no run has it. */
  async unlock(): Promise<string | null> {
    const row = await this.#workspaceRow();
    const { fence, holder } = row ?? {};
    if (typeof fence !== 'string') return null;
    const { breakLease } = this.#database.statements;
    const ended = await this.#database.transaction((query) =>
      query(breakLease, [this.#place.workspace, fence]),
    );
    return ended.length === 0 ? null : String(holder);
  }

  /** Creates the tables of a database and adds this workspace. Running it again changes nothing. */
  static async setUp({ location, clock }: Pick<StateOptions, 'location' | 'clock'>): Promise<void> {
    if (location.kind === 'sqlite') return;
    const database = new Postgres({ url: location.url, clock, retrySec: location.retrySec });
    try {
      await database.createTables();
      const { addWorkspace } = database.statements;
      await database.transaction((query) => query(addWorkspace, [location.workspace, 0, SCHEMA_VERSION]));
    } finally {
      await database.close();
    }
  }

  /** Gives the lease back. */
  async release(): Promise<void> {
    const lease = this.#lease;
    this.#lease = null;
    await lease?.release();
  }

  async close(): Promise<void> {
    await this.release();
    await this.#database.close();
  }

  async #requireSetup(): Promise<void> {
    try {
      requireWorkspace(await this.#workspaceRow(), this.#database, this.#place.workspace);
    } catch (error) {
      await this.#database.close();
      throw error;
    }
  }

  async #workspaceRow(): Promise<Row | undefined> {
    const [row] = await this.#database.read(this.#database.statements.workspace, [this.#place.workspace]);
    return row;
  }

  #requireLease(): void {
    if (this.#lease !== null) return;
    throw new StateError(
      'state-lease-lost',
      'This needs the lease of the workspace.',
      'Run the command again.',
    );
  }
}
