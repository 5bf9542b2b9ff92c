import type { Clock } from '../domain/ports.ts';
import type { CallName } from './catalogue.ts';
import { BUG_CODE, makeProblem, readErrorBody, type ErrorBody, type Problem } from './errors.ts';
import { classifySendError, classifyStatus, describeError, type Exchange } from './exchange.ts';
import { parseJson } from './json.ts';
import type { ApiKey } from './key.ts';
import type { Row } from './row.ts';
import type { BuiltCall } from './url.ts';

/** A request that was sent, with the data to tell how it ended. */
export interface SentCall {
  readonly call: BuiltCall;
  readonly key: ApiKey;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly sentAtMs: number;
}

type Unsuccessful = Exclude<Exchange<unknown>, { readonly kind: 'done' }>;

/** Reads an answer. A cut body does not change the meaning of the status. */
export function understandAnswer(sent: SentCall, response: Response, body: Body): Exchange<unknown> {
  const { sentAtMs, clock } = sent;
  const meaning = classifyStatus(response.status);
  if (meaning === 'success') return understandSuccess(sent, response.status, body);
  const problem = describeAnswer(sent, response.status, body);
  switch (meaning) {
    case 'throttled': {
      const date = Date.parse(response.headers.get('date') ?? '');
      const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), date || clock.now());
      return { kind: 'throttled', problem, sentAtMs, retryAfterMs };
    }
    case 'refused':
      return { kind: 'refused', problem, sentAtMs };
    case 'unconfirmed':
      return { kind: 'unknown', problem, sentAtMs, timedOut: false };
  }
}

/** The meaning of an exchange without an answer: not sent, or sent and lost. */
export function understandSilence(sent: SentCall, error: unknown, timedOut: boolean): Unsuccessful {
  const { call, key, sentAtMs, timeoutMs } = sent;
  const notSent = (what: string, hint: string, code: string | null = null): Unsuccessful => ({
    kind: 'not_sent',
    withheld: false,
    problem: makeProblem(key, call, { what, hint, code }),
  });
  const lost = (what: string): Unsuccessful => ({
    kind: 'unknown',
    sentAtMs,
    timedOut,
    problem: makeProblem(key, call, { what, hint: hintAfterSilence(call.row) }),
  });
  if (timedOut) return lost(`no answer in ${Math.round(timeoutMs / 1000)} s`);
  const { kind, why } = classifySendError(error);
  switch (kind) {
    case 'bug':
      return notSent(
        `Herald failed to send a request: ${why}`,
        'Nothing was sent. This is a bug in Herald: please report it, with the output of the command with --verbose.',
        BUG_CODE,
      );
    case 'too_late':
      return notSent(
        why,
        'Nothing was sent. The machine was asleep or very busy, or the connection took too long. Run it again.',
      );
    case 'never_sent':
      return notSent(
        `no connection: ${why}`,
        'Nothing was sent. Check the base address, the network and any proxy.',
      );
    case 'broken':
      return lost(`the connection broke: ${why}`);
  }
}

/** A 2xx counts as done only if its body is as the row promises. Otherwise the result is unknown. */
function understandSuccess(sent: SentCall, status: number, body: Body): Exchange<unknown> {
  const { call, key, sentAtMs } = sent;
  const { reply: shape, anySuccess, method } = call.row;
  if (shape === null) return { kind: 'done', reply: null, sentAtMs };
  const parsed = body.broken === null ? parsedOrUndefined(body.text) : undefined;
  const result = shape === 'binary' ? null : shape.safeParse(parsed);
  if (result?.success === true) return { kind: 'done', reply: result.data, sentAtMs, text: body.text };
  const empty = shape === 'binary' || anySuccess !== true ? null : shape.safeParse({});
  if (empty?.success === true) return { kind: 'done', reply: empty.data, sentAtMs, text: body.text };
  const path = result?.error?.issues[0]?.path ?? [];
  const place = path.length === 0 ? '' : ` at ${path.map(String).join('.')}`;
  const unexpected =
    parsed === undefined ? 'the body is not valid JSON' : `the body is not what the document says${place}`;
  const why = body.broken === null ? unexpected : `the body was cut off: ${body.broken.why}`;
  const hint =
    method === 'GET'
      ? 'Herald does not trust this answer. If this happens again, the service has changed.'
      : hintAfterSilence(call.row);
  return {
    kind: 'unknown',
    sentAtMs,
    timedOut: body.broken?.timedOut ?? false,
    problem: makeProblem(key, call, { status, what: `answered ${status}, but ${why}`, hint }),
  };
}

function describeAnswer({ call, key }: SentCall, status: number, { text }: Body): Problem {
  const body = readErrorBody(parsedOrUndefined(text), text);
  const what = [`answered ${status}`, body.code, body.message].filter((word) => word !== null).join(': ');
  const hint = hintFor(call.operation, call.row, status, body);
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

/** The next step after an error, from its status, its code and its row (ERROR-1). */
export function hintFor(operation: CallName, row: Row, status: number, body: ErrorBody): string | null {
  if (status === 403) return hintAfterForbidden(operation, row, body);
  if (status === 401) return 'The API key was not accepted. Check HERALD_API_KEY and service.auth_header.';
  if (status === 404) return 'Not found. Check the id and the account, and that the key may see it.';
  if (status === 429) return 'Another process may be using the same key. Try again in a minute.';
  if (status >= 300 && status < 400)
    return 'A redirect is never followed. Put the final address in service.base_url.';
  if (status === 502 && row.mayBeUnreadable === true)
    return 'Its content may be unreadable. The list still shows it.';
  if (status >= 500 || status === 408 || status === 425) return hintAfterSilence(row);
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

function hintAfterForbidden(operation: CallName, { permission }: Row, { code, details }: ErrorBody): string {
  if (code === 'API_KEY_PERMISSION_DENIED') {
    const { required_permission: told } = (details ?? {}) as { readonly required_permission?: unknown };
    // A raw path has no permission that the document names.
    const known = operation.includes(' ') ? 'for this call' : permission;
    const needed = typeof told === 'string' && PERMISSION.test(told) ? told : known;
    const ids = operation === 'accounts.list' ? ' Or write the id of each account in herald.yaml.' : '';
    return `The key lacks the permission ${needed}. Give it to the key, or use another key.${ids}`;
  }
  if (operation === 'payouts.request') return 'Payout requests are not enabled for the organisation.';
  return 'The key has no access to this account or platform, or the feature is not enabled.';
}

/** The part of an answer's body that was read. */
export interface Body {
  readonly text: string;
  /** Why the rest is missing; null when the body is complete. */
  readonly broken: { readonly why: string; readonly timedOut: boolean } | null;
}

/** The limit for the body of an error. Any error fits. */
const ERROR_BODY_LIMIT_BYTES = 65_536;

/** The limit for the body of a success, decompressed. It is far above any page that the document describes. */
const SUCCESS_BODY_LIMIT_BYTES = 32 * 1024 * 1024;

/** A stream has to move (LIMIT-5). */
const NO_PROGRESS_MS = 60_000;
/** And it has to end: a byte a minute would always move. The largest thumbnail needs less on a slow line. */
const DOWNLOAD_MS = 600_000;

/** Reads a body. Distinguishes a broken connection from a complete body. Never throws. */
export async function readBody(response: Response, signal: AbortSignal): Promise<Body> {
  try {
    const read = readStart(response, response.ok ? SUCCESS_BODY_LIMIT_BYTES : ERROR_BODY_LIMIT_BYTES);
    const { text, isWhole } = await orAborted(read, signal);
    // The beginning of an error is enough; the beginning of a success is not.
    return { text, broken: isWhole || !response.ok ? null : { why: TOO_LARGE, timedOut: false } };
  } catch (error) {
    const timedOut = signal.aborted;
    return { text: '', broken: { why: timedOut ? 'time-out' : describeError(error), timedOut } };
  }
}

const TOO_LARGE = `it is larger than ${SUCCESS_BODY_LIMIT_BYTES / 1024 / 1024} MiB`;

/** Reads a limited number of bytes as text: a small answer may unpack to gigabytes, or never end. */
async function readStart(
  response: Response,
  limitBytes: number,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  if (response.body === null) return { text: '', isWhole: true };
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const pieces: Uint8Array[] = [];
  let left = limitBytes;
  let isWhole = false;
  while (left >= 0 && !isWhole) {
    const { done, value } = await reader.read();
    if (done) isWhole = true;
    else {
      pieces.push(value.subarray(0, left));
      left -= value.byteLength;
    }
  }
  if (!isWhole) await reader.cancel();
  return { text: new TextDecoder().decode(Buffer.concat(pieces)), isWhole };
}

/** The bytes of an answer. Fails when none arrive for a while, when they take too long in all, or when the connection breaks. */
export function binaryBody(body: ReadableStream, clock: Clock): ReadableStream<Uint8Array> {
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const endMs = clock.monotonicMs() + DOWNLOAD_MS;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await orTooSlow(clock, reader.read(), endMs - clock.monotonicMs());
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        // Otherwise its connection would keep the process alive.
        reader.cancel(error).catch(() => undefined);
        throw error;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

async function orTooSlow<Value>(clock: Clock, work: Promise<Value>, leftMs: number): Promise<Value> {
  const timer = new AbortController();
  const tooSlow = new AbortController();
  const isLast = leftMs < NO_PROGRESS_MS;
  const why = isLast
    ? `it was not complete after ${DOWNLOAD_MS / 60_000} minutes`
    : `no bytes for ${NO_PROGRESS_MS / 1000} s`;
  // Bytes that are always there would win against any timer.
  if (leftMs <= 0) tooSlow.abort(new Error(why));
  clock.sleep(isLast ? Math.max(0, leftMs) : NO_PROGRESS_MS, timer.signal).then(
    () => tooSlow.abort(new Error(why)),
    () => undefined,
  );
  try {
    return await orAborted(work, tooSlow.signal);
  } finally {
    timer.abort();
  }
}

/** Applies the time-out even if the source of the bytes ignores the request's signal. */
export function orAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
