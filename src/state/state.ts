import type { Clock } from '../domain/ports.ts';
import { StateError } from '../domain/state-error.ts';
import { exportLines, importLines, type Imported, type ImportSource } from './exchange.ts';
import {
  readBranch,
  returnBranch,
  takeBranch,
  unlockBranch,
  type BranchLocation,
  type BranchTip,
} from './git-branch.ts';
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
import { openSqlite, openSqliteInMemory, openSqliteToRead } from './sqlite.ts';

/** Where the state of a workspace is. */
export type StateLocation =
  | { readonly kind: 'sqlite'; readonly directory: string }
  | {
      readonly kind: 'postgres';
      readonly url: string;
      readonly workspace: string;
      readonly leaseSec: number;
      readonly retrySec: number;
    }
  /** `scratch` is an empty folder for the file that a run with the lease works in. */
  | ({ readonly kind: 'branch'; readonly scratch: string } & BranchLocation);

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
  readonly #place: Place;
  readonly #requests: Requests;
  #lease: HeldLease | null = null;

  private constructor(database: Database, options: StateOptions) {
    const { run: id, who, clock, service, location } = options;
    const workspace = location.kind === 'postgres' ? location.workspace : OWN_WORKSPACE;
    this.name = location.kind === 'branch' ? `the branch ${location.branch}` : database.name;
    this.#database = database;
    this.#place = { database, workspace, service };
    this.#requests = new Requests(
      this.#place,
      { id, who, fence: () => (this.#lease === null ? null : id) },
      clock,
    );
  }

  /** Opens the state with the lease: one run at a time changes things. Rejects with `LockHeldError` after `waitMs`. */
  static async take(
    options: StateOptions,
    waitMs: number,
    onWait?: (holder: string) => void,
  ): Promise<State> {
    const { location, clock, run: fence, holder } = options;
    const wait = { waitMs, clock, ...(onWait === undefined ? {} : { onWait }) };
    if (location.kind === 'branch') return State.#takeBranch(options, location, wait);
    const state = await State.join(options);
    const request = { workspace: state.#place.workspace, fence, holder, ...wait };
    const database = state.#database;
    try {
      if (location.kind === 'sqlite')
        state.#lease = await takeFileLease(database, location.directory, request);
      else if (database instanceof Postgres)
        state.#lease = await takePostgresLease(database, location.leaseSec, request);
    } catch (error) {
      await database.close();
      throw error;
    }
    return state;
  }

  /**
   * Opens the state without the lease, for a stop by hand: it is recorded next to any other run. A branch takes no rows from here, and the
   * next run with its lease sees what was stopped.
   */
  static async join(options: StateOptions): Promise<State> {
    const { location, clock } = options;
    if (location.kind === 'branch') return State.openToRead(options);
    if (location.kind === 'sqlite') {
      const database = await openSqlite(location.directory);
      await addOwnWorkspace(database, database.wasLost);
      return new State(database, options);
    }
    const { url, retrySec } = location;
    const state = new State(new Postgres({ url, clock, retrySec }), options);
    await state.#requireSetup();
    return state;
  }

  /** Opens the state to read. Creates nothing: a folder without a state reads as an empty one. */
  static async openToRead(options: StateOptions): Promise<State> {
    const { location } = options;
    if (location.kind === 'postgres') return State.join(options);
    if (location.kind === 'sqlite') return new State(await openSqliteToRead(location.directory), options);
    const database = await openSqliteInMemory(location.branch);
    await importBranch(database, location, await readBranch(location));
    return new State(database, options);
  }

  static async #takeBranch(
    options: StateOptions,
    location: BranchLocation & { readonly scratch: string },
    wait: Parameters<typeof takeBranch>[2],
  ): Promise<State> {
    const { clock, run, holder } = options;
    const lease = { run, holder, taken_at: new Date(clock.now()).toISOString() };
    const tip = await takeBranch(location, lease, wait);
    const database = await openSqlite(location.scratch);
    await importBranch(database, location, tip);
    const state = new State(database, options);
    const held = await takeFileLease(database, location.scratch, {
      workspace: OWN_WORKSPACE,
      fence: run,
      holder,
      waitMs: 0,
      clock,
    });
    state.#lease = {
      release: async () => {
        await held.release();
        let lines = '';
        for await (const line of state.export()) lines += line;
        await returnBranch(location, tip.commit, lines, clock);
      },
    };
    return state;
  }

  /** Records a request right before its first byte leaves. `check` is what a start must not overlook; null for all else. */
  begin(request: NewRequest, check: StartCheck | null): Promise<Begun> {
    return this.#requests.begin(request, check);
  }

  /** Records that one more copy of a request leaves. */
  repeat(
    request: Parameters<Requests['repeat']>[0],
    how: { readonly check: StartCheck | null; readonly unheard_copy: boolean },
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

  /** Ends the lease of a run that is gone, and marks the workspace as cut. Returns its holder; null if no run has it. */
  static async unlock(options: StateOptions): Promise<string | null> {
    const { location } = options;
    if (location.kind === 'branch') return (await unlockBranch(location))?.holder ?? null;
    const state = await State.join(options);
    try {
      const row = await state.#workspaceRow();
      const { fence, holder } = row ?? {};
      if (typeof fence !== 'string') return null;
      const database = state.#database;
      const ended = await database.transaction((query) =>
        query(database.statements.breakLease, [state.#place.workspace, fence]),
      );
      return ended.length === 0 ? null : String(holder);
    } finally {
      await state.close();
    }
  }

  /** Creates the tables of a database and adds this workspace. Running it again changes nothing. */
  static async setUp({ location, clock }: Pick<StateOptions, 'location' | 'clock'>): Promise<void> {
    if (location.kind !== 'postgres') return;
    const database = new Postgres({ url: location.url, clock, retrySec: location.retrySec });
    try {
      await database.createTables();
      const { addWorkspace } = database.statements;
      await database.transaction((query) => query(addWorkspace, [location.workspace, 0, SCHEMA_VERSION]));
    } finally {
      await database.close();
    }
  }

  /** Gives the lease back, and closes the database. */
  async close(): Promise<void> {
    const lease = this.#lease;
    this.#lease = null;
    try {
      await lease?.release();
    } finally {
      await this.#database.close();
    }
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

async function addOwnWorkspace(database: Database, isCut: boolean): Promise<void> {
  const { addWorkspace } = database.statements;
  await database.transaction((query) => query(addWorkspace, [OWN_WORKSPACE, isCut ? 1 : 0, SCHEMA_VERSION]));
}

/** A branch without lines is one that no run has returned yet. */
async function importBranch(
  database: Database,
  { branch }: BranchLocation,
  { lines }: BranchTip,
): Promise<void> {
  await addOwnWorkspace(database, false);
  if (lines.length === 0) return;
  const source = { name: `the branch ${branch}`, lines };
  await importLines(database, OWN_WORKSPACE, source, false);
}
