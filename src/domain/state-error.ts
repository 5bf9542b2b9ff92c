import type { ErrorCode } from './error-codes.ts';

/** What is wrong with the place that keeps the shared state. */
export type StateErrorCode = Extract<ErrorCode, `state-${string}`>;

/** The shared state cannot be used. The message never contains the password of its address. */
export class StateError extends Error {
  override readonly name = 'StateError';
  readonly code: StateErrorCode;
  /** What to do next, as a sentence or a command. */
  readonly next: string;

  constructor(code: StateErrorCode, message: string, next: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.next = next;
  }
}
