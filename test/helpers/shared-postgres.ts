import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest';
import { databasesAt, startPostgres, usesPooler, type Databases, type PostgresServer } from './postgres.ts';
import type { PostgresAnswer } from './postgres-once.ts';

/** The server is made, started and removed on a machine that may be busy. */
const SERVER_TIMEOUT_MS = 60_000;

export type SharedPostgres = Pick<Databases, 'newDatabase' | 'direct'>;

/**
 * Databases for the tests of a file, on the one server of the run, from the first test on. Each goes with its test: to
 * remove hundreds of megabytes that have reached the disk takes a minute. A pooler keeps connections to each database that
 * it has seen, so it stands before a server of each file.
 */
export function sharedPostgres(): SharedPostgres {
  let databases: Databases | null = null;
  let own: PostgresServer | null = null;
  const ready = () => {
    if (databases === null) throw new Error('the server is there once the first test begins');
    return databases;
  };
  beforeAll(async () => {
    if (usesPooler()) databases = own = await startPostgres();
    else databases = databasesAt(await folderOfServer());
  }, SERVER_TIMEOUT_MS);
  afterAll(() => own?.stop(), SERVER_TIMEOUT_MS);
  return {
    newDatabase: async () => {
      const url = await ready().newDatabase();
      if (own === null) onTestFinished(() => ready().drop(url));
      return url;
    },
    direct: (url) => ready().direct(url),
  };
}

async function folderOfServer(): Promise<string> {
  const answer = JSON.parse(await text(connect(inject('postgres')))) as PostgresAnswer;
  if ('problem' in answer) throw new Error(answer.problem);
  return answer.folder;
}
