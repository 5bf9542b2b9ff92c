import { dirname } from 'node:path';
import { formatCommand, inShell } from '../domain/command-line.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { ErrorCode } from '../domain/codes.ts';

/** The driver of SQLite passes on no code from a statement that returns rows, and always the words. */
function describeCause(error: unknown): string {
  const { code = '', message = '' } = (error ?? {}) as { readonly code?: unknown; readonly message?: string };
  return `${typeof code === 'string' ? code : ''} ${message}`;
}

/** True of every error of the state. A stop by hand says itself that it was sent without a record. */
const SAFE = 'What was recorded before is kept, and nothing is sent that cannot be recorded.';

/** What an error of a driver means for the person who runs Herald, and what to do next. Without `why`, in words of the driver. */
type Meaning = readonly [says: RegExp, code: ErrorCode, why: string | null, next: (name: string) => string];

const check = () => formatCommand('state', 'check');
const lookAt = (path: string) => `ls -ld ${inShell(dirname(path))} ${inShell(path)}`;
const checkRights = (path: string) => `Check who may write there: ${lookAt(path)}`;
const makeRoom = () => `Free some space, then look at what is unconfirmed: ${formatCommand('state', 'show')}`;
const waitForOther = () =>
  `Wait until it has ended, then look at what it did: ${formatCommand('state', 'show')}`;
const moveAway = (path: string) =>
  `Move it away: mv ${inShell(path)} ${inShell(`${path}.old`)}. Then restore a backup, or import an export: ${formatCommand('state', 'import', 'FILE')}. Without one, the next run waits before it starts anything.`;
const correctAddress = () =>
  `Correct its address, for example in HERALD_STATE_URL. Then check it: ${check()}`;
const setUp = () => `Set it up: ${formatCommand('state', 'init')}`;
const grantRights = () =>
  `Grant it (the page "Teams and state" of the documentation has the roles), then check: ${check()}`;
const checkDisk = (path: string) =>
  `Check the disk and who may use the file: ${lookAt(path)}. Then: ${check()}`;
const checkNetwork = () =>
  `Check that the database server runs and that this machine can reach it: ${check()}`;
const readLog = () => `Look into the log of the database server, then check: ${check()}`;
const usePrimary = () => `Use the address of the primary server, then check it: ${check()}`;

const SQLITE: readonly Meaning[] = [
  [/not a database/, 'state-failed', 'it is not a state of Herald. It was left as it is', moveAway],
  [/malformed/, 'state-failed', 'it is damaged', moveAway],
  [/disk is full|^(?:ENOSPC|EDQUOT|EFBIG) /, 'state-failed', 'the disk is full', makeRoom],
  [
    /readonly database|^(?:EACCES|EPERM|EROFS) /,
    'state-read-only',
    'the file or its folder is read-only',
    checkRights,
  ],
  [/database is locked/, 'state-failed', 'another process uses it for too long', waitForOther],
];

/** A server that went away has one of these codes, or ends its connections without a code. */
const PASSING = new RegExp(
  [
    /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOENT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH) /,
    /^(?:08...|25006|25P03|40001|40P01|53300|55P03|57014|57P0[1235]) /,
    /^ .*(?:terminat|timeout|connection ended|not queryable|closed the connection)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
);

const UNREACHABLE: Meaning = [PASSING, 'state-unreachable', null, checkNetwork];

/** PgBouncer has one code for all that it refuses itself, so its words count, too. */
const POSTGRES: readonly Meaning[] = [
  [
    /^28P01 |^28000 |authentication failed|no such user/i,
    'state-refused',
    'the user or password is wrong, or may not log in',
    correctAddress,
  ],
  [
    /^3D000 |database .* does not exist|no such database/i,
    'state-refused',
    'the database does not exist',
    correctAddress,
  ],
  [/^42501 |permission denied/i, 'state-refused', 'this user lacks a right', grantRights],
  [/^(?:3F000|42P01|42703) /, 'state-missing', 'it is not set up for Herald', setUp],
  [/^25006 /, 'state-read-only', 'it is read-only. It may be a replica', usePrimary],
  [/^53100 /, 'state-failed', 'the disk of the database server is full', makeRoom],
  UNREACHABLE,
];

/** What each driver can say, and what anything else means. */
const DRIVERS: Readonly<Record<'sqlite' | 'postgres', { known: readonly Meaning[]; other: Meaning }>> = {
  sqlite: { known: SQLITE, other: [/^/, 'state-failed', null, checkDisk] },
  postgres: { known: POSTGRES, other: [/^/, 'state-failed', null, readLog] },
};

/** An error of a driver as a message for people. `name` is the path of the file, or the address without its password. */
export function explainDriverError(driver: keyof typeof DRIVERS, cause: unknown, name: string): HeraldError {
  const { known, other } = DRIVERS[driver];
  const words = describeCause(cause);
  const [, code, own, next] = known.find(([says]) => says.test(words)) ?? other;
  // The end of a connection may have only a code.
  const why = own ?? ((cause as { readonly message?: string } | undefined)?.message || words.trim());
  return new HeraldError(code, `${name} cannot be used: ${why}. ${SAFE}`, next(name), { cause });
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
  return new HeraldError(
    'state-newer',
    `${name} was written by a newer version of Herald (schema ${found}, this version knows ${own}). Nothing was changed or sent.`,
    'Update Herald: npm install --global herald-campaigns@latest',
  );
}
