import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import pg from 'pg';
import { debianCluster, embeddedCluster, PASSWORD, USER, PORT } from './postgres-cluster.ts';
import { folderInMemory } from './memory-folder.ts';
import { asServerUser, gone, untilSaid } from './server-process.ts';

const BINARY = '/usr/sbin/pgbouncer';

/** Whether PgBouncer is installed. */
function hasPgBouncer(): boolean {
  return existsSync(BINARY);
}

/** PgBouncer in transaction mode: each transaction may get another connection. */
interface PgBouncer {
  /** The folder of its socket. */
  readonly folder: string;
  stop(): Promise<void>;
}

/** Starts PgBouncer in front of the server with its socket in this folder. */
async function startPgBouncer(serverFolder: string): Promise<PgBouncer> {
  if (!hasPgBouncer()) throw new Error('PgBouncer is not installed: apt-get install pgbouncer');
  const folder = join(serverFolder, 'bouncer');
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  const users = join(folder, 'users.txt');
  writeFileSync(users, `"${USER}" "${PASSWORD}"\n`, { mode: 0o644 });
  const settings = join(folder, 'pgbouncer.ini');
  writeFileSync(
    settings,
    `[databases]
* = host=${serverFolder} port=${PORT}
[pgbouncer]
unix_socket_dir = ${folder}
unix_socket_mode = 0777
listen_port = ${PORT}
pool_mode = transaction
auth_type = scram-sha-256
auth_file = ${users}
auth_user = ${USER}
auth_query = SELECT usename, passwd FROM pg_shadow WHERE usename = $1
server_login_retry = 1
max_client_conn = 500
`,
  );
  const server = spawn(BINARY, [settings], asServerUser());
  await untilSaid(server, 'process up');
  return {
    folder,
    stop: async () => {
      server.kill('SIGTERM');
      await gone(server);
    },
  };
}

/** Databases of a PostgreSQL server. */
export interface Databases {
  /** The address of a new, empty database. */
  newDatabase(): Promise<string>;
  /** Removes it, and ends its sessions. */
  drop(url: string): Promise<void>;
  /** The address of the same database without a pooler in between, for sessions of a test. */
  direct(url: string): string;
}

/** A PostgreSQL server of its own, on a socket in a temporary folder. */
export interface PostgresServer extends Databases {
  /** The folder of its socket. */
  readonly folder: string;
  /** Stops the server, which ends all connections, and starts it again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Which server the tests use: the one of the npm package, Debian's, or the one of the package through PgBouncer. CI runs
 * them with the last two, which are two versions of PostgreSQL. The machine of a person needs the embedded one only.
 */
const KINDS = ['embedded', 'debian', 'pgbouncer'] as const;
export type ServerKind = (typeof KINDS)[number];

/** The one that the variable HERALD_TEST_POSTGRES asks for. */
export function chosenKind(): ServerKind {
  const asked = process.env['HERALD_TEST_POSTGRES'] ?? 'embedded';
  const kind = KINDS.find((one) => one === asked);
  if (kind === undefined)
    throw new Error(`HERALD_TEST_POSTGRES is one of ${KINDS.join(', ')}, not "${asked}"`);
  return kind;
}

/** Starts a server, which keeps nothing if the machine goes down, unless it is durable. Where it is not installed, this fails: a test that is skipped protects nothing. */
export async function startPostgres(
  kind: ServerKind = chosenKind(),
  isDurable = false,
): Promise<PostgresServer> {
  // Each new database is hundreds of files, which take a tenth of the work in memory.
  const folder = mkdtempSync(join(isDurable ? tmpdir() : folderInMemory(), 'herald-pg-'));
  // As root the server runs as another user.
  chmodSync(folder, 0o777);
  const cluster = kind === 'debian' ? debianCluster(folder, isDurable) : embeddedCluster(folder, isDurable);
  await cluster.initialise();
  await cluster.start();
  const bouncer = kind === 'pgbouncer' ? await startPgBouncer(folder) : null;
  return {
    folder,
    ...databasesAt(folder, bouncer?.folder),
    restart: async () => {
      await cluster.stop();
      await cluster.start();
    },
    stop: async () => {
      await bouncer?.stop();
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The databases of a running server, whichever process has started it. A session may come through a pooler. */
export function databasesAt(folder: string, poolerFolder = folder): Databases {
  const address = (name: string, host: string) =>
    `postgres://${USER}:${PASSWORD}@/${name}?host=${encodeURIComponent(host)}`;
  const run = async (command: string) => {
    const client = new pg.Client({ connectionString: address('postgres', folder) });
    await client.connect();
    await client.query(command);
    await client.end();
  };
  return {
    newDatabase: async () => {
      const name = `test_${randomUUID().replaceAll('-', '')}`;
      await run(`CREATE DATABASE ${name}`);
      return address(name, poolerFolder);
    },
    drop: (url) => run(`DROP DATABASE ${/\/(test_[0-9a-f]+)/.exec(url)?.[1]} WITH (FORCE)`),
    direct: (url) => url.replace(/host=.*/, `host=${encodeURIComponent(folder)}`),
  };
}
