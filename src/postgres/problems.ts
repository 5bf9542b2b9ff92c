import { StateError } from '../domain/state-error.ts';

/** Codes of PostgreSQL and of the network, and what each means for the person who runs Herald. */
const PROBLEMS: Readonly<Record<string, (name: string) => readonly [StateError['code'], string, string]>> = {
  '28P01': refused('its user or password is wrong'),
  '28000': refused('it does not let this user in'),
  '3D000': refused('there is no such database'),
  '42501': refused('this user lacks a right'),
  '3F000': notSetUp,
  '42P01': notSetUp,
  '42703': notSetUp,
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

/** Codes after which the same statement may work a moment later: the server is down, restarts, or dropped the line. */
const PASSING = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
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
  '53300',
  '57P01',
  '57P02',
  '57P03',
]);

/** A server that went away ends its connections without a code. */
const WITHOUT_CODE = /terminat|timeout|Connection ended|not queryable|closed the connection/i;

/** Whether the same statement may work a moment later. It may also have been carried out already. */
export function isPassing(error: unknown): boolean {
  const { code, message = '' } = error as { readonly code?: unknown; readonly message?: string };
  return typeof code === 'string' ? PASSING.has(code) : WITHOUT_CODE.test(message);
}

/** The error as a message for people. One that is not about the database is given back as it is. */
export function stateErrorOf(error: unknown, name: string): unknown {
  if (error instanceof StateError) return error;
  const { code } = error as { readonly code?: unknown };
  const known = typeof code === 'string' ? PROBLEMS[code] : undefined;
  if (known !== undefined) {
    const [word, message, next] = known(name);
    return new StateError(word, message, next, error);
  }
  if (isPassing(error))
    return new StateError(
      'state-unreachable',
      `${name} cannot be reached: ${(error as Error).message}`,
      'Check that the database server runs and that this machine can reach it.',
      error,
    );
  if (typeof code === 'string')
    return new StateError(
      'state-failed',
      `${name} refused a statement: ${(error as Error).message} (${code})`,
      'Run the command again. If it fails again, check the log of the database server.',
      error,
    );
  return error;
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
    'herald state init',
  ];
}
