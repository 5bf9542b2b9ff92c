import pg from 'pg';
import { startPostgres, type PostgresServer } from '../test/helpers/postgres.ts';
import { measure } from './process.ts';

/** Set up for Herald, with the workspace `bench`. */
export interface StateDatabase {
  readonly env: Readonly<Record<string, string>>;
  /** Adds the lines of a file ledger. */
  addLines(lines: readonly string[]): Promise<void>;
}

/** Added to `herald.yaml`. */
export const IN_POSTGRES = 'state: { postgres: "${HERALD_STATE_URL}", workspace: bench }\n';

/** A PostgreSQL server on this machine, while the work runs. A durable one waits for the disk, as a real one does. */
export async function withPostgres<Result>(
  work: (server: PostgresServer) => Promise<Result>,
  isDurable = false,
): Promise<Result> {
  const server = await startPostgres(undefined, isDurable);
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

/** A new database for the workspace in this directory. */
export async function newState(
  server: PostgresServer,
  script: string,
  directory: string,
): Promise<StateDatabase> {
  const url = await server.newDatabase();
  const env = { HERALD_STATE_URL: url };
  await measure([script, '-C', directory, 'state', 'init'], { env });
  return { env, addLines: (lines) => addLines(url, lines) };
}

async function addLines(url: string, lines: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `INSERT INTO herald.ledger_lines (workspace, epoch, position, id, line)
     SELECT w.id, w.epoch, l.position, gen_random_uuid(), l.line
     FROM herald.workspaces w, unnest($1::text[]) WITH ORDINALITY AS l (line, position)`,
    [lines],
  );
  await client.query(
    `UPDATE herald.workspaces SET last_position = $1,
       ledger_bytes = (SELECT sum(octet_length(line) + 1) FROM herald.ledger_lines)`,
    [lines.length],
  );
  await client.end();
}
