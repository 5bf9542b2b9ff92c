import type { ErrorCode } from '../domain/error-codes.ts';

/** Ends a job of CI with a message that says what to do. */
export class CiError extends Error {
  override readonly name = 'CiError';
  readonly code: ErrorCode;
  readonly hint: string;
  constructor(code: ErrorCode, message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
