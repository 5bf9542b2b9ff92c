import { afterAll, beforeAll } from 'vitest';
import { startPostgres, type PostgresServer } from './postgres.ts';
import { builtHerald, type RealHerald } from './real-herald.ts';

export interface HeraldWithPostgres {
  readonly herald: RealHerald;
  readonly server: PostgresServer;
}

/** The server is made, started and removed on a machine that may be busy. */
const SERVER_TIMEOUT_MS = 60_000;

/** The built command line and a database server for the tests of a file. They are there once the first test begins. */
export function heraldWithPostgres(): HeraldWithPostgres {
  let started: HeraldWithPostgres | null = null;
  const both = () => {
    if (started === null) throw new Error('the server is there once the first test begins');
    return started;
  };
  beforeAll(async () => {
    started = { herald: builtHerald(), server: await startPostgres() };
  }, SERVER_TIMEOUT_MS);
  afterAll(async () => {
    if (started === null) return;
    started.herald.dispose();
    await started.server.stop();
  }, SERVER_TIMEOUT_MS);
  return {
    get herald() {
      return both().herald;
    },
    get server() {
      return both().server;
    },
  };
}
