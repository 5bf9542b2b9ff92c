import { InvalidCallError, ServiceError } from '../api/errors.ts';
import { IncompleteScanError } from '../api/pages.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import { LockHeldError } from '../domain/ports.ts';
import { UnresolvedAccountsError } from '../live/accounts.ts';
import { UnknownTargetError } from '../live/targets.ts';

/** A command that cannot go on, in the words people and JSON get. */
export interface Failure {
  readonly exitCode: number;
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
  readonly details: unknown;
}

/** Ends a command with a failure; thrown by commands for what is the user's or the environment's doing. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly failure: Failure;
  constructor(
    code: string,
    message: string,
    hint: string | null = null,
    exitCode = 1,
    details: unknown = null,
  ) {
    super(message);
    this.failure = { exitCode, code, message, hint, details };
  }
}

/** Files that do not hold; every problem in them is in `details`. */
export function invalidFiles(diagnostics: readonly Diagnostic[]): CommandError {
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error').length;
  const words = `${errors} problem${errors === 1 ? '' : 's'} in the files. Nothing was sent.`;
  return new CommandError('invalid-files', words, null, 1, { diagnostics });
}

/** What to say about anything that was thrown; null for a bug, which is shown with its stack. */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof CommandError) return error.failure;
  if (error instanceof ServiceError) {
    const { problem } = error;
    return {
      exitCode: 1,
      code: problem.code ?? 'service-error',
      message: error.message,
      hint: problem.hint,
      details: problem,
    };
  }
  if (error instanceof InvalidCallError) {
    return {
      exitCode: 1,
      code: 'invalid-call',
      message: error.message,
      hint: null,
      details: { issues: error.issues },
    };
  }
  if (error instanceof IncompleteScanError) {
    return {
      exitCode: 1,
      code: 'incomplete-list',
      message: error.message,
      hint: 'Nothing was changed. Try again.',
      details: null,
    };
  }
  if (error instanceof UnresolvedAccountsError) {
    return {
      exitCode: 1,
      code: 'unresolved-accounts',
      message: error.message,
      hint: null,
      details: { diagnostics: error.diagnostics },
    };
  }
  if (error instanceof UnknownTargetError) {
    return {
      exitCode: 1,
      code: 'unknown-account',
      message: error.message,
      hint: null,
      details: { problems: error.problems },
    };
  }
  if (error instanceof LockHeldError) {
    return {
      exitCode: 1,
      code: 'locked',
      message: `Another run is at work here: ${error.holder}.`,
      hint: 'Wait for it to end.',
      details: null,
    };
  }
  return systemFailure(error);
}

/** What the operating system refused: a full disk, a missing right, a taken port. */
function systemFailure(error: unknown): Failure | null {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return null;
  return {
    exitCode: 1,
    code: 'system-error',
    message: `The system refused: ${error.message}.`,
    hint: null,
    details: { code: error.code },
  };
}
