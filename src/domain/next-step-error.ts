import type { ErrorCode } from './error-codes.ts';

/** An error that says what happened, and what to do next. No part of it is a secret. */
export abstract class NextStepError<Code extends ErrorCode> extends Error {
  readonly code: Code;
  /** As a sentence or a command. */
  readonly next: string;

  constructor(code: Code, message: string, next: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.next = next;
  }
}
