import { startPostgres, type PostgresServer } from '../test/helpers/postgres.ts';
import { measure } from './process.ts';

/** Set up for Herald, with the workspace `bench`. */
export interface StateDatabase {
  readonly env: Readonly<Record<string, string>>;
}

/** Added to `herald.yaml`. */
export const IN_POSTGRES = 'state: { postgres: "${HERALD_STATE_URL}", workspace: bench }\n';

/** A PostgreSQL server on this machine, while the work runs. A durable one waits for the disk, as a real one does. */
export async function withPostgres<Result>(
  work: (server: PostgresServer) => Promise<Result>,
  isDurable = false,
): Promise<Result> {
  const server = await startPostgres(isDurable);
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
  return { env };
}
