import type { EventFilter, EventPosition, StoredEvent } from './stored-event.ts';
import type { Clock } from '../domain/ports.ts';
import { OWN_WORKSPACE, SCHEMA_VERSION } from '../state/schema.ts';
import type { Database } from '../state/sql.ts';
import type { StateLocation } from '../state/state.ts';

/** A body has up to 1 MiB. */
const PAGE_EVENTS = 100;

interface EventStorePorts {
  readonly location: () => Promise<StateLocation>;
  /** Absolute path of the workspace's folder. */
  readonly directory: string;
  readonly clock: Clock;
}

/** The table of a workspace. */
interface EventTable {
  readonly database: Database;
  readonly workspace: string;
}

/** The events of a workspace: in the database of its state, or in a file next to it. It is opened with the first use. */
export function openEventStore(ports: EventStorePorts) {
  const { toRead, toWrite } = openTables(ports);
  return {
    /** Resolves once the event is durable, with false if it was there already. Rejects if it is not stored. */
    add: batchEvents(async (events) => addEvents(await toWrite(), events)),
    /** Rejects if no event can be stored now. */
    check: async (): Promise<void> => {
      const { database, workspace } = await toWrite();
      await database.transaction((query) => query(database.statements.nextSeq, [workspace, null]));
    },
    /**
     * Gives what was stored after the position, in the order of storing. Resolves with the position to go on from, which is after
     * all events that were there at its begin.
     */
    read: (
      from: EventPosition,
      take: (event: StoredEvent, position: EventPosition) => void,
      filter: EventFilter = {},
    ): Promise<EventPosition> => toRead((table) => readAfter(table, from, take, filter)),
    /** The position after everything that is stored. Reads no events. */
    end: (): Promise<EventPosition> => toRead(readLastPosition),
    /** Removes what was received before this instant (ISO 8601, UTC). */
    dropBefore: async (instant: string): Promise<void> => {
      const { database, workspace } = await toWrite();
      const values = [workspace, Date.parse(instant)];
      await database.transaction((query) => query(database.statements.dropEvents, values));
    },
    /** Removes the events at these positions. Resolves with the number. */
    erase: async (positions: readonly EventPosition[]): Promise<number> => erase(await toWrite(), positions),
  };
}

/** Where the events of a workspace are kept. Events are added and never changed. */
export type EventStore = ReturnType<typeof openEventStore>;

/**
 * All that write share a connection, which stays open until the process ends: another one of the same process would wait for it,
 * and keep it from going on.
 */
function openTables({ location, directory, clock }: EventStorePorts) {
  let writing: Promise<Database> | null = null;
  const toWrite = async (): Promise<EventTable> => {
    const place = await location();
    writing ??=
      place.kind === 'postgres'
        ? import('../state/postgres.ts').then((postgres) =>
            postgres.openPostgres({ ...place, clock }, place.workspace),
          )
        : openFile(directory);
    writing.catch(() => (writing = null));
    return {
      database: await writing,
      workspace: place.kind === 'postgres' ? place.workspace : OWN_WORKSPACE,
    };
  };
  /** Creates no file. */
  const toRead = async <Result>(work: (table: EventTable) => Promise<Result>): Promise<Result> => {
    const { kind } = await location();
    if (kind === 'postgres' || writing !== null) return work(await toWrite());
    const { EVENTS_FILE, openSqliteToRead } = await import('../state/sqlite.ts');
    const database = await openSqliteToRead(directory, EVENTS_FILE);
    try {
      return await work({ database, workspace: OWN_WORKSPACE });
    } finally {
      await database.close();
    }
  };
  return { toRead, toWrite };
}

async function openFile(directory: string): Promise<Database> {
  const { EVENTS_FILE, openSqlite } = await import('../state/sqlite.ts');
  const database = await openSqlite(directory, EVENTS_FILE);
  const { addWorkspace } = database.statements;
  await database.transaction((query) => query(addWorkspace, [OWN_WORKSPACE, 0, SCHEMA_VERSION]));
  return database;
}

/** What arrives during a write goes into the next one, so that a slow disk is waited for once for all of it. */
function batchEvents(write: (events: readonly StoredEvent[]) => Promise<readonly boolean[]>) {
  let next: { readonly events: StoredEvent[]; readonly areNew: Promise<readonly boolean[]> } | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const beginBatch = () => {
    const events: StoredEvent[] = [];
    const areNew = last.then(() => {
      next = null;
      return write(events);
    });
    last = areNew.catch(() => undefined);
    return { events, areNew };
  };
  return async (event: StoredEvent): Promise<boolean> => {
    next ??= beginBatch();
    const index = next.events.push(event) - 1;
    return (await next.areNew)[index] === true;
  };
}

/** Events become visible in the order of their numbers: a transaction that adds some holds the row of the workspace. */
function addEvents(
  { database, workspace }: EventTable,
  events: readonly StoredEvent[],
): Promise<readonly boolean[]> {
  const { nextSeq, addEvent } = database.statements;
  return database.transaction(async (query) => {
    const areNew: boolean[] = [];
    for (const event of events) {
      const [row] = await query(nextSeq, [workspace, null]);
      const { key, received_at, kind } = event;
      const values = [workspace, Number(row?.['seq']), key, Date.parse(received_at), kind];
      areNew.push((await query(addEvent, [...values, JSON.stringify(event)])).length > 0);
    }
    return areNew;
  });
}

async function readLastPosition({ database, workspace }: EventTable): Promise<EventPosition> {
  const [row] = await database.read(database.statements.workspace, [workspace]);
  return Number(row?.['seq'] ?? 0);
}

async function readAfter(
  table: EventTable,
  from: EventPosition,
  take: (event: StoredEvent, position: EventPosition) => void,
  { since, kind }: EventFilter,
): Promise<EventPosition> {
  const { database, workspace } = table;
  const end = await readLastPosition(table);
  const sinceMs = since === undefined ? 0 : Date.parse(since);
  for (let after = from; ;) {
    const values = [workspace, after, end, sinceMs, kind ?? null, PAGE_EVENTS];
    const rows = await database.read(database.statements.events, values);
    for (const { seq, body } of rows) {
      after = Number(seq);
      take(JSON.parse(String(body)) as StoredEvent, after);
    }
    if (rows.length < PAGE_EVENTS) return end;
  }
}

/** Resolves with the number of events that were there. */
async function erase(
  { database, workspace }: EventTable,
  positions: readonly EventPosition[],
): Promise<number> {
  const { eraseEvent } = database.statements;
  let erased = 0;
  for (const position of positions)
    erased += (await database.transaction((query) => query(eraseEvent, [workspace, position]))).length;
  await database.scrub?.();
  return erased;
}
