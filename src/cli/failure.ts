import { EXIT, type ExitCode } from './exit-codes.ts';
import type { ErrorCode } from '../domain/error-codes.ts';
import { joined, type Visible, visibleLines } from '../domain/visible.ts';

/** An error that ends a command, as people and JSON get it. */
export interface Failure {
  readonly exitCode: ExitCode;
  /** One of `ERROR_CODES`, or the service's own. */
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
  readonly details: unknown;
}

/** Ends a command with a failure that is not a bug in Herald. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly failure: Failure;
  constructor(
    code: ErrorCode,
    message: string,
    hint: string | null = null,
    exitCode: ExitCode = EXIT.failed,
    details: unknown = null,
  ) {
    super(message);
    this.failure = { exitCode, code, message, hint, details };
  }
}

/** The end of a command that was interrupted before its request was sent. */
export function interruptedError(): CommandError {
  const hint = 'Run the same command again when you want to send it.';
  return new CommandError('interrupted', 'Interrupted; nothing was sent.', hint, EXIT.interrupted);
}

/** Refuses a command that must ask and cannot. `reason` says why it asks, such as `A payout cannot be undone`. */
export function requireAnswer(
  { interactive }: { readonly interactive: boolean },
  yes: boolean,
  reason: string,
): void {
  if (yes || interactive) return;
  throw new CommandError(
    'needs-yes',
    `${reason}, and Herald cannot ask without a terminal. Nothing was sent.`,
    'Add --yes.',
  );
}

/** The stack of a bug. Its message may quote the service. */
export function stackOf(error: unknown): Visible {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return joined(visibleLines(text), '\n');
}
