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

/** What the error of a send says about its request. Only `broken` leaves open whether the other side got it. */
export interface SendError {
  /** `bug`: a mistake of the program prevented it. `too_late`: it could not leave soon after its check. */
  readonly kind: 'bug' | 'too_late' | 'never_sent' | 'broken';
  /** In words for people. */
  readonly why: string;
}

/** Reads the error of a request without an answer, for every kind of send. */
export function classifySendError(error: unknown): SendError {
  const codes = listCauses(error).map((cause) => ('code' in cause ? cause.code : undefined));
  const why = describeError(error);
  if (codes.includes(FAILED_BEFORE_SENDING_CODE)) return { kind: 'bug', why };
  if (codes.includes(LEFT_TOO_LATE_CODE)) return { kind: 'too_late', why };
  return { kind: wasNeverSent(error) ? 'never_sent' : 'broken', why };
}

/** The message nearest to the cause, in words where the error is known. `fetch failed` alone does not help. */
export function describeError(error: unknown): string {
  const messages = listCauses(error).map((cause) => networkProblem(cause) ?? cause.message);
  return messages.findLast((message) => message !== '') ?? String(error);
}

/** Deeper causes are ignored. */
const CAUSE_DEPTH_MAX = 5;

/** System calls that come before the first byte of a request. */
const CONNECTING: readonly unknown[] = ['connect', 'getaddrinfo'];

/**
 * Whether a failed fetch proves that nothing was sent. The error, then each cause in turn:
 *
 * | the error                                   | nothing was sent                                              |
 * |---------------------------------------------|---------------------------------------------------------------|
 * | has the mark of the transport               | yes: it was never connected                                   |
 * | names a system call                         | only `connect` and `getaddrinfo`                              |
 * | gathers several attempts                    | if each of them says so                                       |
 * | has only a code, such as EHOSTUNREACH       | its cause decides; without one no: an open connection can end |
 * |                                             | with the same code after the request has arrived              |
 */
function wasNeverSent(error: unknown, depth = CAUSE_DEPTH_MAX): boolean {
  if (!(error instanceof Error) || depth === 0) return false;
  if ('code' in error && error.code === NEVER_CONNECTED_CODE) return true;
  if ('syscall' in error && error.syscall !== undefined) return CONNECTING.includes(error.syscall);
  if (error instanceof AggregateError && error.errors.length > 0)
    return error.errors.every((attempt) => wasNeverSent(attempt, depth - 1));
  return wasNeverSent(error.cause, depth - 1);
}

/** Errors that only a mistake of a program causes. */
const PROGRAM_ERRORS = [TypeError, ReferenceError, RangeError, SyntaxError];
/** An argument that undici or Node rejects. */
const BAD_ARGUMENT = /^(?:UND_)?ERR_(?:INVALID_ARG|NOT_SUPPORTED|INVALID_THIS)/;

/**
 * Marks an error of `fetch` from before the first byte, if a mistake of the program is its cause. A `TypeError` without a
 * cause proves nothing: a `fetch` that another library put in place reports a broken connection so.
 */
export function markBug(error: unknown): unknown {
  const cause = listCauses(error).at(-1);
  if (cause === undefined || cause === error) return error;
  const code = 'code' in cause ? String(cause.code) : '';
  const isBug =
    BAD_ARGUMENT.test(code) || (code === '' && PROGRAM_ERRORS.some((kind) => cause instanceof kind));
  return isBug ? asBug(cause.message, error) : error;
}

/** The error of a request that a mistake of the program prevented. */
export function asBug(message: string, cause: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code: FAILED_BEFORE_SENDING_CODE });
}

/** The error and its causes. Of several attempts at once, the first. */
function listCauses(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  let current = error;
  while (current instanceof Error && causes.length < CAUSE_DEPTH_MAX) {
    causes.push(current);
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  return causes;
}
