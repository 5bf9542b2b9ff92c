import type { ErrorCode } from './codes.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { fileProblem } from './file-problem.ts';

/** What a command ends with, by the code of its error. Of any other code: `failed`. */
const EXITS: Readonly<Partial<Record<ErrorCode, ExitCode>>> = {
  interrupted: EXIT.interrupted,
  'open-request': EXIT.unknown,
  'unknown-outcome': EXIT.unknown,
  'changed-plan': EXIT.blocked,
  'ci-no-review': EXIT.blocked,
  'ci-no-state': EXIT.blocked,
  'ci-simulator': EXIT.blocked,
  'ci-stale-review': EXIT.blocked,
  'ci-unclear-review': EXIT.blocked,
  'ci-unsafe-event': EXIT.blocked,
  'earlier-payout-made': EXIT.blocked,
  held: EXIT.blocked,
  'held-back': EXIT.blocked,
  'moved-account': EXIT.blocked,
  'policy-denied': EXIT.blocked,
  'similar-message': EXIT.blocked,
  'similar-payout': EXIT.blocked,
  'stale-plan': EXIT.blocked,
  'unexpected-plan': EXIT.blocked,
  'unsigned-plan': EXIT.blocked,
};

interface MoreOfError {
  /** What the command ends with. Left out: as its code says. */
  readonly exit?: ExitCode;
  /** For JSON. `diagnostics` in it are printed with their places. */
  readonly details?: unknown;
  readonly cause?: unknown;
}

/**
 * An error as people and programs get it: what happened, and what to do next, as a sentence or a command. No part of it is a
 * secret. Everything else that is thrown is a bug in Herald, and is shown with its stack.
 */
export class HeraldError extends Error {
  override readonly name = 'HeraldError';
  /** One of `ERROR_CODES`. An answer of the service has a code of its own. */
  readonly code: string;
  readonly hint: string | null;
  readonly exit: ExitCode;
  readonly details: unknown;

  constructor(
    code: ErrorCode,
    message: string,
    hint: string | null = null,
    { exit = EXITS[code] ?? EXIT.failed, details = null, cause }: MoreOfError = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.hint = hint;
    this.exit = exit;
    this.details = details;
  }
}

/** A person left before anything was done. */
export function interruptedError(done: 'sent' | 'written' = 'sent'): HeraldError {
  const message = `Interrupted; nothing was ${done}.`;
  return new HeraldError('interrupted', message, 'To do it, run the command again.');
}

/** True for an error with one of these codes. A code that ends in `-`, such as `git-`, means all that begin with it. */
export function hasCode(error: unknown, ...codes: readonly string[]): error is HeraldError {
  if (!(error instanceof HeraldError)) return false;
  return codes.some((code) => error.code === code || (code.endsWith('-') && error.code.startsWith(code)));
}

/** What to do about an error of the system. Any other one: check the path. */
const NEXT_STEPS: Readonly<Record<string, string>> = {
  ENOSPC: 'Free some space, then run the command again.',
  EMFILE: 'Close other programs, or raise the limit (ulimit -n), then run the command again.',
  ENFILE: 'Close other programs, then run the command again.',
};

/**
 * The error that a person sees for a thrown value. One of the operating system, as Node has it, is a full disk, a missing right, or a
 * path that is something else. Null for a bug, which is shown with its stack.
 */
export function toHeraldError(error: unknown): HeraldError | null {
  if (error instanceof HeraldError) return error;
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return null;
  const problem = fileProblem(error);
  // Files are written under another name first: `world.json.43329724.tmp`.
  const path =
    'path' in error && typeof error.path === 'string' ? error.path.replace(/\.[0-9a-f]{8}\.tmp$/, '') : null;
  return new HeraldError(
    'system-error',
    path === null ? `The system refused: ${problem}.` : `Cannot use ${path}: ${problem}.`,
    NEXT_STEPS[String(error.code)] ?? 'Check the path and its permissions, then run the command again.',
    { details: { code: error.code } },
  );
}
