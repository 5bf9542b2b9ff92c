import { elapsedMs, momentOf, type Moment } from '../domain/elapsed.ts';
import { LEAVES_WITHIN_MS } from '../domain/lease.ts';
import { LEFT_TOO_LATE_CODE, type Clock, type SendHooks, type Fetch } from '../domain/ports.ts';
import type { Bucket, RateBudget, Slot } from '../domain/rate-budget.ts';
import { binaryBody, orAborted, readBody } from './body.ts';
import { problemOf } from './errors.ts';
import { markedBugInRequest, wasBugBeforeSending, type Exchange } from './exchange.ts';
import type { ApiKey } from './key.ts';
import { GROUP_PER_SECOND, TOKEN_PER_SECOND } from './row.ts';
import { understandAnswer, understandSilence } from './understand.ts';
import type { BuiltCall } from './built-call.ts';

/** Ends the timer of a request. A reason of its own, because the usual one is an error with a stack, made each time. */
const ANSWERED = Symbol('answered');

export interface RequestPorts {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly rates: RateBudget;
  readonly key: ApiKey;
  readonly authHeader: string;
  readonly timeoutMs: number;
  /** Receives the head of every answer, and the send time, to estimate the server's clock. */
  readonly onAnswer: (response: Response, startedMs: number) => void;
  /** One line for each request that was sent, without secrets. */
  readonly log: (line: string) => void;
}

/**
 * An action before the send that makes its own calls. Meanwhile the request gives up its place, and it is asked
 * again when it has a new one. Returns the reason not to send; null to continue.
 */
export interface WorkFirst {
  readonly first: () => Promise<string | null>;
}

type SendDecision = string | WorkFirst | null;

/**
 * Returns the reason not to send a request; null to continue. It runs right before every send. `earlier` is the
 * result of the previous attempt, null for the first one. If it throws, the call ends and nothing is sent.
 */
export type BeforeSend = (earlier: Exchange<unknown> | null) => SendDecision | Promise<SendDecision>;

/**
 * One exchange with the service: wait for a place in every bucket, send, read, classify. It never repeats, and
 * never throws for errors of the service or the network. `turn` comes from the limiter.
 */
export async function exchange(
  ports: RequestPorts,
  call: BuiltCall,
  turn: number,
  beforeSend?: () => SendDecision | Promise<SendDecision>,
): Promise<Exchange<unknown>> {
  const deadline = new AbortController();
  const place = await placeFor(ports, call, turn, beforeSend);
  if (typeof place === 'string')
    return { kind: 'not_sent', withheld: true, problem: problemOf(ports.key, call, { what: place }) };
  const { slot, grantedAt } = place;
  const startedMs = ports.clock.monotonicMs();
  const sent = { ...ports, call, sentAtMs: ports.clock.now() };
  const timer = new AbortController();
  ports.clock.sleep(ports.timeoutMs, timer.signal).then(
    () => deadline.abort(new Error('time-out')),
    () => undefined,
  );
  const tookMs = () => Math.round(ports.clock.monotonicMs() - startedMs);
  try {
    const hooks = guardDeparture(ports.clock, call, grantedAt);
    // Here for a `fetch` that knows no hooks. Ours asks again, when the connection stands.
    hooks.leaves();
    const response = await orAborted(
      ports.fetch(requestOf(ports, call, deadline.signal), hooks),
      deadline.signal,
    );
    slot.answered();
    ports.onAnswer(response, startedMs);
    if (call.row.reply === 'binary' && response.ok && response.body !== null) {
      ports.log(`${call.row.method} ${call.url} -> ${response.status} in ${tookMs()} ms`);
      return { kind: 'done', reply: binaryBody(response.body, ports.clock), sentAtMs: sent.sentAtMs };
    }
    const body = await readBody(response, deadline.signal);
    ports.log(`${call.row.method} ${call.url} -> ${response.status} in ${tookMs()} ms`);
    return understandAnswer(sent, response, body);
  } catch (error) {
    const result = understandSilence(sent, error, deadline.signal.aborted);
    ports.log(`${call.row.method} ${call.url} -> ${result.problem.what} after ${tookMs()} ms`);
    if (wasBugBeforeSending(error)) ports.log(stackOf(error));
    return result;
  } finally {
    timer.abort(ANSWERED);
    // A request without an answer may still have reached the server, so its place is held like any other.
    slot.answered();
  }
}

/**
 * A request that changes something leaves soon after it got its place, or not at all: it is recorded and checked in
 * between. The checked facts (the lease, the hour of a broadcast) may be outdated later. Also, the wait for a lost answer
 * counts from the recorded time, and the service may execute a request up to 65 s after it was sent. A slow disk or
 * connection takes longer, and so does a process that is paused, or a machine that sleeps.
 */
function guardDeparture(clock: Clock, { row }: BuiltCall, grantedAt: Moment): SendHooks {
  const writes = row.method !== 'GET';
  const leaves = () => {
    if (!writes || elapsedMs(clock, grantedAt) <= LEAVES_WITHIN_MS) return;
    const message = `it could not be recorded, checked and sent within ${LEAVES_WITHIN_MS / 1000} s`;
    throw Object.assign(new Error(message), { code: LEFT_TOO_LATE_CODE });
  };
  return { writes, leaves };
}

interface Place {
  readonly slot: Slot;
  readonly grantedAt: Moment;
}

/** A place for a request that may be sent, or the reason why not. Then no place is held. */
async function placeFor(
  ports: RequestPorts,
  call: BuiltCall,
  turn: number,
  beforeSend: (() => SendDecision | Promise<SendDecision>) | undefined,
): Promise<Place | string> {
  for (;;) {
    const slot = await ports.rates.acquire(bucketsOf(call), undefined, turn);
    const grantedAt = momentOf(ports.clock);
    const said = await reasonNotTo(slot, beforeSend);
    if (said === null && slot.isOpen()) return { slot, grantedAt };
    slot.abandon();
    // A 429 of another request came while this one was checked. It is checked again at its next place.
    if (said === null) continue;
    const reason = typeof said === 'string' ? said : await said.first();
    if (reason !== null) return reason;
  }
}

/** Asks `beforeSend`. If it fails, nothing is sent and the place is free again. */
async function reasonNotTo(
  slot: Slot,
  beforeSend: (() => SendDecision | Promise<SendDecision>) | undefined,
): Promise<SendDecision> {
  try {
    return (await beforeSend?.()) ?? null;
  } catch (error) {
    slot.abandon();
    throw error;
  }
}

/** The buckets of a call: the token, its endpoint, and its payout account if any. */
function bucketsOf(call: BuiltCall): readonly Bucket[] {
  const { operation, row, platformAccountId } = call;
  const buckets = [{ key: 'token', perSecond: TOKEN_PER_SECOND }, endpointBucket(operation, row.perSecond)];
  if (row.group === undefined) return buckets;
  const key = `${row.group}:${platformAccountId ?? ''}`;
  return [...buckets, { key, perSecond: GROUP_PER_SECOND }];
}

export function endpointBucket(operation: string, perSecond: number): Bucket {
  return { key: `endpoint:${operation}`, perSecond };
}

/** Includes the stack of the underlying error. */
function stackOf(error: unknown): string {
  const { cause = error } = error as { readonly cause?: unknown };
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}

function requestOf(ports: RequestPorts, call: BuiltCall, signal: AbortSignal): Request {
  try {
    return builtRequest(ports, call, signal);
  } catch (error) {
    throw markedBugInRequest(error);
  }
}

function builtRequest({ authHeader, key }: RequestPorts, call: BuiltCall, signal: AbortSignal): Request {
  const accept = call.row.reply === 'binary' ? '*/*' : 'application/json';
  const headers = new Headers({ [authHeader]: key.reveal(), accept });
  if (call.body !== null) headers.set('content-type', 'application/json');
  return new Request(call.url, {
    method: call.row.method,
    headers,
    body: call.body,
    // A redirect would carry the key to another host.
    redirect: 'manual',
    signal,
  });
}
