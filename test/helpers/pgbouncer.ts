import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PASSWORD, PORT, USER } from './postgres-cluster.ts';
import { asServerUser, gone, untilSaid } from './server-process.ts';

const BINARY = '/usr/sbin/pgbouncer';

/** Whether PgBouncer is installed. */
function hasPgBouncer(): boolean {
  return existsSync(BINARY);
}

/** PgBouncer in transaction mode: each transaction may get another connection. */
export interface PgBouncer {
  /** The folder of its socket. */
  readonly folder: string;
  stop(): Promise<void>;
}

/** Starts PgBouncer in front of the server with its socket in this folder. */
export async function startPgBouncer(serverFolder: string): Promise<PgBouncer> {
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
