import { HeraldError, hasCode } from '../domain/herald-error.ts';
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import { closeSync, existsSync, lstatSync, mkdirSync, openSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import pLimit from 'p-limit';
import type { Lock } from '../domain/ports.ts';
import { confinedTo } from '../host/confined.ts';
import { newerState, explainDriverError } from './problems.ts';
import { OWN_WORKSPACE, SCHEMA_VERSION } from './shapes.ts';
import { statementsIn, type Database, type Query, type Row, type Value } from './sql.ts';

const STATE_FILE = '.herald/state.db';
/** The run with the lease has it open and locked. */
export const LOCK_FILE = '.herald/run-lock.db';
/** Events come at any time, next to runs, so they have a file of their own. */
export const EVENTS_FILE = '.herald/events.db';

/** How long a statement waits for another process that writes: a stop by hand is sent after that without a record. */
const BUSY_TIMEOUT_MS = 5_000;

/** Kinds of file systems (`statfs`) on which locks of SQLite do not work between machines. */
const NETWORK_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x01021997, '9p'],
  [0x00c36400, 'Ceph'],
]);

/** Of every file: the tables are in no schema. */
const STATEMENTS = statementsIn('');

/** The state of a workspace in a file, or in memory. */
export class Sqlite implements Database {
  readonly name: string;
  readonly statements = STATEMENTS;
  readonly #connection: DatabaseSyncInstance;
  readonly #prepared = new Map<string, StatementSyncInstance>();
  /** One transaction at a time: the connection has no more. */
  readonly #turn = pLimit(1);

  private constructor(path: string, connection: DatabaseSyncInstance) {
    this.name = path;
    this.#connection = connection;
  }

  /** Opens the state of a workspace, or creates it with the row of the workspace. A transaction that has ended is on the disk. */
  static async open(directory: string, file = STATE_FILE): Promise<Database> {
    const place = confinedTo(directory);
    const path = prepareFile(place(file));
    const connection = await connect(path, { timeout: BUSY_TIMEOUT_MS });
    try {
      // A file of another program or of a newer version is left as it is.
      const hasTables = hasOwnTables(connection, path);
      connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF');
      // The place of a deleted row is written over.
      connection.exec('PRAGMA secure_delete = ON');
      if (!hasTables) createTables(connection);
      const database = new Sqlite(path, connection);
      // Without the row of the workspace, the file is a new one. If runs have been here, another one was lost.
      const hadRuns = existsSync(place(LOCK_FILE));
      const values = [OWN_WORKSPACE, hadRuns ? 1 : 0, SCHEMA_VERSION];
      await database.transaction((query) => query(database.statements.addWorkspace, values));
      return database;
    } catch (error) {
      connection.close();
      throw named(error, path);
    }
  }

  /** Opens the state of a workspace to read it. Creates no state: a folder without one reads as an empty one in memory. */
  static async openToRead(directory: string, file = STATE_FILE): Promise<Database> {
    const path = confinedTo(directory)(file);
    if (!existsSync(path)) return Sqlite.inMemory(path);
    requireFiles(path);
    try {
      return await Sqlite.#openToRead(path, path);
    } catch (error) {
      // Without a log, no process writes. SQLite would create one, and cannot in a folder that is read-only.
      if (existsSync(`${path}-wal`)) throw error;
      return Sqlite.#openToRead(path, `${pathToFileURL(path).href}?immutable=1`);
    }
  }

  static async #openToRead(path: string, address: string): Promise<Database> {
    const connection = await connect(address, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    try {
      connection.exec('PRAGMA trusted_schema = OFF');
      if (hasOwnTables(connection, path)) return new Sqlite(path, connection);
    } catch (error) {
      connection.close();
      throw named(error, path);
    }
    connection.close();
    return Sqlite.inMemory(path);
  }

  /** An empty state that no file has. `name` is for messages. */
  static async inMemory(name: string): Promise<Database> {
    const connection = await connect(':memory:', {});
    createTables(connection);
    return new Sqlite(name, connection);
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

  async damage(): Promise<readonly string[]> {
    try {
      const rows = await this.read('PRAGMA integrity_check');
      return rows.map((row) => String(row['integrity_check'])).filter((line) => line !== 'ok');
    } catch (error) {
      if (hasCode(error, 'state-') && says(error.cause, /malformed/)) return [error.message];
      throw error;
    }
  }

  async scrub(): Promise<void> {
    // The log has the pages as they were.
    await this.read('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  #all(text: string, values: readonly Value[] = []): readonly Row[] {
    const statement = this.#prepared.get(text) ?? this.#connection.prepare(text);
    this.#prepared.set(text, statement);
    const bound = Object.fromEntries(values.map((value, index) => [`$${index + 1}`, value]));
    return statement.all(bound) as readonly Row[];
  }

  close(): Promise<void> {
    this.#prepared.clear();
    this.#connection.close();
    return Promise.resolve();
  }
}

/** Takes a lock on a file, which it creates; null while another process has it, stopped or not. The system frees it however that process ends. */
export async function tryLock(real: string): Promise<Lock | null> {
  const path = prepareFile(real);
  const connection = await connect(path, { timeout: 0 });
  try {
    connection.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    connection.close();
    if (says(error, /database is locked/)) return null;
    throw named(error, path);
  }
  return { release: () => connection.close() };
}

/** SQLite follows links, and a pipe would never let it go on. Anyone who can change the folder could put one there. */
function requireFiles(path: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) {
    const found = lstatSync(`${path}${end}`, { throwIfNoEntry: false });
    if (found?.isFile() === false) throw foreignFile(`${path}${end}`);
  }
}

/** Creates the file if it is missing, and returns its path. */
function prepareFile(path: string): string {
  requireFiles(path);
  const folder = dirname(path);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // The kind is signed where the system has 32 bits for it.
    const kind = NETWORK_FILE_SYSTEMS.get(statfsSync(folder).type >>> 0);
    if (kind !== undefined)
      throw new HeraldError(
        'state-refused',
        `${folder} is on a network file system (${kind}), where a lock of one machine does not stop another one. Nothing was sent.`,
        'Keep the state in PostgreSQL: write `state: { postgres: "${HERALD_STATE_URL}", workspace: NAME }` in herald.yaml.',
      );
    // SQLite gives its other files the mode of this one. A file that is there is not opened here: its close would end every
    // lock that this process has on it.
    if (!existsSync(path)) closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    // Another process may have created it meanwhile.
    if ((error as { readonly code?: unknown }).code !== 'EEXIST' || !existsSync(path))
      throw named(error, path);
  }
  return path;
}

async function connect(
  path: string,
  options: { readonly readOnly?: boolean; readonly timeout?: number },
): Promise<DatabaseSyncInstance> {
  // Loaded here, because most commands that only read files need no database.
  const { DatabaseSync } = await import('@photostructure/sqlite');
  try {
    return new DatabaseSync(path, options);
  } catch (error) {
    throw named(error, path);
  }
}

function createTables(connection: DatabaseSyncInstance): void {
  connection.exec('BEGIN IMMEDIATE');
  for (const statement of STATEMENTS.tables) connection.exec(statement);
  connection.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  connection.exec('COMMIT');
}

/** False for a file without tables, such as a new one. */
function hasOwnTables(connection: DatabaseSyncInstance, path: string): boolean {
  // One statement: another process may create them right now.
  const { version, n } = connection
    .prepare(
      'SELECT user_version AS version, (SELECT count(*) FROM sqlite_master) AS n FROM pragma_user_version',
    )
    .get() as { version: number; n: number };
  if (version > SCHEMA_VERSION) throw newerState(path, version, SCHEMA_VERSION);
  if (version === SCHEMA_VERSION) return true;
  if (n > 0) throw foreignFile(path);
  return false;
}

function says(error: unknown, words: RegExp): boolean {
  return error instanceof Error && words.test(error.message);
}

function foreignFile(path: string): HeraldError {
  return explainDriverError('sqlite', new Error('file is not a database'), path);
}

function named(error: unknown, path: string): unknown {
  return hasCode(error, 'state-') || !isDriverError(error)
    ? error
    : explainDriverError('sqlite', error, path);
}

/** An error of the work inside a transaction is not one of the database. */
function isDriverError(error: unknown): boolean {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && (code.startsWith('ERR_SQLITE') || /^E[A-Z]+$/.test(code));
}
