import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import { closeSync, constants, existsSync, lstatSync, mkdirSync, openSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { StateError } from '../domain/state-error.ts';
import { isBusy, newerState, sqliteProblem } from './problems.ts';
import { SCHEMA_VERSION, schemaStatements } from './schema.ts';
import { statementsIn, type Database, type Query, type Row, type Value } from './sql.ts';

/** The files of the state in the folder of the workspace. */
export const STATE_FOLDER = '.herald';
const STATE_FILE = 'state.db';
const LOCK_FILE = 'run-lock.db';

const IN_MEMORY = ':memory:';

/** How long a statement waits for another process that writes: a stop by hand is sent after that without a record. */
const BUSY_TIMEOUT_MS = 5_000;

/** Kinds of file systems (`statfs`) on which locks of SQLite do not work between machines. */
const NETWORK_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x01021997, '9p'],
  [0x5346414f, 'AFS'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x00c36400, 'Ceph'],
]);

/** The state in a file of the workspace. */
export interface SqliteDatabase extends Database {
  /** True if the file was missing although runs have used this folder before. */
  readonly wasLost: boolean;
}

/**
 * Opens the state of a workspace to read and write it, and creates it if it is missing. Every transaction is on the disk when
 * it ends.
 */
export async function openSqlite(directory: string): Promise<SqliteDatabase> {
  const path = join(directory, STATE_FOLDER, STATE_FILE);
  prepareFolder(directory);
  const isNew = !existsSync(path);
  const wasLost = isNew && existsSync(lockPath(directory));
  const connection = await connect(path, false);
  try {
    connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF');
    if (isNew) createTables(connection);
    requireVersion(connection, path);
  } catch (error) {
    connection.close();
    throw named(error, path);
  }
  return Object.assign(new Sqlite(path, connection), { wasLost });
}

/** Opens the state of a workspace to read it. Creates no file: without a state, it is an empty one in memory. */
export async function openSqliteToRead(directory: string): Promise<Database> {
  const path = join(directory, STATE_FOLDER, STATE_FILE);
  refuseLinks(directory);
  if (!existsSync(path)) return openSqliteInMemory(path);
  const connection = await connect(path, true);
  try {
    connection.exec('PRAGMA trusted_schema = OFF');
    requireVersion(connection, path);
  } catch (error) {
    connection.close();
    throw named(error, path);
  }
  return new Sqlite(path, connection);
}

/** An empty state that no file has. `name` is for messages. */
export async function openSqliteInMemory(name: string): Promise<Database> {
  const connection = await connect(IN_MEMORY, true);
  createTables(connection);
  return new Sqlite(name, connection);
}

/** The lock of a run: the system frees it when the process ends, however it ends, and keeps it while it is stopped. */
export interface RunLock {
  release(): void;
}

/** Takes the lock of the workspace's runs; null while another process has it. */
export async function tryRunLock(directory: string): Promise<RunLock | null> {
  prepareFolder(directory);
  const path = lockPath(directory);
  const connection = await connect(path, false, 0);
  try {
    connection.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    connection.close();
    if (isBusy(error)) return null;
    throw named(error, path);
  }
  return { release: () => connection.close() };
}

function lockPath(directory: string): string {
  return join(directory, STATE_FOLDER, LOCK_FILE);
}

/** A link could make Herald write outside of the workspace, so neither the folder nor a file in it may be one. */
function refuseLinks(directory: string): void {
  const folder = join(directory, STATE_FOLDER);
  for (const path of [folder, join(folder, STATE_FILE), join(folder, LOCK_FILE)])
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
      throw new StateError(
        'state-refused',
        `${path} is a link. Herald does not follow it.`,
        `Remove it: rm ${path}`,
      );
}

function prepareFolder(directory: string): void {
  refuseLinks(directory);
  const folder = join(directory, STATE_FOLDER);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw named(error, folder);
  }
  const kind = NETWORK_FILE_SYSTEMS.get(Number(statfsSync(folder).type) >>> 0);
  if (kind !== undefined)
    throw new StateError(
      'state-refused',
      `${folder} is on a network file system (${kind}), where a lock of one machine does not stop another one. Nothing was sent.`,
      'Keep the state in PostgreSQL: write `state: { postgres: "${HERALD_STATE_URL}" }` in herald.yaml.',
    );
}

async function connect(
  path: string,
  readOnly: boolean,
  timeout = BUSY_TIMEOUT_MS,
): Promise<DatabaseSyncInstance> {
  // Loaded here, because most commands that only read files need no database.
  const { DatabaseSync } = await import('@photostructure/sqlite');
  try {
    // Created here with its mode; SQLite gives its other files the same one.
    if (!readOnly) closeSync(openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600));
    return new DatabaseSync(path, { readOnly: readOnly && path !== IN_MEMORY, timeout });
  } catch (error) {
    throw named(error, path);
  }
}

function createTables(connection: DatabaseSyncInstance): void {
  connection.exec('BEGIN IMMEDIATE');
  for (const statement of schemaStatements('')) connection.exec(statement);
  connection.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  connection.exec('COMMIT');
}

/** Another process may have created the file and not its tables yet: then they are created here as well. */
function requireVersion(connection: DatabaseSyncInstance, path: string): void {
  const { user_version: version } = connection.prepare('PRAGMA user_version').get() as {
    user_version: number;
  };
  if (version > SCHEMA_VERSION) throw newerState(path, version, SCHEMA_VERSION);
  if (version === SCHEMA_VERSION) return;
  const { n } = connection.prepare('SELECT count(*) AS n FROM sqlite_master').get() as { n: number };
  if (n > 0)
    throw new StateError(
      'state-failed',
      `${path} is not a state of Herald. It was not changed.`,
      'Move it away.',
    );
  createTables(connection);
}

class Sqlite implements Database {
  readonly name: string;
  readonly statements = statementsIn('');
  readonly #connection: DatabaseSyncInstance;
  readonly #prepared = new Map<string, StatementSyncInstance>();
  /** One transaction at a time: the connection has no more. */
  readonly #turn = pLimit(1);

  constructor(path: string, connection: DatabaseSyncInstance) {
    this.name = path;
    this.#connection = connection;
  }

  transaction<Result>(work: (query: Query, attempt: number) => Promise<Result>): Promise<Result> {
    return this.#turn(async () => {
      try {
        this.#connection.exec('BEGIN IMMEDIATE');
        const result = await work((text, values) => Promise.resolve(this.#all(text, values)), 1);
        this.#connection.exec('COMMIT');
        return result;
      } catch (error) {
        if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK');
        throw named(error, this.name);
      }
    });
  }

  read: Query = (text, values) =>
    this.#turn(() => {
      try {
        return this.#all(text, values);
      } catch (error) {
        throw named(error, this.name);
      }
    });

  async *stream(text: string, values: readonly Value[]): AsyncIterable<Row> {
    try {
      yield* this.#statement(text).iterate(bind(values)) as IterableIterator<Row>;
    } catch (error) {
      throw named(error, this.name);
    }
  }

  #all(text: string, values: readonly Value[] = []): readonly Row[] {
    return this.#statement(text).all(bind(values)) as readonly Row[];
  }

  #statement(text: string): StatementSyncInstance {
    const known = this.#prepared.get(text);
    if (known !== undefined) return known;
    const made = this.#connection.prepare(text);
    this.#prepared.set(text, made);
    return made;
  }

  close(): Promise<void> {
    this.#prepared.clear();
    this.#connection.close();
    return Promise.resolve();
  }
}

function bind(values: readonly Value[]): Record<string, Value> {
  return Object.fromEntries(values.map((value, index) => [`$${index + 1}`, value]));
}

function named(error: unknown, path: string): unknown {
  return error instanceof StateError || !isDriverError(error) ? error : sqliteProblem(error, path);
}

/** An error of the work inside a transaction is not one of the database. */
function isDriverError(error: unknown): boolean {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && (code.startsWith('ERR_SQLITE') || /^E[A-Z]+$/.test(code));
}
