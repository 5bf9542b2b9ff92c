import { HeraldError } from '../domain/herald-error.ts';
import type { CallName } from './catalogue.ts';
import { EMBEDDED_BASE_URL } from '../domain/service-identity.ts';

/** The problem of one exchange, as people and JSON see it. It contains no secret. */
export interface Problem {
  readonly operation: CallName;
  readonly method: string;
  /** Address without credentials. */
  readonly url: string;
  /** HTTP status; null without an answer. */
  readonly status: number | null;
  /** The service's own code, e.g. `API_KEY_PERMISSION_DENIED`. */
  readonly code: string | null;
  /** What happened, as a sentence without the request. */
  readonly what: string;
  /** The next step for the user; null if there is none. */
  readonly hint: string | null;
  readonly details: unknown;
}

/** `answered 403: API_KEY_PERMISSION_DENIED: … (GET https://…)`. The embedded simulator has no address to show. */
export function describeProblem({ what, method, url }: Problem): string {
  const place = url.startsWith(EMBEDDED_BASE_URL)
    ? `${url.slice(EMBEDDED_BASE_URL.length)} of the embedded simulator`
    : url;
  return `${what} (${method} ${place})`;
}

/** A call that failed. Thrown by reads, because their callers cannot continue. */
export class ServiceError extends HeraldError {
  /** The service's own code, if it gave one. */
  override readonly code: string;
  readonly problem: Problem;
  constructor(problem: Problem, { cause }: ErrorOptions = {}) {
    super('service-error', describeProblem(problem), problem.hint, { details: problem, cause });
    this.code = problem.code ?? 'service-error';
    this.problem = problem;
  }
}

/** A call that breaks a limit of the catalogue. Nothing was sent. */
export class InvalidCallError extends HeraldError {
  constructor(operation: CallName, issues: readonly string[]) {
    super('invalid-call', `${operation} was not sent: ${issues.join('; ')}`, null, { details: { issues } });
  }
}

/** A list could not be read to its end. Never treat it as a short list. */
export class IncompleteScanError extends HeraldError {
  constructor(message: string, hint = 'Nothing was changed. Try again.') {
    super('incomplete-list', message, hint);
  }
}

/** Whether what is asked for could not be read, or not to its end. Some commands go on without it. */
export function isUnread(error: unknown): error is ServiceError | IncompleteScanError {
  return error instanceof ServiceError || error instanceof IncompleteScanError;
}
