import type { Problem } from './errors.ts';

/**
 * How one exchange ended (rulebook 0.4). Only `refused`, `throttled` and `not_sent` prove that the
 * service did not act; `unknown` is neither success nor failure.
 */
export type Exchange<Reply> =
  | { readonly kind: 'done'; readonly reply: Reply; readonly sentAtMs: number }
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

/** How an answer's status is to be read, before its body. */
export type StatusClass = 'success' | 'refused' | 'throttled' | 'unheard';

/**
 * | status        | class     | why                                                       |
 * | 2xx           | success   | another 2xx than the documented one counts when it parses |
 * | 429           | throttled | Assumed: never executed (N45)                             |
 * | 408, 425      | unheard   | the server gave up waiting; it may have acted             |
 * | other 4xx     | refused   | answered, not acted                                       |
 * | 3xx, 5xx, 1xx | unheard   | says nothing about whether the request was carried out    |
 */
export function classifyStatus(status: number): StatusClass {
  if (status >= 200 && status < 300) return 'success';
  if (status === 429) return 'throttled';
  if (status === 408 || status === 425) return 'unheard';
  return status >= 400 && status < 500 ? 'refused' : 'unheard';
}

/** The code under which the transport reports any failure to connect: DNS, TCP, TLS, time-out. */
export const NEVER_CONNECTED_CODE = 'HERALD_NEVER_CONNECTED';

/** Causes below this depth are not looked at. */
const CAUSE_DEPTH_MAX = 5;

/**
 * Error codes of a connection that never came to be: the service cannot have seen the request.
 * Through a proxy, and in process, they arrive as they are.
 */
const NEVER_CONNECTED: ReadonlySet<string> = new Set([
  NEVER_CONNECTED_CODE,
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_PRX_TLS',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_SSL_WRONG_VERSION_NUMBER',
]);

/** The code of a failed fetch, found along its causes; null when it has none. */
function failureCode(error: unknown): string | null {
  const found = causesOf(error).find((cause) => 'code' in cause && typeof cause.code === 'string');
  return found !== undefined && 'code' in found ? String(found.code) : null;
}

/** Whether a failed fetch proves that nothing was sent. A reset proves nothing. */
export function wasNeverSent(error: unknown): boolean {
  const code = failureCode(error);
  return (code !== null && NEVER_CONNECTED.has(code)) || deepestMessage(error).startsWith('Proxy response');
}

/** The message nearest to the cause: `fetch failed` alone tells nobody anything. */
export function deepestMessage(error: unknown): string {
  const messages = causesOf(error).map((cause) => cause.message);
  return messages.findLast((message) => message !== '') ?? String(error);
}

/** The error and what caused it; of several attempts at once, the first. */
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
 * `Retry-After` in milliseconds, from seconds or an HTTP date; null when missing or not readable.
 * Assumed: the document does not say whether a 429 carries it (N34).
 */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  // `Date.parse` alone takes "-5" for a month of 2001.
  const date = /^\s*[a-z]{3,9}[, ]/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}
