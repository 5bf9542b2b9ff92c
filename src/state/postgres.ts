import type { ErrorCode } from '../domain/codes.ts';
import { HeraldError, hasCode } from '../domain/herald-error.ts';
import pg, { type Pool, type PoolClient, type PoolConfig } from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { formatCommand } from '../domain/command-line.ts';
import type { Clock } from '../domain/ports.ts';
import { newerState, explainDriverError } from './problems.ts';
import { SCHEMA_VERSION } from './shapes.ts';
import { statementsIn, type Database, type Query, type Row } from './sql.ts';

interface PostgresOptions {
  /** `postgres://user:password@host/database`. TLS is on unless the host is this machine. */
  readonly url: string;
  readonly clock: Clock;
  /** How long a transaction is repeated while the server cannot be reached, once it has answered. */
  readonly retrySec: number;
}

const SCHEMA = 'herald.';
const CONNECTIONS_MAX = 4;
const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 30_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

const ignore = () => undefined;

/** The type of BIGINT. Herald's numbers are at most 2^53. */
const INT8 = 20;
const types = {
  getTypeParser: (type: number, format?: 'text' | 'binary') =>
    type === INT8 ? Number : (pg.types.getTypeParser(type, format) as (text: string) => unknown),
};

/** The state in a PostgreSQL database, also behind a pooler that gives a connection to each transaction. */
export class Postgres implements Database {
  readonly name: string;
  readonly statements = statementsIn(SCHEMA);
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #retryMs: number;
  /** Connections with a transaction. */
  readonly #busy = new Set<PoolClient>();
  #hasAnswered = false;

  constructor({ url, clock, retrySec }: PostgresOptions) {
    const { name, connection } = readAddress(url);
    this.name = name;
    this.#clock = clock;
    this.#retryMs = retrySec * 1000;
    this.#pool = new pg.Pool({
      ...connection,
      types,
      max: CONNECTIONS_MAX,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: STATEMENT_TIMEOUT_MS,
      application_name: 'herald',
      // An idle connection must not keep the process alive.
      allowExitOnIdle: true,
    });
    // An idle connection that the server drops is replaced by the next transaction, which reports what is wrong.
    this.#pool.on('error', ignore);
    this.#pool.on('acquire', (client) => this.#busy.add(client));
    this.#pool.on('release', (_, client) => this.#busy.delete(client));
  }

  /** Opens the database of a workspace. Refuses one that is not set up, or that a newer version has written. */
  static async open(options: PostgresOptions, workspace: string): Promise<Postgres> {
    const database = new Postgres(options);
    try {
      const [row] = await database.read(database.statements.workspace, [workspace]);
      if (row === undefined)
        throw new HeraldError(
          'state-missing',
          `${database.name} has no workspace "${workspace}". Nothing was sent.`,
          `Check the name in herald.yaml. If the workspace is new: ${formatCommand('state', 'init')}`,
        );
      requireVersion(row, database.name);
      return database;
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  transaction<Result>(work: (query: Query, attempt: number) => Promise<Result>): Promise<Result> {
    return this.#untilAnswered((attempt) => this.#inTransaction(WRITING, (query) => work(query, attempt)));
  }

  read: Query = (text, values) =>
    this.#untilAnswered(() => this.#inTransaction(READ_ONLY, (query) => query(text, values)));

  /** Creates the tables, or finds them. Needs the rights of their owner. */
  async createTables(): Promise<void> {
    await this.transaction(async (query) => {
      await query('CREATE SCHEMA IF NOT EXISTS herald');
      for (const statement of this.statements.tables) await query(statement);
      const [row] = await query(this.statements.newestSchema);
      requireVersion(row, this.name);
    });
  }

  /** Ends all connections. A statement that still waits for its answer is given up. */
  async close(): Promise<void> {
    const ended = this.#pool.end();
    for (const client of this.#busy) client.end().catch(ignore);
    await ended;
  }

  /** A database that never answered may have a wrong address, so only one that has is given time to come back. */
  async #untilAnswered<Result>(work: (attempt: number) => Promise<Result>): Promise<Result> {
    const startedMs = this.#clock.monotonicMs();
    for (let attempt = 1, pauseMs = FIRST_PAUSE_MS; ; attempt += 1) {
      try {
        const result = await work(attempt);
        this.#hasAnswered = true;
        return result;
      } catch (error) {
        if (!hasCode(error, ...PASSING)) throw error;
        const isOver = this.#clock.monotonicMs() - startedMs + pauseMs > this.#retryMs;
        if (!this.#hasAnswered || isOver) throw error;
      }
      await this.#clock.sleep(pauseMs);
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
    }
  }

  async #inTransaction<Result>(begin: string, work: (query: Query) => Promise<Result>): Promise<Result> {
    const client = await this.#connect();
    const query = this.#queryOf(client);
    try {
      await query(begin);
      const result = await work(query);
      await query('COMMIT');
      client.off('error', ignore);
      client.release();
      return result;
    } catch (error) {
      // The connection is closed, which ends the transaction, whatever state it is in.
      client.release(true);
      throw error;
    }
  }

  async #connect(): Promise<PoolClient> {
    try {
      const client = await this.#pool.connect();
      // Without a listener, the end of the connection would end the process. The next statement reports it.
      client.on('error', ignore);
      return client;
    } catch (error) {
      throw explainDriverError('postgres', error, this.name);
    }
  }

  #queryOf(client: PoolClient): Query {
    return async (text, values = []) => {
      try {
        return (await client.query<Row>(text, [...values])).rows;
      } catch (error) {
        throw explainDriverError('postgres', error, this.name);
      }
    };
  }
}

/**
 * A moment later, the transaction may work: the server restarts, dropped the line, found a conflict, or becomes the primary
 * one. It may also have been carried out already.
 */
const PASSING: readonly ErrorCode[] = ['state-unreachable', 'state-read-only'];

const READ_ONLY = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
/** A process that is stopped within a transaction must not keep its row from others for longer than a stop by hand waits. */
const WRITING = "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL idle_in_transaction_session_timeout = '4s'";

function requireVersion(row: Row | undefined, name: string): void {
  const version = Number(row?.['schema'] ?? 0);
  if (version > SCHEMA_VERSION) throw newerState(name, version, SCHEMA_VERSION);
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/;

/**
 * Reads `postgres://user:password@host/database?sslmode=…`. TLS with a checked certificate is on, unless the host is
 * this machine or a socket. `sslmode` decides where it is given: `disable` turns TLS off, `no-verify` checks nothing.
 */
function readAddress(url: string): { readonly name: string; readonly connection: PoolConfig } {
  const connection = parseAddress(url);
  const { host = 'localhost', port, database = '' } = connection;
  // A "/" in a password that is not written as %2F makes the rest of the password look like a database.
  if (database.includes('@')) throw badAddress();
  const isSocket = host.startsWith('/');
  const local = LOOPBACK.test(host) || isSocket ? 'disable' : 'verify';
  const mode = /[?&]sslmode=([\w-]+)/.exec(url)?.[1] ?? local;
  return {
    name: `postgres://${host}${port === undefined || isSocket ? '' : `:${port}`}/${database}`,
    connection: {
      ...connection,
      host,
      ssl: mode === 'disable' ? false : { rejectUnauthorized: mode !== 'no-verify' },
    },
  };
}

function parseAddress(url: string): PoolConfig {
  // A "#" can only be a part of a password that is not written as %23, and a line break within is dropped by the parser.
  if (!/^postgres(?:ql)?:\/\/[^#\s]*\s*$/.test(url)) throw badAddress();
  try {
    // Only the address is read here: TLS is decided above, and no file is read.
    return parseIntoClientConfig(url.replace(/([?&])ssl\w*=[^&]*/g, '$1'));
  } catch {
    // The error of the parser may quote the password.
    throw badAddress();
  }
}

function badAddress(): HeraldError {
  return new HeraldError(
    'state-url',
    'The address of the state database is not valid.',
    'Write it as postgres://USER:PASSWORD@HOST/DATABASE, for example in HERALD_STATE_URL. In the password, write @ as %40, / as %2F, # as %23 and ? as %3F.',
  );
}
