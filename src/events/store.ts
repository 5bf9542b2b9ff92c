import type { StoredEvent } from './event.ts';
import type { Clock } from '../domain/ports.ts';
import type { Place } from '../state/sql.ts';
import type { StateLocation } from '../state/state.ts';

/** A body has up to 1 MiB. */
const PAGE_EVENTS = 100;

/** Selects events before they are parsed, because most readers need few of many. */
export interface EventFilter {
  /** Received at this instant or later (ISO 8601, UTC). */
  readonly since?: string;
  /** How the kind begins. */
  readonly kind?: string;
}

interface EventStorePorts {
  readonly location: () => Promise<StateLocation>;
  /** Absolute path of the workspace's folder. */
  readonly directory: string;
  readonly clock: Clock;
}

type EventTable = Pick<Place, 'database' | 'workspace'>;

/** The events of a workspace: in the database of its state, or in a file next to it. It is opened with the first use. */
export class EventStore {
  readonly #ports: EventStorePorts;
  /** All that write share a connection until the process ends: a second one would block both. */
  #writing: Promise<EventTable> | null = null;

  constructor(ports: EventStorePorts) {
    this.#ports = ports;
  }

  /**
   * Resolves once the event is durable, with false if it was there already. Rejects if it is not stored. Events become visible in
   * the order of their numbers: the transaction holds the row of the workspace.
   */
  async add(event: StoredEvent): Promise<boolean> {
    const { database, workspace } = await this.#toWrite();
    const { statements } = database;
    const { key, received_at, kind } = event;
    return database.transaction(async (query) => {
      const [row] = await query(statements.nextSeq, [workspace, null]);
      const about = [workspace, Number(row?.['seq']), key, Date.parse(received_at), kind];
      return (await query(statements.addEvent, [...about, JSON.stringify(event)])).length > 0;
    });
  }

  /** Rejects if no event can be stored now. */
  async check(): Promise<void> {
    const { database, workspace } = await this.#toWrite();
    await database.transaction((query) => query(database.statements.nextSeq, [workspace, null]));
  }

  /** Gives the events that were there at its begin with their numbers, in the order of storing. Creates no file. */
  async read(take: (event: StoredEvent, number: number) => void, filter: EventFilter = {}): Promise<void> {
    const { kind } = await this.#ports.location();
    if (kind === 'postgres' || this.#writing !== null) return readAll(await this.#toWrite(), take, filter);
    const table = await this.#openFile('openToRead');
    try {
      await readAll(table, take, filter);
    } finally {
      await table.database.close();
    }
  }

  /** Removes what was received before this instant (ISO 8601, UTC). */
  async dropBefore(instant: string): Promise<void> {
    const { database, workspace } = await this.#toWrite();
    const values = [workspace, Date.parse(instant)];
    await database.transaction((query) => query(database.statements.dropEvents, values));
  }

  /** Removes the events with these numbers. Resolves with how many were there. */
  async erase(numbers: readonly number[]): Promise<number> {
    const { database, workspace } = await this.#toWrite();
    const erased = await database.transaction(async (query) => {
      let rows = 0;
      for (const number of numbers)
        rows += (await query(database.statements.eraseEvent, [workspace, number])).length;
      return rows;
    });
    await database.scrub?.();
    return erased;
  }

  async #toWrite(): Promise<EventTable> {
    const { location, clock } = this.#ports;
    const place = await location();
    this.#writing ??=
      place.kind === 'postgres'
        ? import('../state/postgres.ts').then(async (postgres) => ({
            database: await postgres.Postgres.open({ ...place, clock }, place.workspace),
            workspace: place.workspace,
          }))
        : this.#openFile('open');
    this.#writing.catch(() => (this.#writing = null));
    return this.#writing;
  }

  async #openFile(open: 'open' | 'openToRead'): Promise<EventTable> {
    const { EVENTS_FILE, Sqlite } = await import('../state/sqlite.ts');
    // Every command has this store, and the shapes of the state load all of zod.
    const { OWN_WORKSPACE } = await import('../state/shapes.ts');
    const database = await Sqlite[open](this.#ports.directory, EVENTS_FILE);
    return { database, workspace: OWN_WORKSPACE };
  }
}

async function readAll(
  { database, workspace }: EventTable,
  take: (event: StoredEvent, number: number) => void,
  { since, kind }: EventFilter,
): Promise<void> {
  const { statements } = database;
  const [row] = await database.read(statements.workspace, [workspace]);
  const end = Number(row?.['seq'] ?? 0);
  const sinceMs = since === undefined ? 0 : Date.parse(since);
  for (let after = 0; ;) {
    const values = [workspace, after, end, sinceMs, kind ?? null, PAGE_EVENTS];
    const rows = await database.read(statements.events, values);
    for (const { seq, body } of rows) {
      after = Number(seq);
      take(JSON.parse(String(body)) as StoredEvent, after);
    }
    if (rows.length < PAGE_EVENTS) return;
  }
}
