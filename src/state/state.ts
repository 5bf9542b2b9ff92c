import { inShell } from '../domain/command-line.ts';
import { exportLines, importLines, type ImportSource } from './exchange.ts';
import { StateBranch, type BranchLocation, type BranchTip } from './git-branch.ts';
import { takeLease, type LeaseWait } from './lease.ts';
import { Postgres } from './postgres.ts';
import { leaseLost } from './problems.ts';
import { Requests, type Run } from './requests.ts';
import {
  OWN_WORKSPACE,
  SCHEMA_VERSION,
  type Fact,
  type HistoryFilter,
  type Known,
  type ObjectRow,
  type Past,
  type RequestRow,
} from './shapes.ts';
import type { Database, Query, Row } from './sql.ts';
import { Sqlite } from './sqlite.ts';

export type StateLocation =
  | { readonly kind: 'sqlite'; readonly directory: string }
  | {
      readonly kind: 'postgres';
      readonly url: string;
      readonly workspace: string;
      readonly leaseSec: number;
      readonly retrySec: number;
    }
  | ({ readonly kind: 'branch' } & BranchLocation);

export interface StateOptions extends Run {
  readonly location: StateLocation;
  /** Person, process, machine and CI job, for others that wait for the lease. */
  readonly holder: string;
  /** `live`, or the id of a simulator's world. Known after the first answer. */
  readonly service: () => string;
}

/** What a check of the state found. An empty list everywhere but in `services` is a state without a problem. */
export type StateReport = Awaited<ReturnType<State['check']>>;

/**
 * The record of what Herald did and knows, in SQLite or PostgreSQL. Few rules keep the promise: a request is recorded right
 * before its first byte leaves, an end and its facts are one transaction, and the database refuses a second start of a name or
 * a content while the first one may still take effect.
 */
export class State extends Requests {
  /** For messages: the path of the file, the address without its password, or the branch. */
  readonly name: string;

  private constructor(database: Database, options: StateOptions) {
    const { service, location } = options;
    const workspace = location.kind === 'postgres' ? location.workspace : OWN_WORKSPACE;
    super({ database, workspace, service }, options);
    this.name = location.kind === 'branch' ? `the branch ${location.branch}` : database.name;
  }

  /** Opens the state with the lease: one run at a time changes things. Rejects with `locked` after `waitMs`. */
  static async take(options: StateOptions, waitMs: number, onWait?: (holder: string) => void) {
    const { location, clock, run: fence, holder } = options;
    const wait = { waitMs, clock, ...(onWait === undefined ? {} : { onWait }) };
    if (location.kind === 'branch') return State.#takeBranch(options, location, wait);
    const state = await State.join(options);
    const request = { workspace: state.place.workspace, fence, holder, ...wait };
    const database = state.place.database;
    try {
      state.lease = await takeLease(database, location, request);
    } catch (error) {
      await database.close();
      throw error;
    }
    return state;
  }

  /**
   * Opens the state without the lease, for a stop by hand: it is recorded next to any other run, and nothing can be started. A
   * branch takes no rows from here, and the next run with its lease sees what was stopped.
   */
  static async join(options: StateOptions): Promise<State> {
    const { location, clock } = options;
    if (location.kind === 'branch') return State.openToRead(options);
    if (location.kind === 'sqlite') return new State(await Sqlite.open(location.directory), options);
    return new State(await Postgres.open({ ...location, clock }, location.workspace), options);
  }

  /** Opens the state to read. Creates nothing: a folder without a state reads as an empty one. */
  static async openToRead(options: StateOptions): Promise<State> {
    const { location } = options;
    if (location.kind === 'postgres') return State.join(options);
    if (location.kind === 'sqlite') return new State(await Sqlite.openToRead(location.directory), options);
    const tip = await new StateBranch(location).read();
    const database = await openBranch(location, tip);
    if (tip.lease !== null) await setLease(database, tip.lease.run, tip.lease.holder);
    return new State(database, options);
  }

  /** The run works in memory: what its job leaves behind on the disk is gone with the job. */
  static async #takeBranch(options: StateOptions, location: BranchLocation, wait: LeaseWait): Promise<State> {
    const { clock, run, holder } = options;
    const lease = { run, holder, taken_at: new Date(clock.now()).toISOString() };
    const branch = new StateBranch(location);
    const tip = await branch.take(lease, wait);
    try {
      const database = await openBranch(location, tip);
      await setLease(database, run, holder);
      const state = new State(database, options);
      state.lease = {
        release: async () => {
          let text = '';
          for await (const line of state.export()) text += line;
          await branch.giveBack({ commit: tip.commit, run }, text, clock);
        },
      };
      return state;
    } catch (error) {
      await branch.giveBack({ commit: tip.commit, run }, tip.text, clock);
      throw error;
    }
  }

  /** Records facts that follow from no request, such as a status that a list shows. */
  async learn(facts: readonly Fact[]): Promise<void> {
    if (facts.length === 0) return;
    await this.place.database.transaction((query) => this.recordFacts(query, facts));
  }

  /** What is known of these accounts, and of the whole workspace. */
  async known(accountIds: readonly string[]): Promise<Known> {
    const { objects, media, aliases } = this.statements;
    // The number comes first: a stop by hand that is recorded between these statements is news then, and not overlooked.
    const workspace = await this.#workspaceRow();
    return {
      objects: await this.#readEach(objects, accountIds),
      media: await this.#readEach(media, accountIds),
      aliases: await this.read(aliases),
      seq: Number(workspace?.['seq'] ?? 0),
      isCut: workspace?.['cut'] === 1,
    };
  }

  /** Objects on record as ours that nothing has stopped, on every account: also on those that the workspace no longer reads. */
  running(): Promise<readonly ObjectRow[]> {
    return this.read(this.statements.running);
  }

  allObjects(): Promise<readonly ObjectRow[]> {
    return this.read(this.statements.allObjects);
  }

  get service(): string {
    return this.place.service();
  }

  /** What ended requests still say about the objects of these accounts. */
  async past(accountIds: readonly string[]): Promise<Past> {
    const { statusTimes, refused } = this.statements;
    const times = await this.#readEach<{ seq: number; at: number }>(statusTimes, accountIds);
    return {
      statusTimes: new Map(times.map(({ seq, at }) => [seq, at])),
      refused: await this.#readEach(refused, accountIds),
    };
  }

  /** Requests of one name, of one account or of the workspace, newest first. */
  history(filter: HistoryFilter): Promise<readonly RequestRow[]> {
    const { request, history, historyOfName } = this.statements;
    const { address, account_id = null, entry, before_seq = Number.MAX_SAFE_INTEGER, limit } = filter;
    if (entry !== undefined) return this.read(request, entry);
    return address === undefined
      ? this.read(history, account_id, before_seq, limit)
      : this.read(historyOfName, address.account_id, address.kind, address.name, before_seq, limit);
  }

  export(): AsyncIterable<string> {
    return exportLines(this.place);
  }

  /** Adds the rows of an export to an empty workspace, all or none, marks it as cut, and returns their number. Needs the lease. */
  async import(source: ImportSource): Promise<number> {
    return this.#underLease(importLines(this.place, source, true));
  }

  /** Deletes requests that ended before a time, and returns their number. What is known of objects stays. Needs the lease. */
  async prune(beforeMs: number): Promise<number> {
    return (await this.#underLease((query) => this.ask(query, this.statements.prune, beforeMs))).length;
  }

  /**
   * The run has waited for one window, so the workspace is not cut any more. Who has stopped something while rows were lost is not
   * known, so each stop up to the number at which the run began counts as a person's from now on.
   */
  async endCut(beginSeq: number): Promise<void> {
    const { statements, place } = this;
    await this.#underLease(async (query) => {
      await query(statements.distrustStops, [place.workspace, beginSeq]);
      await this.ask(query, statements.endCut);
    });
  }

  /** Checks what no run looks at, without the service. Changes nothing. */
  async check() {
    const { database, workspace } = this.place;
    const { services, unconfirmed, sameNames } = database.statements;
    // What the database says of its own files. The rows of a damaged one say nothing.
    const damage = (await database.damage?.()) ?? [];
    const ask = async <Found>(text: string) => {
      const rows = damage.length > 0 ? [] : await database.read(text, [workspace]);
      return rows as unknown as readonly (Found & { readonly service: string })[];
    };
    return {
      damage,
      /** Rows of each service in this workspace: `live`, and the worlds of simulators. */
      services: (await ask<{ n: number }>(services)).map(({ service, n }) => ({ service, rows: n })),
      /** Requests that are unconfirmed, oldest first. */
      unconfirmed: await ask<RequestRow>(unconfirmed),
      /** Names that several objects on record run under. */
      same_names: await ask<Pick<ObjectRow, 'account_id' | 'kind' | 'name'> & { objects: number }>(sameNames),
    };
  }

  /**
   * The lease on record; null without one. The run may have ended without giving it back. `expires_at` is in epoch milliseconds
   * by the clock of PostgreSQL; null for a lease that does not expire.
   */
  async leaseRecord() {
    const { holder, expires_at } = (await this.#workspaceRow()) ?? {};
    if (typeof holder !== 'string') return null;
    return { holder, expires_at: typeof expires_at === 'number' ? expires_at : null };
  }

  /** Ends the lease of a run that is gone, and marks the workspace as cut. Returns its holder; null if no run has it. */
  static async unlock(options: StateOptions): Promise<string | null> {
    const { location } = options;
    if (location.kind === 'branch') return (await new StateBranch(location).unlock())?.holder ?? null;
    const state = await State.join(options);
    try {
      const { fence, holder } = (await state.#workspaceRow()) ?? {};
      if (typeof fence !== 'string') return null;
      const database = state.place.database;
      const isEnded = await database.transaction(async (query, attempt) => {
        const rows = await query(database.statements.breakLease, [state.place.workspace, fence]);
        return rows.length > 0 || attempt > 1;
      });
      return isEnded ? String(holder) : null;
    } finally {
      await state.close();
    }
  }

  /** Can be run again. A new workspace counts as cut, because it may stand for one that was lost. */
  static async setUp({ location, clock }: Pick<StateOptions, 'location' | 'clock'>): Promise<void> {
    if (location.kind !== 'postgres') return;
    const database = new Postgres({ ...location, clock });
    try {
      await database.createTables();
      await addWorkspace(database, location.workspace, true);
    } finally {
      await database.close();
    }
  }

  /** Gives the lease back, and closes the database. */
  async close(): Promise<void> {
    const lease = this.lease;
    this.lease = null;
    try {
      await lease?.release();
    } finally {
      await this.place.database.close();
    }
  }

  async #readEach<Found>(statement: string, accountIds: readonly string[]): Promise<readonly Found[]> {
    const rows: Found[] = [];
    for (const id of accountIds) for (const row of await this.read<Found>(statement, id)) rows.push(row);
    return rows;
  }

  async #workspaceRow(): Promise<Row | undefined> {
    const [row] = await this.place.database.read(this.statements.workspace, [this.place.workspace]);
    return row;
  }

  /** Work of a run with the lease, in one transaction that checks it. */
  async #underLease<Result>(work: (query: Query, attempt: number) => Promise<Result>): Promise<Result> {
    if (this.lease === null) throw leaseLost();
    return this.place.database.transaction(async (query, attempt) => {
      if ((await this.nextSeq(query, this.run.run)) === null) throw leaseLost();
      return work(query, attempt);
    });
  }
}

async function addWorkspace(database: Database, workspace: string, isCut: boolean): Promise<void> {
  await database.transaction((query) =>
    query(database.statements.addWorkspace, [workspace, isCut ? 1 : 0, SCHEMA_VERSION]),
  );
}

/** A lease that a lock, or a commit on a branch, has decided. */
async function setLease(database: Database, run: string, holder: string): Promise<void> {
  await database.transaction((query) =>
    query(database.statements.replaceLease, [OWN_WORKSPACE, run, holder]),
  );
}

/** A branch that is missing, or that no run has returned yet, may be one that was lost: it counts as cut. */
async function openBranch({ branch, remote }: BranchLocation, { text }: BranchTip): Promise<Database> {
  const lines = text.split('\n').filter((line) => line !== '');
  const database = await Sqlite.inMemory(`the branch ${branch}`);
  await addWorkspace(database, OWN_WORKSPACE, lines.length === 0);
  if (lines.length === 0) return database;
  const ref = `refs/heads/${branch}`;
  const source = {
    name: `the branch ${branch}`,
    lines,
    next: `Set the branch back to its last good commit (git log ${remote}/${branch}), or delete it, and the next run waits before it starts anything: git push ${inShell(remote)} --delete ${inShell(ref)}`,
  };
  await database.transaction(importLines({ database, workspace: OWN_WORKSPACE }, source, false));
  return database;
}
