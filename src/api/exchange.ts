import { FAILED_BEFORE_SENDING_CODE, LEFT_TOO_LATE_CODE, NEVER_CONNECTED_CODE } from '../domain/ports.ts';
import { networkProblem } from '../domain/network-problem.ts';
import type { Problem } from './errors.ts';

/**
 * How one exchange ended (ERROR-1). Only `refused`, `throttled` and `not_sent` prove that the
 * service did not act; `unknown` is neither success nor failure.
 */
export type Exchange<Reply> =
  | {
      readonly kind: 'done';
      readonly reply: Reply;
      readonly sentAtMs: number;
      /** The body as it came; missing where it was not read. */
      readonly text?: string;
    }
  | { readonly kind: 'refused'; readonly problem: Problem; readonly sentAtMs: number }
  | {
      readonly kind: 'throttled';
      readonly problem: Problem;
      readonly sentAtMs: number;
      readonly retryAfterMs: number | null;
    }
  | {
      readonly kind: 'unknown';
      readonly problem: Problem;
      readonly sentAtMs: number;
      readonly timedOut: boolean;
    }
  | { readonly kind: 'not_sent'; readonly problem: Problem; readonly withheld: boolean };

/** The meaning of an answer's status, before its body is read. */
export type StatusClass = 'success' | 'refused' | 'throttled' | 'unconfirmed';

/**
 * | status        | class       | why                                                       |
 * |---------------|-------------|-----------------------------------------------------------|
 * | 2xx           | success     | another 2xx than the documented one counts if it parses   |
 * | 429           | throttled   | Assumed: never executed (ERROR-3)                         |
 * | 408, 425      | unconfirmed | the server stopped waiting; it may have executed it       |
 * | other 4xx     | refused     | answered, not executed                                    |
 * | 3xx, 5xx, 1xx | unconfirmed | does not tell whether the request was executed            |
 */
export function classifyStatus(status: number): StatusClass {
  if (status >= 200 && status < 300) return 'success';
  if (status === 429) return 'throttled';
  if (status === 408 || status === 425) return 'unconfirmed';
  return status >= 400 && status < 500 ? 'refused' : 'unconfirmed';
}

/** Deeper causes are ignored. */
const CAUSE_DEPTH_MAX = 5;

/** Errors of the request path itself, which knows that nothing was written. */
const BEFORE_THE_FIRST_BYTE: readonly unknown[] = [
  NEVER_CONNECTED_CODE,
  LEFT_TOO_LATE_CODE,
  FAILED_BEFORE_SENDING_CODE,
];

/** System calls that come before the first byte of a request. */
const CONNECTING: readonly unknown[] = ['connect', 'getaddrinfo'];

/**
 * Whether a failed fetch proves that nothing was sent. The error, then each cause in turn:
 *
 * | the error                                   | nothing was sent                                              |
 * |---------------------------------------------|---------------------------------------------------------------|
 * | has a mark of the request path              | yes: it was never connected, or no byte of it was written     |
 * | names a system call                         | only `connect` and `getaddrinfo`                              |
 * | gathers several attempts                    | if each of them says so                                       |
 * | has only a code, such as EHOSTUNREACH       | its cause decides; without one no: an open connection can end |
 * |                                             | with the same code after the request has arrived              |
 */
export function wasNeverSent(error: unknown, depth = CAUSE_DEPTH_MAX): boolean {
  if (!(error instanceof Error) || depth === 0) return false;
  if ('code' in error && BEFORE_THE_FIRST_BYTE.includes(error.code)) return true;
  if ('syscall' in error && error.syscall !== undefined) return CONNECTING.includes(error.syscall);
  if (error instanceof AggregateError && error.errors.length > 0)
    return error.errors.every((attempt) => wasNeverSent(attempt, depth - 1));
  return wasNeverSent(error.cause, depth - 1);
}

/** Whether a request was dropped because it could not be sent soon after its check. */
export function wasTooLateToLeave(error: unknown): boolean {
  return causesOf(error).some((cause) => 'code' in cause && cause.code === LEFT_TOO_LATE_CODE);
}

/** Whether a mistake of the program prevented the request. */
export function wasBugBeforeSending(error: unknown): boolean {
  return causesOf(error).some((cause) => 'code' in cause && cause.code === FAILED_BEFORE_SENDING_CODE);
}

/** Errors that only a mistake of a program causes. */
const PROGRAM_ERRORS = [TypeError, ReferenceError, RangeError, SyntaxError];
/** An argument that undici or Node rejects. */
const BAD_ARGUMENT = /^(?:UND_)?ERR_(?:INVALID_ARG|NOT_SUPPORTED|INVALID_THIS)/;

/**
 * Marks an error of `fetch` from before the first byte, if a mistake of the program is its cause. A `TypeError` without a
 * cause proves nothing: a `fetch` that another library put in place reports a broken connection so.
 */
export function markedBug(error: unknown): unknown {
  const cause = causesOf(error).at(-1);
  return cause === undefined || cause === error ? error : markedIfBug(error, cause);
}

/** The same for an error from building a request, of which nothing can have been sent. */
export function markedBugInRequest(error: unknown): unknown {
  const cause = causesOf(error).at(-1);
  return cause === undefined ? error : markedIfBug(error, cause);
}

function markedIfBug(error: unknown, cause: Error): unknown {
  const code = 'code' in cause ? String(cause.code) : '';
  const isBug =
    BAD_ARGUMENT.test(code) || (code === '' && PROGRAM_ERRORS.some((kind) => cause instanceof kind));
  return isBug
    ? Object.assign(new Error(cause.message, { cause: error }), { code: FAILED_BEFORE_SENDING_CODE })
    : error;
}

/** The message nearest to the cause, in words where the error is known. `fetch failed` alone does not help. */
export function deepestMessage(error: unknown): string {
  const messages = causesOf(error).map((cause) => networkProblem(cause) ?? cause.message);
  return messages.findLast((message) => message !== '') ?? String(error);
}

/** The error and its causes. Of several attempts at once, the first. */
function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  let current = error;
  while (current instanceof Error && causes.length < CAUSE_DEPTH_MAX) {
    causes.push(current);
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  return causes;
}

/**
 * `Retry-After` in milliseconds, from seconds or an HTTP date; null when missing or not readable. Assumed: the
 * document does not tell whether a 429 has it (ERROR-3).
 */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  // `Date.parse` alone reads "-5" as a month of 2001.
  const date = /^\s*[a-z]{3,9}[, ]/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}
