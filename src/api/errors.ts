import { HeraldError } from '../domain/herald-error.ts';
import type { CallName } from './catalogue.ts';
import { type ApiKey, withoutSignatures } from './key.ts';
import type { ErrorCode } from '../domain/error-codes.ts';
import { EMBEDDED_BASE_URL } from '../domain/service-identity.ts';
import type { Row } from './row.ts';

/** Used instead of a code of the service: Herald itself made a mistake, and a repeat would make it again. */
export const BUG_CODE = 'internal-error' satisfies ErrorCode;

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

/** The problem of a call. The key and presigned addresses are removed from texts of the service and the network. */
export function makeProblem(
  key: ApiKey,
  call: Pick<Problem, 'operation' | 'url'> & { readonly row: Pick<Row, 'method'> },
  parts: Partial<Problem> & { readonly what: string },
): Problem {
  const request = { operation: call.operation, method: call.row.method, url: call.url };
  const masked = withoutSignatures(
    key.maskIn({ status: null, code: null, hint: null, details: null, ...parts }),
  );
  return { ...request, ...(masked as typeof parts & Omit<Problem, 'operation' | 'method' | 'url'>) };
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
  readonly operation: CallName;
  readonly issues: readonly string[];
  constructor(operation: CallName, issues: readonly string[]) {
    super('invalid-call', `${operation} was not sent: ${issues.join('; ')}`, null, { details: { issues } });
    this.operation = operation;
    this.issues = issues;
  }
}

/** A list could not be read to its end. Never treat it as a short list. */
export class IncompleteScanError extends HeraldError {
  constructor(message: string, options: ErrorOptions & { readonly hint?: string } = {}) {
    const { hint = 'Nothing was changed. Try again.', cause } = options;
    super('incomplete-list', message, hint, { cause });
  }
}

/** A list that ends where the service cuts it off, and that has no next page. Reading it again does not help. */
export class CutOffError extends IncompleteScanError {
  constructor(message: string) {
    super(message, {
      hint: 'The service has no way to read more. To read a part on purpose, use --limit.',
    });
  }
}

/** The longest text of the service in an error, in characters. */
const TEXT_LIMIT = 300;
const CODE_LIMIT = 100;

export interface ErrorBody {
  readonly code: string | null;
  readonly message: string | null;
  readonly details: unknown;
}

/**
 * Reads the body of an error. Assumed: the document does not show its shape (ERROR-11), so flat, nested, listed,
 * plain and HTML bodies are accepted.
 */
export function readErrorBody(parsed: unknown, text: string): ErrorBody {
  const body = asRecord(parsed);
  if (body === null) return { code: null, message: readableText(text), details: null };
  const nested = asRecord(body['error']) ?? asRecord(takeFirst(body['errors']));
  return {
    code: firstText(CODE_LIMIT, body['code'], nested?.['code']),
    message:
      firstText(TEXT_LIMIT, body['message'], nested?.['message'], body['error'], takeFirst(body['errors'])) ??
      (nested === null ? readableText(text) : null),
    details: body['details'] ?? nested?.['details'] ?? null,
  };
}

function readableText(text: string): string | null {
  const withoutTags = text.replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' ');
  return oneLine(withoutTags, TEXT_LIMIT);
}

function firstText(limit: number, ...values: readonly unknown[]): string | null {
  const found = values.find(
    (value): value is string => typeof value === 'string' && oneLine(value, limit) !== null,
  );
  return found === undefined ? null : oneLine(found, limit);
}

/** Without line breaks and other control characters, which would affect a terminal; null if nothing is left. */
function oneLine(text: string, limit: number): string | null {
  const line = text
    .slice(0, 2 * limit)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  if (line === '') return null;
  return line.length <= limit ? line : `${line.slice(0, limit - 1)}…`;
}

function takeFirst(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : null;
}

function asRecord(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

/** What is asked for could not be read, or not to its end. Some commands go on without it. */
export type Unread = ServiceError | IncompleteScanError;

export function isUnread(error: unknown): error is Unread {
  return error instanceof ServiceError || error instanceof IncompleteScanError;
}
