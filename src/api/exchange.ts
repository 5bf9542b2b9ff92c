import { elapsedMs, momentOf, type Moment } from '../domain/time.ts';
import { NEVER_SENT_CODE, type Clock, type Fetch, type SendHooks } from '../domain/ports.ts';
import {
  describeError,
  makeUnconfirmed,
  understandAnswer,
  understandFailure,
  type Body,
  type Exchange,
} from './answer.ts';
import { makeProblem } from './errors.ts';
import type { ApiKey } from './key.ts';
import type { Bucket, RateBudget } from './limiter.ts';
import { GROUP_PER_SECOND, TOKEN_PER_SECOND } from './row.ts';
import type { BuiltCall } from './url.ts';

export interface ExchangePorts {
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

/**
 * One exchange with the service: wait for a place in every bucket, send, read, classify. It never repeats, and
 * never throws for errors of the service or the network. `onAnswer` receives the head of
 * the answer and the time of the send, to estimate the server's clock.
 */
export async function exchange(
  ports: ExchangePorts,
  call: BuiltCall,
  isUrgent: boolean,
  beforeSend: () => ReturnType<BeforeSend>,
  onAnswer: (response: Response, startedMs: number) => void,
): Promise<Exchange<unknown>> {
  const { clock, key, timeoutMs, log } = ports;
  const slot = await ports.rates.acquire(listBuckets(call), isUrgent);
  const grantedAt = momentOf(clock);
  let withheld: string | null = '';
  try {
    withheld = await beforeSend();
  } finally {
    if (withheld !== null) slot.abandon();
  }
  if (withheld !== null)
    return { kind: 'not_sent', withheld: true, problem: makeProblem(key, call, { what: withheld }) };
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
    const hooks = watchDeparture(clock, call, grantedAt);
    // Here for a `fetch` that knows no hooks. Ours asks again, when the connection stands.
    hooks.leaves();
    const fetching = ports.fetch(buildRequest(ports, call, deadline.signal), hooks);
    const response = await orAborted(fetching, deadline.signal);
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

/**
 * The longest time between the check of the lease and the send of a request that changes something. Later, the request
 * is not sent, so a lease with so much time left covers it.
 */
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
    if (!writes || elapsedMs(clock, grantedAt) <= LEAVES_WITHIN_MS) return;
    const why = `it could not be recorded, checked and sent within ${LEAVES_WITHIN_MS / 1000} s`;
    throw Object.assign(new Error(why), { code: NEVER_SENT_CODE });
  };
  return { writes, leaves };
}

/** The buckets of a call: the token, its endpoint, and its payout account if any. */
function listBuckets({ operation, row, platformAccountId }: BuiltCall): readonly Bucket[] {
  const buckets = [{ key: 'token', perSecond: TOKEN_PER_SECOND }, endpointBucket(operation, row.perSecond)];
  if (row.group === undefined) return buckets;
  return [...buckets, { key: `${row.group}:${platformAccountId ?? ''}`, perSecond: GROUP_PER_SECOND }];
}

export function endpointBucket(operation: string, perSecond: number): Bucket {
  return { key: `endpoint:${operation}`, perSecond };
}

function buildRequest({ authHeader, key }: ExchangePorts, call: BuiltCall, signal: AbortSignal): Request {
  const { reply, method } = call.row;
  const headers = new Headers({
    [authHeader]: key.reveal(),
    accept: reply === 'binary' ? '*/*' : 'application/json',
  });
  if (call.body !== null) headers.set('content-type', 'application/json');
  // A redirect would carry the key to another host.
  return new Request(call.url, { method, headers, body: call.body, redirect: 'manual', signal });
}

/** The limit for the body of an error. Any error fits. */
const ERROR_BODY_LIMIT_BYTES = 65_536;

/** The limit for the body of a success, decompressed. It is far above any page and picture that the document describes. */
const SUCCESS_BODY_LIMIT_BYTES = 32 * 1024 * 1024;

const TOO_LARGE = `it is larger than ${SUCCESS_BODY_LIMIT_BYTES / 1024 / 1024} MiB`;

/** Reads a body. Distinguishes a broken connection from a complete body. Never throws. */
async function readBody(response: Response, signal: AbortSignal): Promise<Body> {
  try {
    const limit = response.ok ? SUCCESS_BODY_LIMIT_BYTES : ERROR_BODY_LIMIT_BYTES;
    const read = readStart((response.body ?? []) as AsyncIterable<Uint8Array>, limit);
    const { bytes, isWhole } = await orAborted(read, signal);
    // The beginning of an error is enough; the beginning of a success is not.
    return { bytes, broken: isWhole || !response.ok ? null : { why: TOO_LARGE, timedOut: false } };
  } catch (error) {
    const timedOut = signal.aborted;
    const why = timedOut ? 'time-out' : describeError(error);
    return { bytes: new Uint8Array(), broken: { why, timedOut } };
  }
}

/** Applies the time-out even if the source of the answer ignores the request's signal. */
function orAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
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
