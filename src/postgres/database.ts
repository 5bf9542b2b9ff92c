import pg, { type Pool, type PoolClient } from 'pg';
import type { Clock } from '../domain/ports.ts';
import { StateError } from '../domain/state-error.ts';
import { stateAddress } from './address.ts';
import { isPassing, stateErrorOf } from './problems.ts';

/** One value of a statement. */
type Value = string | number | boolean | Uint8Array | null;
export type Row = Readonly<Record<string, unknown>>;

/** Sends one statement. */
export type Query = (text: string, values?: readonly Value[]) => Promise<readonly Row[]>;

export interface DatabaseOptions {
  readonly url: string;
  readonly clock: Clock;
  /** How long a statement is repeated while the server cannot be reached. */
  readonly retrySec: number;
}

const CONNECTIONS_MAX = 4;
const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 30_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
const ignore = () => undefined;

/**
 * A PostgreSQL database, also behind a pooler that gives a connection to each transaction: no statement relies on the
 * session of another one. Errors are `StateError`.
 */
export class Database {
  /** The address, without user and password. */
  readonly name: string;
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #retryMs: number;
  /** Connections with a statement or a transaction. */
  readonly #busy = new Set<PoolClient>();
  #hasAnswered = false;

  constructor({ url, clock, retrySec }: DatabaseOptions) {
    const { name, connection } = stateAddress(url);
    this.name = name;
    this.#clock = clock;
    this.#retryMs = retrySec * 1000;
    this.#pool = new pg.Pool({
      ...connection,
      max: CONNECTIONS_MAX,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: STATEMENT_TIMEOUT_MS,
      application_name: 'herald',
      // An idle connection must not keep the process alive.
      allowExitOnIdle: true,
    });
    // An idle connection that the server drops is replaced by the next statement, which reports what is wrong.
    this.#pool.on('error', () => undefined);
    this.#pool.on('acquire', (client) => this.#busy.add(client));
    this.#pool.on('release', (_, client) => this.#busy.delete(client));
  }

  /** Sends one statement, once. */
  async query(text: string, values: readonly Value[] = []): Promise<readonly Row[]> {
    return this.#named(this.#send(text, values));
  }

  /**
   * Sends a statement that only reads. A database that has answered this run before is given time to come back. One that
   * never did may have a wrong address.
   */
  async read(text: string, values: readonly Value[] = []): Promise<readonly Row[]> {
    return this.#hasAnswered ? this.queryUntilAnswered(text, values) : this.query(text, values);
  }

  /** Sends a statement that may be carried out twice, until the server answers or `retrySec` are over. */
  async queryUntilAnswered(
    text: string,
    values: readonly Value[],
    retryMs = this.#retryMs,
  ): Promise<readonly Row[]> {
    return this.#untilAnswered(() => this.query(text, values), retryMs);
  }

  /** The same for a transaction. An earlier try may have been carried out: `work` has to find that. */
  async transactionUntilAnswered<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
    return this.#untilAnswered(() => this.transaction(work), this.#retryMs);
  }

  async #untilAnswered<Result>(attempt: () => Promise<Result>, retryMs: number): Promise<Result> {
    const startedMs = this.#clock.monotonicMs();
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
      try {
        return await attempt();
      } catch (error) {
        const isOver = this.#clock.monotonicMs() - startedMs + pauseMs > retryMs;
        if (!(error instanceof StateError) || !isPassing(error.cause) || isOver) throw error;
      }
      await this.#clock.sleep(pauseMs);
    }
  }

  /** Runs statements in one transaction. It is undone if `work` rejects. */
  async transaction<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
    const client = await this.#named(this.#pool.connect());
    // Without a listener, the end of the connection would end the process. The next statement reports it.
    client.on('error', ignore);
    const query: Query = async (text, values = []) =>
      (await this.#named(client.query<Row>(text, [...values]))).rows;
    try {
      await query('BEGIN');
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

  /** Ends all connections. A statement that still waits for its answer is given up. */
  async close(): Promise<void> {
    const ended = this.#pool.end();
    for (const client of this.#busy) client.end().catch(ignore);
    await ended;
  }

  async #send(text: string, values: readonly Value[]): Promise<readonly Row[]> {
    const { rows } = await this.#pool.query<Row>(text, [...values]);
    this.#hasAnswered = true;
    return rows;
  }

  /** Turns an error of the database into a message for people. */
  async #named<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      throw stateErrorOf(error, this.name);
    }
  }
}
