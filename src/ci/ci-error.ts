import type { ErrorCode } from '../domain/error-codes.ts';

/** Ends a job of CI with a message that says what to do. */
export class CiError extends Error {
  override readonly name = 'CiError';
  readonly code: ErrorCode;
  readonly hint: string;
  /** `refused`: Herald could, and does not. `failed`: it could not. */
  readonly how: 'failed' | 'refused';
  /** Pull requests that it is about, where it is reported. */
  readonly pullRequests: readonly number[];
  constructor(
    code: ErrorCode,
    message: string,
    hint: string,
    how: CiError['how'] = 'failed',
    pullRequests: readonly number[] = [],
  ) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.how = how;
    this.pullRequests = pullRequests;
  }
}
