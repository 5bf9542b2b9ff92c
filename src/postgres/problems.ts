import { formatCommand } from '../domain/command-line.ts';
import { StateError } from '../domain/state-error.ts';

/** Codes of PostgreSQL and of the network, and what each means for the person who runs Herald. */
const PROBLEMS: Readonly<Record<string, (name: string) => readonly [StateError['code'], string, string]>> = {
  '28P01': refused('its user or password is wrong'),
  '28000': refused('it does not let this user in'),
  '3D000': refused('the database does not exist'),
  '3F000': notSetUp,
  '42P01': notSetUp,
  '42703': notSetUp,
  '42883': notSetUp,
  '25006': (name) => [
    'state-read-only',
    `${name} is read-only. It may be a replica.`,
    'Use the address of the primary server.',
  ],
  '53100': (name) => [
    'state-failed',
    `${name}: the disk of the database server is full.`,
    'Free some space on the server, then run the command again.',
  ],
};

const LACKS_RIGHT = '42501';

/**
 * Codes after which the same statement may work a moment later: the server is down, restarts, dropped the line, became a
 * replica of a new one, or waited for too long.
 */
const PASSING = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '08P01',
  '25006',
  '25P03',
  '40001',
  '40P01',
  '53300',
  '55P03',
  '57014',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
]);

/** PgBouncer has one code for all that it refuses itself. What it says is that of the server, or its own. */
const POOLER = '08P01';
const POOLER_REFUSALS = [
  [/authentication failed|no such user/i, '28P01'],
  [/database .* does not exist|no such database/i, '3D000'],
  [/permission denied/i, '42501'],
] as const;

/** The code of an error, as the server itself would have given it. */
function codeIn(error: unknown): unknown {
  const { code, message = '' } = (error ?? {}) as { readonly code?: unknown; readonly message?: string };
  if (code !== POOLER) return code;
  return POOLER_REFUSALS.find(([words]) => words.test(message))?.[1] ?? code;
}

/** A server that went away ends its connections without a code. */
const WITHOUT_CODE = /terminat|timeout|Connection ended|not queryable|closed the connection/i;

/** Whether the same statement may work a moment later. It may also have been carried out already. */
export function isPassing(error: unknown): boolean {
  const code = codeIn(error);
  const { message = '' } = (error ?? {}) as { readonly message?: string };
  return typeof code === 'string' ? PASSING.has(code) : WITHOUT_CODE.test(message);
}

/** The error of a statement as a message for people. */
export function stateErrorOf(error: unknown, name: string): StateError {
  const code = codeIn(error);
  const { message } = error as { readonly message: string };
  const words = message === '' ? String(code) : message;
  if (code === LACKS_RIGHT)
    return new StateError(
      'state-refused',
      `${name} cannot be used: this user lacks a right (${words}).`,
      'Grant it: the page "Shared state" of the documentation has the roles. Then run the command again.',
      error,
    );
  const known = typeof code === 'string' ? PROBLEMS[code] : undefined;
  if (known !== undefined) {
    const [word, message, next] = known(name);
    return new StateError(word, message, next, error);
  }
  if (isPassing(error))
    return new StateError(
      'state-unreachable',
      `${name} cannot be reached: ${words}`,
      'Check that the database server runs and that this machine can reach it.',
      error,
    );
  return new StateError(
    'state-failed',
    `${name} cannot be used: ${words}${typeof code === 'string' ? ` (${code})` : ''}`,
    'Check its address. If that is right, run the command again, and check the log of the database server.',
    error,
  );
}

function refused(why: string) {
  return (name: string) =>
    [
      'state-refused',
      `${name} cannot be used: ${why}.`,
      'Check the address and the rights of its user.',
    ] as const;
}

function notSetUp(name: string): readonly [StateError['code'], string, string] {
  return [
    'state-missing',
    `${name} is not set up for Herald, or is older than this version.`,
    formatCommand('state', 'init'),
  ];
}
