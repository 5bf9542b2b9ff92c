import type { ErrorCode } from './error-codes.ts';
import { NextStepError } from './next-step-error.ts';

/** What is wrong with the place that keeps the shared state. */
export type StateErrorCode = Extract<ErrorCode, `state-${string}`>;

/** The shared state cannot be used. The message never contains the password of its address. */
export class StateError extends NextStepError<StateErrorCode> {
  override readonly name = 'StateError';
}
