import { isMembers, readMember } from '../domain/field-path.ts';
import { networkProblem } from '../domain/file-problem.ts';
import type { PlatformAccountId } from '../domain/ids.ts';
import { type Clock, type Fetch, NEVER_SENT_CODE, type SendHooks } from '../domain/ports.ts';
import { Moment } from '../domain/time.ts';
import type { CallName } from './catalogue.ts';
import type { Problem } from './errors.ts';
import { parseJson } from './json.ts';
import { type ApiKey, withoutSignatures } from './key.ts';
import type { Bucket, RateBudget, Slot, Turn } from './limiter.ts';
import { GROUP_PER_SECOND, type Row, TOKEN_PER_SECOND } from './row.ts';

/** A call that passed the catalogue's bounds and is ready to be sent. */
export interface BuiltCall {
  readonly operation: CallName;
  readonly row: Row;
  readonly url: string;
  /** JSON text; null where the row has no body. */
  readonly body: string | null;
  /** Where its rate is counted. */
  readonly endpoint: Bucket;
  /** The platform account of payout rows, which share a bucket for each. */
  readonly platformAccountId: PlatformAccountId | null;
}

/** Only `refused`, `throttled` and `not_sent` prove that nothing was done (ERROR-1). `unknown` may be either. */
export type Exchange<Reply> =
  /** `text` is the body as it came, for a row that keeps it; missing where there is none. */
  | { readonly kind: 'done'; readonly reply: Reply; readonly text?: string }
  | { readonly kind: 'refused'; readonly problem: Problem }
  | { readonly kind: 'throttled'; readonly problem: Problem; readonly retryAfterMs: number | null }
  | { readonly kind: 'unknown'; readonly problem: Problem; readonly timedOut: boolean }
  | { readonly kind: 'not_sent'; readonly problem: Problem; readonly withheld: boolean };

export type Unconfirmed = Extract<Exchange<never>, { readonly kind: 'unknown' }>;
export type NotSent = Extract<Exchange<never>, { readonly kind: 'not_sent' }>;

/** What a request is sent with. */
export interface SendPorts {
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** Permission to send. Clients that use the same one keep to the rates together. */
  readonly rates: RateBudget;
  readonly key: ApiKey;
  readonly authHeader: string;
  readonly timeoutMs: number;
  /** One line for each request that was sent, without secrets. */
  readonly log: (line: string) => void;
}

/**
 * Returns the reason not to send a request; null to continue. It runs right before every send. `earlier` is the
 * result of the previous attempt, null for the first one. If it throws, the call ends and nothing is sent.
 */
export type BeforeSend = (earlier: Exchange<unknown> | null) => string | null | Promise<string | null>;

const LONGEST_WAIT_MS = 30_000;

/** Doubles from `firstMs` up to 30 s, with up to a quarter more, so that two runs do not stay in step. */
export function chooseWaitMs(random: () => number, firstMs: number, attempt: number): number {
  return Math.min(LONGEST_WAIT_MS, firstMs * 2 ** (attempt - 1)) * (1 + random() / 4);
}

/**
 * Sends a call once: waits for a place in every bucket, sends, reads and classifies the answer. Never throws for errors of the
 * service or the network. `onAnswer` receives the head of the answer and the time of the send, to estimate the server's clock.
 */
export async function sendCall(
  ports: SendPorts,
  call: BuiltCall,
  turn: Turn,
  beforeSend: () => ReturnType<BeforeSend>,
  onAnswer: (response: Response, startedMs: number) => void,
): Promise<Exchange<unknown>> {
  const { clock, key } = ports;
  const slot = await ports.rates.acquire(listBuckets(call), turn);
  const grantedAt = new Moment(clock);
  let withheld: string | null = '';
  try {
    withheld = await beforeSend();
  } finally {
    if (withheld !== null) slot.abandon();
  }
  if (withheld !== null)
    return { kind: 'not_sent', withheld: true, problem: makeProblem(key, call, { what: withheld }) };
  const hooks = watchDeparture(clock, call, grantedAt);
  return sendNow(ports, call, slot, hooks, onAnswer);
}

/** Not a part of `exchange`: what waited for a place is old for V8, and would keep the bytes of each answer for minutes. */
async function sendNow(
  ports: SendPorts,
  call: BuiltCall,
  slot: Slot,
  hooks: SendHooks,
  onAnswer: (response: Response, startedMs: number) => void,
): Promise<Exchange<unknown>> {
  const { clock, key, timeoutMs, log } = ports;
  const startedMs = clock.monotonicMs();
  const deadline = new AbortController();
  const timer = new AbortController();
  clock.sleep(timeoutMs, timer.signal).then(
    () => deadline.abort(new Error('time-out')),
    () => undefined,
  );
  const logEnd = (end: string) =>
    log(`${call.row.method} ${call.url} -> ${end} in ${Math.round(clock.monotonicMs() - startedMs)} ms`);
  try {
    // Here for a `fetch` that knows no hooks. Ours asks again, when the connection stands.
    hooks.leaves();
    const fetching = ports.fetch(buildRequest(ports, call, deadline.signal), hooks);
    const response = await rejectWhenAborted(fetching, deadline.signal);
    slot.answered();
    onAnswer(response, startedMs);
    const body = await readBody(response, deadline.signal);
    logEnd(String(response.status));
    return understandAnswer(key, call, response, body);
  } catch (error) {
    const result = deadline.signal.aborted
      ? makeUnconfirmed(key, call, `no answer in ${Math.round(timeoutMs / 1000)} s`, { timedOut: true })
      : understandFailure(key, call, error);
    logEnd(result.problem.what);
    return result;
  } finally {
    timer.abort(ANSWERED);
    // A request without an answer may still have reached the server, so its place is held like any other.
    slot.answered();
  }
}

/** Ends the timer of a request. A reason of its own, because the usual one is an error with a stack, made each time. */
const ANSWERED = Symbol('answered');

/** From the check of the lease to the send of a write. A lease with so much time left covers it. */
const LEAVES_WITHIN_MS = 5_000;

/**
 * A request that changes something leaves soon after it got its place, or not at all: it is recorded and checked in
 * between, and the checked facts (the lease, the hour of a broadcast) may be outdated later. Also, the wait for a lost
 * answer counts from the recorded time. A slow disk or connection takes longer, and so does a process that is paused,
 * or a machine that sleeps.
 */
function watchDeparture(clock: Clock, { row }: BuiltCall, grantedAt: Moment): SendHooks {
  const writes = row.method !== 'GET';
  const leaves = () => {
    if (!writes || grantedAt.elapsedMs(clock) <= LEAVES_WITHIN_MS) return;
    const why = `it could not be recorded, checked and sent within ${LEAVES_WITHIN_MS / 1000} s`;
    throw Object.assign(new Error(why), { code: NEVER_SENT_CODE });
  };
  return { writes, leaves };
}

/** The buckets of a call: the token, its endpoint, and its payout account if any. */
function listBuckets({ row, endpoint, platformAccountId }: BuiltCall): readonly Bucket[] {
  const buckets = [{ key: 'token', perSecond: TOKEN_PER_SECOND }, endpoint];
  if (row.group === undefined) return buckets;
  return [...buckets, { key: `${row.group}:${platformAccountId ?? ''}`, perSecond: GROUP_PER_SECOND }];
}

function buildRequest({ authHeader, key }: SendPorts, call: BuiltCall, signal: AbortSignal): Request {
  const { reply, method } = call.row;
  const headers = new Headers({
    [authHeader]: key.reveal(),
    accept: reply === 'binary' ? '*/*' : 'application/json',
  });
  if (call.body !== null) headers.set('content-type', 'application/json');
  // A redirect would carry the key to another host.
  return new Request(call.url, { method, headers, body: call.body, redirect: 'manual', signal });
}

interface Body {
  readonly bytes: Uint8Array;
  /** Why the rest is missing; null when the body is complete. */
  readonly broken: { readonly why: string; readonly timedOut: boolean } | null;
}

/** Any error fits. */
const ERROR_BODY_LIMIT_BYTES = 65_536;

/** The limit for the body of a success, decompressed. It is far above any page and picture that the document describes. */
const SUCCESS_BODY_LIMIT_BYTES = 32 * 1024 * 1024;

const TOO_LARGE = `it is larger than ${SUCCESS_BODY_LIMIT_BYTES / 1024 / 1024} MiB`;

/** Reads a body. Distinguishes a broken connection from a complete body. Never throws. */
async function readBody(response: Response, signal: AbortSignal): Promise<Body> {
  try {
    const limit = response.ok ? SUCCESS_BODY_LIMIT_BYTES : ERROR_BODY_LIMIT_BYTES;
    const read = readStart((response.body ?? []) as AsyncIterable<Uint8Array>, limit);
    const { bytes, isWhole } = await rejectWhenAborted(read, signal);
    // The beginning of an error is enough; the beginning of a success is not.
    return { bytes, broken: isWhole || !response.ok ? null : { why: TOO_LARGE, timedOut: false } };
  } catch (error) {
    const timedOut = signal.aborted;
    const why = timedOut ? 'time-out' : explainFailure(error).why;
    return { bytes: new Uint8Array(), broken: { why, timedOut } };
  }
}

/** Reads a limited number of bytes: a small answer may unpack to gigabytes, or never end. */
export async function readStart(
  body: AsyncIterable<Uint8Array>,
  limitBytes: number,
): Promise<{ readonly bytes: Uint8Array; readonly isWhole: boolean }> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    pieces.push(piece);
    size += piece.byteLength;
    if (size > limitBytes) return { bytes: Buffer.concat(pieces, limitBytes), isWhole: false };
  }
  return { bytes: Buffer.concat(pieces), isWhole: true };
}

/** Applies the time-out even if the source of the answer ignores the request's signal. */
function rejectWhenAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/**
 * The meaning of an answer's status, before its body is read.
 *
 * | status        | class     | why                                                       |
 * |---------------|-----------|-----------------------------------------------------------|
 * | 2xx           | success   | another 2xx than the documented one counts if it parses   |
 * | 429           | throttled | Assumed: never executed (ERROR-3)                         |
 * | 408, 425      | unknown   | the server stopped waiting; it may have executed it       |
 * | other 4xx     | refused   | answered, not executed                                    |
 * | 3xx, 5xx, 1xx | unknown   | does not tell whether the request was executed            |
 */
function classifyStatus(status: number): 'success' | 'refused' | 'throttled' | 'unknown' {
  if (status >= 200 && status < 300) return 'success';
  if (status === 429) return 'throttled';
  if (status === 408 || status === 425) return 'unknown';
  return status >= 400 && status < 500 ? 'refused' : 'unknown';
}

/** Reads an answer. A cut body does not change the meaning of the status. */
function understandAnswer(
  key: ApiKey,
  call: BuiltCall,
  { status, headers }: Response,
  body: Body,
): Exchange<unknown> {
  const kind = classifyStatus(status);
  if (kind === 'success') return understandSuccess(key, call, status, body);
  // Before a text is cut: of a part of the key, nothing would tell what it is.
  const text = String(key.maskIn(new TextDecoder().decode(body.bytes)));
  const { code, message, details } = readErrorBody(text);
  const what = [`answered ${status}`, code, message].filter((word) => word !== null).join(': ');
  const hint = adviseAfterAnswer(call, status, code, details);
  const problem = makeProblem(key, call, { status, code, what, hint, details });
  if (kind === 'refused') return { kind, problem };
  if (kind === 'unknown') return { kind, problem, timedOut: false };
  // In seconds. Assumed: the document does not tell whether a 429 has it (ERROR-3).
  const retryAfter = headers.get('retry-after')?.trim() ?? '';
  return { kind, problem, retryAfterMs: /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : null };
}

/** A 2xx counts as done only if its body is as the row promises. Otherwise the result is unknown. */
function understandSuccess(
  key: ApiKey,
  call: BuiltCall,
  status: number,
  { bytes, broken }: Body,
): Exchange<unknown> {
  const { reply: shape, anySuccess, keepsText } = call.row;
  if (shape === null) return { kind: 'done', reply: null };
  if (shape === 'binary' && broken === null) return { kind: 'done', reply: bytes };
  const text = new TextDecoder().decode(bytes);
  const parsed = broken === null ? tryParse(text) : undefined;
  const result = shape === 'binary' ? null : shape.safeParse(parsed);
  if (result?.success === true)
    return { kind: 'done', reply: result.data, ...(keepsText === true ? { text } : {}) };
  const empty = shape === 'binary' || anySuccess !== true ? null : shape.safeParse({});
  if (empty?.success === true) return { kind: 'done', reply: empty.data, text };
  const place = result?.error?.issues[0]?.path.map(String).join('.') ?? '';
  const at = place === '' ? '' : ` at ${place}`;
  const unexpected = parsed === undefined ? 'valid JSON' : `what the document says${at}`;
  const why = broken === null ? `is not ${unexpected}` : `was cut off: ${broken.why}`;
  const what = `answered ${status}, but the body ${why}`;
  return makeUnconfirmed(key, call, what, { status, timedOut: broken?.timedOut });
}

function tryParse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** An exchange that was sent, and of which nothing tells whether it was executed. */
function makeUnconfirmed(
  key: ApiKey,
  call: BuiltCall,
  what: string,
  { status = null, timedOut = false }: { status?: number | null; timedOut?: boolean | undefined } = {},
): Unconfirmed {
  const problem = makeProblem(key, call, { status, what, hint: adviseAfterSilence(call.row) });
  return { kind: 'unknown', problem, timedOut };
}

function understandFailure(key: ApiKey, call: BuiltCall, error: unknown): Unconfirmed | NotSent {
  const { why, neverLeft } = explainFailure(error);
  if (!neverLeft) return makeUnconfirmed(key, call, `the connection broke: ${why}`);
  const problem = makeProblem(key, call, { what: `not sent: ${why}`, hint: NEVER_SENT_HINT });
  return { kind: 'not_sent', problem, withheld: false };
}

const NEVER_SENT_HINT =
  'Nothing was sent. Check the address of the service, the network and any proxy, then run it again.';

/** The problem of a call. The key and presigned addresses are removed from texts of the service and the network. */
function makeProblem(
  key: ApiKey,
  { operation, url, row }: BuiltCall,
  parts: Partial<Problem> & { readonly what: string },
): Problem {
  const all = { status: null, code: null, hint: null, details: null, ...parts };
  const masked = withoutSignatures(key.maskIn(all)) as typeof all;
  return { operation, method: row.method, url, ...masked };
}

/** System calls that come before the first byte of a request. */
const CONNECTING: readonly unknown[] = ['connect', 'getaddrinfo'];

/**
 * Why a request failed, and whether it certainly never left: its transport says so, or the system failed to connect. An error
 * with only a code, such as EHOSTUNREACH, proves nothing: an open connection can end with it after the request has arrived.
 */
export function explainFailure(error: unknown): { readonly why: string; readonly neverLeft: boolean } {
  const causes = listCauses(error);
  // The one nearest to the cause: `fetch failed` alone does not help.
  const why = causes.map((cause) => networkProblem(cause) ?? cause.message).findLast((text) => text !== '');
  const call = causes.find(({ syscall }) => syscall !== undefined)?.syscall;
  const isMarked = causes.some(({ code }) => code === NEVER_SENT_CODE);
  return { why: why ?? String(error), neverLeft: isMarked || CONNECTING.includes(call) };
}

const CAUSE_DEPTH_MAX = 5;

/** The error and its causes. Of several attempts at once, the first. */
function listCauses(error: unknown): readonly NodeJS.ErrnoException[] {
  const causes: Error[] = [];
  let current = error;
  while (current instanceof Error && causes.length < CAUSE_DEPTH_MAX) {
    causes.push(current);
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  return causes;
}

/** The next step after a failed call, where its status tells one (ERROR-1). */
const HINTS: Readonly<Record<number, string>> = {
  401: 'The API key was not accepted. Check HERALD_API_KEY and service.auth_header.',
  403: 'The key has no access to this account or platform, or the feature is not enabled for the organisation.',
  404: 'Not found. Check the id and the account, and that the key may see it.',
  429: 'Another process may be using the same key. Try again in a minute.',
};

function adviseAfterAnswer(
  call: Pick<BuiltCall, 'operation' | 'row'>,
  status: number,
  code: string | null,
  details: unknown,
): string | null {
  const { row } = call;
  if (code === 'API_KEY_PERMISSION_DENIED' && status === 403) return adviseAfterDenial(call, details);
  if (HINTS[status] !== undefined) return HINTS[status];
  if (status >= 300 && status < 400)
    return 'A redirect is never followed. Put the final address in service.base_url.';
  if (status === 502 && row.mayBeUnreadable === true)
    return 'Its content may be unreadable. The list still shows it.';
  if (classifyStatus(status) === 'unknown') return adviseAfterSilence(row);
  return row.method === 'GET'
    ? null
    : 'The service did not carry it out. Correct it, and run the command again.';
}

/** The hint after an answer that does not confirm the request, or after no answer. */
function adviseAfterSilence({ method }: Row): string {
  return method === 'GET'
    ? 'The service, or a gateway before it, has a problem. Try again later.'
    : 'It may have been executed. Read the state before trying again.';
}

/** For example `campaigns.edit`. Other text is not a permission, and a hint must not repeat it. */
const PERMISSION = /^[\w.]{1,100}$/;

function adviseAfterDenial(
  { operation, row }: Pick<BuiltCall, 'operation' | 'row'>,
  details: unknown,
): string {
  const told = readMember(details, 'required_permission');
  // A raw path has no permission that the document names.
  const known = operation.includes(' ') ? 'for this call' : row.permission;
  const needed = typeof told === 'string' && PERMISSION.test(told) ? told : known;
  const ids = operation === 'accounts.list' ? ' Or write the id of each account in herald.yaml.' : '';
  return `The key lacks the permission ${needed}. Give it to the key, or use another key.${ids}`;
}

/** The longest texts of the service in an error, in characters. */
const TEXT_LIMIT = 300;
const CODE_LIMIT = 100;

/** Assumed: its shape is not shown (ERROR-11), so flat, nested, listed, plain and HTML bodies are read. */
function readErrorBody(text: string): {
  readonly code: string | null;
  readonly message: string | null;
  readonly details: unknown;
} {
  const body = tryParse(text);
  if (!isMembers(body)) return { code: null, message: readableText(text), details: null };
  const first = readMember(body, 'errors', '0');
  const nested = [body['error'], first].find(isMembers);
  return {
    code: firstText(CODE_LIMIT, body['code'], nested?.['code']),
    message:
      firstText(TEXT_LIMIT, body['message'], nested?.['message'], body['error'], first) ??
      (nested === undefined ? readableText(text) : null),
    details: body['details'] ?? nested?.['details'] ?? null,
  };
}

function readableText(text: string): string | null {
  return firstText(TEXT_LIMIT, text.replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' '));
}

/** The first text, without line breaks and other control characters, which would affect a terminal. */
function firstText(limit: number, ...values: readonly unknown[]): string | null {
  for (const value of values) {
    if (typeof value !== 'string') continue;
    const line = value
      .slice(0, 2 * limit)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim();
    if (line !== '') return line.length <= limit ? line : `${line.slice(0, limit - 1)}…`;
  }
  return null;
}
