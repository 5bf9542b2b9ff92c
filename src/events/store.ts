import {
  EVENTS_BEGIN,
  isTimedKey,
  SAME_CONTENT_MS,
  storablePart,
  type EventFilter,
  type EventPosition,
  type EventStore,
  type EventWriter,
  type StoredEvent,
} from '../domain/event-store.ts';
import type { Clock } from '../domain/ports.ts';
import { OWN_WORKSPACE, SCHEMA_VERSION } from '../state/schema.ts';
import type { Database } from '../state/sql.ts';
import type { StateLocation } from '../state/state.ts';

/** A body has up to 1 MiB. */
const PAGE_EVENTS = 100;
/** Rows that one transaction removes, so that no sender waits for long. */
const REMOVED_AT_ONCE = 500;

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
export function openEventStore(ports: EventStorePorts): EventStore {
  const { toRead, toWrite } = tableOf(ports);
  return {
    openToAdd: async () => new Writer(await toWrite()),
    read: async (from, take, filter) => {
      const table = await toRead();
      return table === null ? from : readAfter(table, from, take, filter);
    },
    end: async () => {
      const table = await toRead();
      return table === null ? EVENTS_BEGIN : lastPosition(table);
    },
    dropBefore: async (instant) => dropBefore(await toWrite(), Date.parse(instant)),
    erase: async (positions) => erase(await toWrite(), positions),
  };
}

/**
 * What is open stays open for the next use, until the process ends. All that write share a connection: another one of the same
 * process would wait for it, and keep it from going on.
 */
function tableOf({ location, directory, clock }: EventStorePorts) {
  let writing: Promise<Database> | null = null;
  let reading: Database | null = null;
  const toWrite = async (): Promise<EventTable> => {
    const place = await location();
    writing ??= place.kind === 'postgres' ? connect(place, clock) : openFile(directory);
    writing.catch(() => (writing = null));
    return {
      database: await writing,
      workspace: place.kind === 'postgres' ? place.workspace : OWN_WORKSPACE,
    };
  };
  /** Null if no event was ever stored. */
  const toRead = async (): Promise<EventTable | null> => {
    const { kind } = await location();
    if (kind === 'postgres' || writing !== null) return toWrite();
    reading ??= await openToRead(directory);
    return reading === null ? null : { database: reading, workspace: OWN_WORKSPACE };
  };
  return { toRead, toWrite };
}

async function connect(
  { url, retrySec, workspace }: Extract<StateLocation, { readonly kind: 'postgres' }>,
  clock: Clock,
): Promise<Database> {
  const { Postgres, requireWorkspace } = await import('../state/postgres.ts');
  const database = new Postgres({ url, retrySec, clock });
  const [row] = await database.read(database.statements.workspace, [workspace]);
  requireWorkspace(row, database, workspace);
  return database;
}

/** Null for a folder without events, and while another process creates the file. */
async function openToRead(directory: string): Promise<Database | null> {
  const { EVENTS_FILE, hasEvents, openSqliteToRead } = await import('../state/sqlite.ts');
  if (!hasEvents(directory)) return null;
  const database = await openSqliteToRead(directory, EVENTS_FILE);
  const [row] = await database.read(database.statements.workspace, [OWN_WORKSPACE]);
  if (row !== undefined) return database;
  await database.close();
  return null;
}

async function openFile(directory: string): Promise<Database> {
  const { EVENTS_FILE, openSqlite } = await import('../state/sqlite.ts');
  const database = await openSqlite(directory, EVENTS_FILE);
  const { addWorkspace } = database.statements;
  await database.transaction((query) => query(addWorkspace, [OWN_WORKSPACE, 0, SCHEMA_VERSION]));
  return database;
}

/** Events become visible in the order of their numbers: each transaction that adds some holds the row of the workspace. */
async function lastPosition({ database, workspace }: EventTable): Promise<EventPosition> {
  const [row] = await database.read(database.statements.workspace, [workspace]);
  return Number(row?.['seq'] ?? 0);
}

async function readAfter(
  table: EventTable,
  from: EventPosition,
  take: (event: StoredEvent, position: EventPosition) => void,
  { since, kind }: EventFilter = {},
): Promise<EventPosition> {
  const { database, workspace } = table;
  const end = await lastPosition(table);
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

async function dropBefore({ database, workspace }: EventTable, beforeMs: number): Promise<void> {
  const { dropEvents } = database.statements;
  for (let removed = REMOVED_AT_ONCE; removed === REMOVED_AT_ONCE;)
    removed = await database.transaction(
      async (query) => (await query(dropEvents, [workspace, beforeMs, REMOVED_AT_ONCE])).length,
    );
}

async function erase(
  { database, workspace }: EventTable,
  positions: readonly EventPosition[],
): Promise<number> {
  const { eraseEvent } = database.statements;
  let erased = 0;
  for (let from = 0; from < positions.length; from += REMOVED_AT_ONCE)
    erased += await database.transaction(async (query) => {
      let rows = 0;
      for (const position of positions.slice(from, from + REMOVED_AT_ONCE))
        rows += (await query(eraseEvent, [workspace, position])).length;
      return rows;
    });
  await database.scrub?.();
  return erased;
}

interface Waiting {
  readonly event: StoredEvent;
  readonly stored: (isNew: boolean) => void;
  readonly failed: (error: unknown) => void;
}

/** What arrives during a write goes into the next one: a write waits for the disk or the server once, for all its events. */
class Writer implements EventWriter {
  problem: unknown = null;
  readonly #table: EventTable;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | null = null;

  constructor(table: EventTable) {
    this.#table = table;
  }

  add(event: StoredEvent): Promise<boolean> {
    return new Promise((stored, failed) => {
      this.#waiting.push({ event, stored, failed });
      this.#writing ??= this.#writeAll().finally(() => (this.#writing = null));
    });
  }

  async close(): Promise<void> {
    while (this.#writing !== null) await this.#writing;
  }

  async #writeAll(): Promise<void> {
    // What arrives in the same turn of the process shares the first write.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        const areNew = await insert(
          this.#table,
          batch.map(({ event }) => event),
        );
        this.problem = null;
        for (const [index, { stored }] of batch.entries()) stored(areNew[index] ?? true);
      } catch (error) {
        this.problem = error;
        for (const { failed } of batch) failed(error);
      }
    }
  }
}

function insert(
  { database, workspace }: EventTable,
  events: readonly StoredEvent[],
): Promise<readonly boolean[]> {
  const { raiseSeqBy, addEvent } = database.statements;
  return database.transaction(async (query) => {
    const [row] = await query(raiseSeqBy, [workspace, events.length]);
    const first = Number(row?.['seq']) - events.length + 1;
    const areNew: boolean[] = [];
    for (const [index, event] of events.entries()) {
      const atMs = Date.parse(event.received_at);
      const { key, before } = storedKey(event.key, atMs);
      const kind = event.kind === null ? null : storablePart(event.kind);
      const values = [workspace, first + index, key, atMs, kind, JSON.stringify(event)];
      areNew.push((await query(addEvent, [...values, before, atMs - SAME_CONTENT_MS])).length > 0);
    }
    return areNew;
  });
}

/** A key that holds for some time has the number of that time in it. The same content may be under the number before, too. */
function storedKey(key: string, atMs: number): { readonly key: string; readonly before: string | null } {
  if (!isTimedKey(key)) return { key, before: null };
  const time = Math.floor(atMs / SAME_CONTENT_MS);
  return { key: `${key}:${time}`, before: `${key}:${time - 1}` };
}
