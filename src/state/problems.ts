import type { ErrorCode } from '../domain/error-codes.ts';
import { dirname } from 'node:path';
import { formatCommand, inShell } from '../domain/command-line.ts';
import { HeraldError } from '../domain/herald-error.ts';

/** The shape of an error of either database driver. */
interface DriverError {
  readonly code?: unknown;
  readonly message?: string;
  /** Of SQLite. */
  readonly errcode?: number;
}

/** The result codes of SQLite that a person can do something about. Extended codes have one of them in their low byte. */
const SQLITE = {
  busy: 5,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  constraint: 19,
  noDatabase: 26,
} as const;

/** Whether another connection holds the file, so that the same statement may work a moment later. */
export function isBusy(error: unknown): boolean {
  return resultCode(error) === SQLITE.busy;
}

/** Whether the statement broke a unique index. */
export function isUniqueViolation(error: unknown): boolean {
  return (error as DriverError | undefined)?.code === '23505' || resultCode(error) === SQLITE.constraint;
}

/** The driver passes on no code from a statement that returns rows, and always the words of SQLite. */
const WORDS: readonly (readonly [RegExp, number])[] = [
  [/database is locked/, SQLITE.busy],
  [/readonly database/, SQLITE.readOnly],
  [/disk I\/O error/, SQLITE.ioError],
  [/malformed/, SQLITE.corrupt],
  [/disk is full/, SQLITE.full],
  [/UNIQUE constraint failed/, SQLITE.constraint],
  [/not a database/, SQLITE.noDatabase],
];

/** Of the system, for a file that is opened. */
const SYSTEM: Readonly<Record<string, number>> = {
  EACCES: SQLITE.readOnly,
  EPERM: SQLITE.readOnly,
  EROFS: SQLITE.readOnly,
  ENOSPC: SQLITE.full,
  EDQUOT: SQLITE.full,
  EFBIG: SQLITE.full,
};

function resultCode(error: unknown): number | null {
  const { code, errcode, message = '' } = (error ?? {}) as DriverError;
  if (errcode !== undefined) return errcode & 0xff;
  if (typeof code === 'string' && SYSTEM[code] !== undefined) return SYSTEM[code];
  return WORDS.find(([words]) => words.test(message))?.[1] ?? null;
}

/** Whether the file is damaged. */
export function isCorrupt(error: unknown): boolean {
  return resultCode(error) === SQLITE.corrupt;
}

/** True of every error of the state. A stop by hand says itself that it was sent without a record. */
const SAFE = 'What was recorded before is kept, and nothing is sent that cannot be recorded.';

type Words = readonly [ErrorCode, string, string];

const lookAt = (path: string) => `ls -ld ${inShell(dirname(path))} ${inShell(path)}`;
const check = () => formatCommand('state', 'check');

/** Result codes of SQLite, and what each means for the person who runs Herald. */
const FILE_PROBLEMS: Readonly<Record<number, (path: string, message: string) => Words>> = {
  [SQLITE.full]: (path) => [
    'state-failed',
    `${path} cannot be written: the disk is full. ${SAFE}`,
    `Free some space, then look at what is unconfirmed: ${formatCommand('state', 'show')}`,
  ],
  [SQLITE.readOnly]: (path) => [
    'state-read-only',
    `${path} cannot be written: the file or its folder is read-only. ${SAFE}`,
    `Check who may write there: ${lookAt(path)}`,
  ],
  [SQLITE.corrupt]: (path, message) => [
    'state-failed',
    `${path} is damaged: ${message}. It was left as it is.`,
    `Move it away: mv ${inShell(path)} ${inShell(`${path}.damaged`)}. Then restore a backup, or import an export: ${formatCommand('state', 'import', 'FILE')}. Without one, the next run waits before it starts anything.`,
  ],
  [SQLITE.cannotOpen]: (path, message) => [
    'state-failed',
    `${path} cannot be opened: ${message}. ${SAFE}`,
    `Check who may read it: ${lookAt(path)}`,
  ],
  [SQLITE.busy]: (path) => [
    'state-failed',
    `${path} is in use by another process for too long. ${SAFE}`,
    `Wait until the other process has ended, then look at what it did: ${formatCommand('state', 'show')}`,
  ],
};

/** An error of SQLite as a message for people. `path` is the file. */
export function sqliteProblem(error: unknown, path: string): HeraldError {
  const { message = '' } = (error ?? {}) as DriverError;
  const code = resultCode(error) ?? 0;
  if (code === SQLITE.noDatabase) return foreignFile(path, error);
  const other: Words = [
    'state-failed',
    `${path} cannot be used: ${message}. ${SAFE}`,
    `Check the disk, then the file: ${check()}`,
  ];
  return problem(...(FILE_PROBLEMS[code]?.(path, message) ?? other), error);
}

/** A file of another program. */
export function foreignFile(path: string, cause: unknown): HeraldError {
  return problem(
    'state-failed',
    `${path} is not a state of Herald. It was left as it is.`,
    `Move it away: mv ${inShell(path)} ${inShell(`${path}.other`)}. If you have an export of the state: ${formatCommand('state', 'import', 'FILE')}`,
    cause,
  );
}

/** Codes of PostgreSQL, and what each means for the person who runs Herald. */
const POSTGRES: Readonly<Record<string, (name: string) => Words>> = {
  '28P01': refuseAccess('its user or password is wrong'),
  '28000': refuseAccess('it does not let this user in'),
  '3D000': refuseAccess('the database does not exist'),
  '3F000': askForSetup,
  '42P01': askForSetup,
  '42703': askForSetup,
  '25006': (name) => [
    'state-read-only',
    `${name} is read-only. It may be a replica. ${SAFE}`,
    `Use the address of the primary server, then check it: ${check()}`,
  ],
  '42501': (name) => [
    'state-refused',
    `${name} cannot be used: this user lacks a right. ${SAFE}`,
    `Grant it (the page "Teams and state" of the documentation has the roles), then check: ${check()}`,
  ],
  '53100': (name) => [
    'state-failed',
    `${name}: the disk of the database server is full. ${SAFE}`,
    `Free some space on the server, then look at what is unconfirmed: ${formatCommand('state', 'show')}`,
  ],
};

function refuseAccess(why: string) {
  return (name: string) =>
    [
      'state-refused',
      `${name} cannot be used: ${why}. ${SAFE}`,
      `Correct its address, for example in HERALD_STATE_URL. Then check it: ${check()}`,
    ] as const;
}

function askForSetup(name: string): Words {
  return [
    'state-missing',
    `${name} is not set up for Herald. Nothing was sent.`,
    `Set it up: ${formatCommand('state', 'init')}`,
  ];
}

/** Codes after which the same transaction may work a moment later. It may also have been carried out already. */
const PASSING = new Set(
  `ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT ENOENT ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH
  08000 08001 08003 08004 08006 08P01 25006 25P03 40001 40P01 53300 55P03 57014 57P01 57P02 57P03 57P05`.split(
    /\s+/,
  ),
);

/** PgBouncer has one code for all that it refuses itself. What it says is that of the server, or its own. */
const POOLER = '08P01';
const POOLER_REFUSALS = [
  [/authentication failed|no such user/i, '28P01'],
  [/database .* does not exist|no such database/i, '3D000'],
  [/permission denied/i, '42501'],
] as const;

/** A server that went away ends its connections without a code. */
const WITHOUT_CODE = /terminat|timeout|Connection ended|not queryable|closed the connection/i;

function postgresCode(error: unknown): string | null {
  const { code, message = '' } = (error ?? {}) as DriverError;
  if (typeof code !== 'string') return null;
  return code === POOLER ? (POOLER_REFUSALS.find(([words]) => words.test(message))?.[1] ?? code) : code;
}

/** Whether the same transaction may work a moment later: the server restarts, dropped the line, or found a conflict. */
export function isPassing(error: unknown): boolean {
  const code = postgresCode(error);
  const { message = '' } = (error ?? {}) as DriverError;
  return code === null ? WITHOUT_CODE.test(message) : PASSING.has(code);
}

/** An error of PostgreSQL as a message for people. `name` is the address without its password. */
export function postgresProblem(error: unknown, name: string): HeraldError {
  const code = postgresCode(error);
  const { message = '' } = (error ?? {}) as DriverError;
  const known = code === null ? undefined : POSTGRES[code];
  if (known !== undefined) return problem(...known(name), error);
  const words = message === '' ? String(code) : message;
  if (isPassing(error))
    return problem(
      'state-unreachable',
      `${name} cannot be reached: ${words}. ${SAFE}`,
      `Check that the database server runs and that this machine can reach it: ${check()}`,
      error,
    );
  return problem(
    'state-failed',
    `${name} cannot be used: ${words}${code === null ? '' : ` (${code})`}. ${SAFE}`,
    `Look into the log of the database server, then check: ${check()}`,
    error,
  );
}

/** The run has no lease, or not any more. */
export function leaseLost(): HeraldError {
  return new HeraldError(
    'state-lease-lost',
    'This run does not have the lease of the workspace any more. Nothing was changed.',
    'Run the command again.',
  );
}

/** A state that a newer Herald has written. */
export function newerState(name: string, found: number, own: number): HeraldError {
  return problem(
    'state-newer',
    `${name} was written by a newer version of Herald (schema ${found}, this version knows ${own}). Nothing was changed or sent.`,
    'Update Herald: npm install --global herald-campaigns@latest',
    undefined,
  );
}

function problem(code: ErrorCode, message: string, next: string, cause: unknown): HeraldError {
  return new HeraldError(code, message, next, { cause });
}
