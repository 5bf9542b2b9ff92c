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
export function openEventStore(ports: EventStorePorts) {
  const { toRead, toWrite } = openTables(ports);
  return {
    /** Resolves once the event is durable, with false if it was there already. Rejects if it is not stored. */
    add: async (event: StoredEvent): Promise<boolean> => addEvent(await toWrite(), event),
    /** Rejects if no event can be stored now. */
    check: async (): Promise<void> => {
      const { database, workspace } = await toWrite();
      await database.transaction((query) => query(database.statements.nextSeq, [workspace, null]));
    },
    /** Gives the events that were there at its begin with their numbers, in the order of storing. */
    read: (take: (event: StoredEvent, number: number) => void, filter: EventFilter = {}): Promise<void> =>
      toRead((table) => readAll(table, take, filter)),
    /** Removes what was received before this instant (ISO 8601, UTC). */
    dropBefore: async (instant: string): Promise<void> => {
      const { database, workspace } = await toWrite();
      const values = [workspace, Date.parse(instant)];
      await database.transaction((query) => query(database.statements.dropEvents, values));
    },
    /** Removes the events with these numbers. Resolves with how many were there. */
    erase: async (numbers: readonly number[]): Promise<number> => erase(await toWrite(), numbers),
  };
}

export type EventStore = ReturnType<typeof openEventStore>;

/** All that write share a connection until the process ends: a second one would block both. */
function openTables({ location, directory, clock }: EventStorePorts) {
  let writing: Promise<EventTable> | null = null;
  const toWrite = async (): Promise<EventTable> => {
    const place = await location();
    writing ??=
      place.kind === 'postgres'
        ? import('../state/postgres.ts').then(async (postgres) => ({
            database: await postgres.Postgres.open({ ...place, clock }, place.workspace),
            workspace: place.workspace,
          }))
        : openFile(directory, 'open');
    writing.catch(() => (writing = null));
    return writing;
  };
  /** Creates no file. */
  const toRead = async <Result>(work: (table: EventTable) => Promise<Result>): Promise<Result> => {
    const { kind } = await location();
    if (kind === 'postgres' || writing !== null) return work(await toWrite());
    const table = await openFile(directory, 'openToRead');
    try {
      return await work(table);
    } finally {
      await table.database.close();
    }
  };
  return { toRead, toWrite };
}

async function openFile(directory: string, open: 'open' | 'openToRead'): Promise<EventTable> {
  const { EVENTS_FILE, Sqlite } = await import('../state/sqlite.ts');
  // Every command has this store, and the shapes of the state load all of zod.
  const { OWN_WORKSPACE } = await import('../state/shapes.ts');
  return { database: await Sqlite[open](directory, EVENTS_FILE), workspace: OWN_WORKSPACE };
}

/** Events become visible in the order of their numbers: a transaction that adds one holds the row of the workspace. */
function addEvent({ database, workspace }: EventTable, event: StoredEvent): Promise<boolean> {
  const { statements } = database;
  const { key, received_at, kind } = event;
  return database.transaction(async (query) => {
    const [row] = await query(statements.nextSeq, [workspace, null]);
    const values = [
      workspace,
      Number(row?.['seq']),
      key,
      Date.parse(received_at),
      kind,
      JSON.stringify(event),
    ];
    return (await query(statements.addEvent, values)).length > 0;
  });
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

async function erase({ database, workspace }: EventTable, numbers: readonly number[]): Promise<number> {
  const erased = await database.transaction(async (query) => {
    let rows = 0;
    for (const number of numbers)
      rows += (await query(database.statements.eraseEvent, [workspace, number])).length;
    return rows;
  });
  await database.scrub?.();
  return erased;
}
