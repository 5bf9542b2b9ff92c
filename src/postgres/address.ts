import type { PoolConfig } from 'pg';
import { parse } from 'pg-connection-string';
import { StateError } from '../domain/state-error.ts';

/** Where a state database is, and how to connect to it. */
export interface StateAddress {
  /** Without user, password and options: for messages and the ledger. */
  readonly name: string;
  readonly connection: PoolConfig;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/;

/**
 * Reads `postgres://user:password@host/database?sslmode=…`. TLS with a checked certificate is on, unless the host is
 * this machine or a socket. `sslmode` decides where it is given: `disable` turns TLS off, `no-verify` checks nothing.
 */
export function stateAddress(url: string): StateAddress {
  const { host, port, database, user, password, options } = parsed(url);
  // A "/" in a password that is not written as %2F makes the rest of the password look like a database.
  if (database?.includes('@') === true) throw badAddress();
  const server = host ?? 'localhost';
  const isLocal = LOOPBACK.test(server) || server.startsWith('/');
  const mode = sslMode(url);
  const usesTls = mode === null ? !isLocal : mode !== 'disable';
  const place = server.startsWith('/') ? server : `${server}${port == null ? '' : `:${port}`}`;
  return {
    name: `postgres://${place}/${database ?? ''}`,
    connection: {
      host: server,
      ...(port == null ? {} : { port: Number(port) }),
      ...(database == null ? {} : { database }),
      ...(user === undefined ? {} : { user }),
      ...(password === undefined ? {} : { password }),
      ...(options === undefined ? {} : { options }),
      ssl: usesTls ? { rejectUnauthorized: mode !== 'no-verify' } : false,
    },
  };
}

function parsed(url: string): ReturnType<typeof parse> {
  // A "#" can only be a part of a password that is not written as %23.
  if (!/^postgres(?:ql)?:\/\/[^#]*$/.test(url)) throw badAddress();
  try {
    // Only the address is read here: TLS is decided above, and no file is read.
    return parse(url.replace(/([?&])ssl\w*=[^&]*/g, '$1'));
  } catch {
    // The error of the parser may quote the password.
    throw badAddress();
  }
}

function badAddress(): StateError {
  return new StateError(
    'state-url',
    'The address of the state database is not valid.',
    'Write it as postgres://USER:PASSWORD@HOST/DATABASE, for example in HERALD_STATE_URL. In the password, write @ as %40, / as %2F, # as %23 and ? as %3F.',
  );
}

function sslMode(url: string): string | null {
  return /[?&]sslmode=([\w-]+)/.exec(url)?.[1] ?? null;
}
