import { networkProblem } from '../domain/network-problem.ts';
import { NEVER_SENT_CODE } from '../domain/ports.ts';
import { makeProblem, type Problem } from './errors.ts';
import { parseJson } from './json.ts';
import type { ApiKey } from './key.ts';
import type { Row } from './row.ts';
import type { BuiltCall } from './url.ts';

/**
 * How one exchange ended (ERROR-1). Only `refused`, `throttled` and `not_sent` prove that the
 * service did not act; `unknown` is neither success nor failure.
 */
export type Exchange<Reply> =
  /** `text` is the body as it came; missing where there is none. */
  | { readonly kind: 'done'; readonly reply: Reply; readonly text?: string }
  | { readonly kind: 'refused'; readonly problem: Problem }
  | { readonly kind: 'throttled'; readonly problem: Problem; readonly retryAfterMs: number | null }
  | { readonly kind: 'unknown'; readonly problem: Problem; readonly timedOut: boolean }
  | { readonly kind: 'not_sent'; readonly problem: Problem; readonly withheld: boolean };

type Unknown = Extract<Exchange<never>, { readonly kind: 'unknown' }>;
type NotSent = Extract<Exchange<never>, { readonly kind: 'not_sent' }>;

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

/** The part of an answer's body that was read. */
export interface Body {
  readonly bytes: Uint8Array;
  /** Why the rest is missing; null when the body is complete. */
  readonly broken: { readonly why: string; readonly timedOut: boolean } | null;
}

/** Reads an answer. A cut body does not change the meaning of the status. */
export function understandAnswer(
  { key, nowMs }: { readonly key: ApiKey; readonly nowMs: number },
  call: BuiltCall,
  { status, headers }: Response,
  body: Body,
): Exchange<unknown> {
  const meaning = classifyStatus(status);
  if (meaning === 'success') return understandSuccess(key, call, status, body);
  const problem = describeAnswer(key, call, status, new TextDecoder().decode(body.bytes));
  switch (meaning) {
    case 'throttled': {
      const date = Date.parse(headers.get('date') ?? '');
      return {
        kind: 'throttled',
        problem,
        retryAfterMs: readRetryAfter(headers.get('retry-after'), date || nowMs),
      };
    }
    case 'refused':
      return { kind: 'refused', problem };
    case 'unconfirmed':
      return { kind: 'unknown', problem, timedOut: false };
  }
}

/** A 2xx counts as done only if its body is as the row promises. Otherwise the result is unknown. */
function understandSuccess(key: ApiKey, call: BuiltCall, status: number, body: Body): Exchange<unknown> {
  const { reply: shape, anySuccess } = call.row;
  if (shape === null) return { kind: 'done', reply: null };
  if (shape === 'binary' && body.broken === null) return { kind: 'done', reply: body.bytes };
  const text = new TextDecoder().decode(body.bytes);
  const parsed = body.broken === null ? parsedOrUndefined(text) : undefined;
  const result = shape === 'binary' ? null : shape.safeParse(parsed);
  if (result?.success === true) return { kind: 'done', reply: result.data, text };
  const empty = shape === 'binary' || anySuccess !== true ? null : shape.safeParse({});
  if (empty?.success === true) return { kind: 'done', reply: empty.data, text };
  const path = result?.error?.issues[0]?.path ?? [];
  const place = path.length === 0 ? '' : ` at ${path.map(String).join('.')}`;
  const unexpected =
    parsed === undefined ? 'the body is not valid JSON' : `the body is not what the document says${place}`;
  const why = body.broken === null ? unexpected : `the body was cut off: ${body.broken.why}`;
  const what = `answered ${status}, but ${why}`;
  const problem = makeProblem(key, call, { status, what, hint: hintAfterSilence(call.row) });
  return { kind: 'unknown', problem, timedOut: body.broken?.timedOut ?? false };
}

function describeAnswer(key: ApiKey, call: BuiltCall, status: number, text: string): Problem {
  const body = readErrorBody(parsedOrUndefined(text), text);
  const what = [`answered ${status}`, body.code, body.message].filter((word) => word !== null).join(': ');
  const hint = hintAfterAnswer(call, status, body);
  return makeProblem(key, call, { status, code: body.code, what, hint, details: body.details });
}

function parsedOrUndefined(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/**
 * `Retry-After` in milliseconds, from seconds or an HTTP date; null when missing or not readable. Assumed: the
 * document does not tell whether a 429 has it (ERROR-3).
 */
export function readRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  // `Date.parse` alone reads "-5" as a month of 2001.
  const date = /^\s*[a-z]{3,9}[, ]/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}

/** The meaning of an exchange without an answer in time: sent and lost. */
export function understandTimeout(key: ApiKey, call: BuiltCall, timeoutMs: number): Unknown {
  const what = `no answer in ${Math.round(timeoutMs / 1000)} s`;
  return {
    kind: 'unknown',
    problem: makeProblem(key, call, { what, hint: hintAfterSilence(call.row) }),
    timedOut: true,
  };
}

/** The meaning of an exchange that failed without an answer: not sent, or sent and lost. */
export function understandFailure(key: ApiKey, call: BuiltCall, error: unknown): Unknown | NotSent {
  const why = describeError(error);
  if (wasNeverSent(error)) {
    const problem = makeProblem(key, call, { what: `not sent: ${why}`, hint: NEVER_SENT_HINT });
    return { kind: 'not_sent', problem, withheld: false };
  }
  const problem = makeProblem(key, call, {
    what: `the connection broke: ${why}`,
    hint: hintAfterSilence(call.row),
  });
  return { kind: 'unknown', problem, timedOut: false };
}

const NEVER_SENT_HINT =
  'Nothing was sent. Check the address of the service, the network and any proxy, then run it again.';

/** System calls that come before the first byte of a request. */
const CONNECTING: readonly unknown[] = ['connect', 'getaddrinfo'];

/**
 * Whether a failed request certainly never left: its transport says so, or the system failed to connect. An error with
 * only a code, such as EHOSTUNREACH, proves nothing: an open connection can end with it after the request has arrived.
 */
export function wasNeverSent(error: unknown): boolean {
  const causes = listCauses(error);
  if (causes.some((cause) => 'code' in cause && cause.code === NEVER_SENT_CODE)) return true;
  const failed = causes.find((cause) => 'syscall' in cause && cause.syscall !== undefined);
  return failed !== undefined && 'syscall' in failed && CONNECTING.includes(failed.syscall);
}

/** The message nearest to the cause, in words where the error is known. `fetch failed` alone does not help. */
export function describeError(error: unknown): string {
  const messages = listCauses(error).map((cause) => networkProblem(cause) ?? cause.message);
  return messages.findLast((message) => message !== '') ?? String(error);
}

/** Deeper causes are ignored. */
const CAUSE_DEPTH_MAX = 5;

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

/** The next step after an error, from its status, its code and its row (ERROR-1). */
function hintAfterAnswer(
  { operation, row }: Pick<BuiltCall, 'operation' | 'row'>,
  status: number,
  body: ErrorBody,
): string | null {
  if (status === 403) return hintAfterForbidden(operation, row, body);
  if (status === 401) return 'The API key was not accepted. Check HERALD_API_KEY and service.auth_header.';
  if (status === 404) return 'Not found. Check the id and the account, and that the key may see it.';
  if (status === 429) return 'Another process may be using the same key. Try again in a minute.';
  if (status >= 300 && status < 400)
    return 'A redirect is never followed. Put the final address in service.base_url.';
  if (status === 502 && row.mayBeUnreadable === true)
    return 'Its content may be unreadable. The list still shows it.';
  if (classifyStatus(status) === 'unconfirmed') return hintAfterSilence(row);
  return row.method === 'GET'
    ? null
    : 'The service did not carry it out. Correct it, and run the command again.';
}

/** The hint after an answer that does not confirm the request, or after no answer. */
function hintAfterSilence({ method }: Row): string {
  return method === 'GET'
    ? 'The service, or a gateway before it, has a problem. Try again later.'
    : 'It may have been executed. Read the state before trying again.';
}

/** For example `campaigns.edit`. Other text is not a permission, and a hint must not repeat it. */
const PERMISSION = /^[\w.]{1,100}$/;

function hintAfterForbidden(operation: string, { permission }: Row, { code, details }: ErrorBody): string {
  if (operation === 'payouts.request' && code !== 'API_KEY_PERMISSION_DENIED')
    return 'Payout requests are not enabled for the organisation.';
  if (code !== 'API_KEY_PERMISSION_DENIED')
    return 'The key has no access to this account or platform, or the feature is not enabled.';
  const { required_permission: told } = (details ?? {}) as { readonly required_permission?: unknown };
  // A raw path has no permission that the document names.
  const known = operation.includes(' ') ? 'for this call' : permission;
  const needed = typeof told === 'string' && PERMISSION.test(told) ? told : known;
  const ids = operation === 'accounts.list' ? ' Or write the id of each account in herald.yaml.' : '';
  return `The key lacks the permission ${needed}. Give it to the key, or use another key.${ids}`;
}

/** The longest text of the service in an error, in characters. */
const TEXT_LIMIT = 300;
const CODE_LIMIT = 100;

interface ErrorBody {
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
  const lines = values.map((value) => (typeof value === 'string' ? oneLine(value, limit) : null));
  return lines.find((line) => line !== null) ?? null;
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
