import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import type { TestProject } from 'vitest/node';
import { startPostgres, type PostgresServer } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A socket that answers where the database server of this run is. The first one to ask has it started. */
    postgres: string;
  }
}

/** What the socket answers. */
export type PostgresAnswer = { readonly folder: string } | { readonly problem: string };

/** One database server for all tests of a run that want databases and no server of their own. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'herald-pg-asked-'));
  const socket = join(folder, 'socket');
  let starting: Promise<PostgresServer> | null = null;
  const asked = createServer((connection) => {
    // One that asks may end before it is answered.
    connection.on('error', () => undefined);
    starting ??= startPostgres();
    const tell = (answer: PostgresAnswer) => void connection.end(JSON.stringify(answer));
    starting.then(
      (server) => tell({ folder: server.folder }),
      (error: unknown) => tell({ problem: String(error) }),
    );
  });
  await once(asked.listen(socket), 'listening');
  project.provide('postgres', socket);
  return async () => {
    asked.close();
    await (await starting)?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
