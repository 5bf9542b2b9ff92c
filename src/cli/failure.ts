import type { Diagnostic } from '../domain/diagnostic.ts';
import { joined, type Visible, visibleLines } from '../domain/visible.ts';

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

/** Where a bug arose. Its message may quote the service. */
export function stackOf(error: unknown): Visible {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return joined(visibleLines(text), '\n');
}
