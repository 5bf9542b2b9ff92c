import { elapsedMs, type Moment, momentOf } from '../domain/time.ts';
import { LEFT_TOO_LATE_CODE, type Clock, type SendHooks, type Fetch } from '../domain/ports.ts';
import type { Bucket, RateBudget, Slot } from './limiter.ts';
import { binaryBody, orAborted, readBody, understandAnswer, understandSilence } from './answer.ts';
import { BUG_CODE, makeProblem } from './errors.ts';
import { asBug, describeError, type Exchange } from './exchange.ts';
import type { ApiKey } from './key.ts';
import { GROUP_PER_SECOND, TOKEN_PER_SECOND } from './row.ts';
import type { BuiltCall } from './url.ts';

/**
 * The longest time between the check of the lease and the send of a request that changes something. Later, the request
 * is not sent, so a lease with so much time left covers it.
 */
const LEAVES_WITHIN_MS = 5_000;

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

type Ask = () => SendDecision | Promise<SendDecision>;

/**
 * One exchange with the service: wait for a place in every bucket, send, read, classify. It never repeats, and
 * never throws for errors of the service or the network. `turn` comes from the limiter.
 */
export async function exchange(
  ports: RequestPorts,
  call: BuiltCall,
  turn: number,
  beforeSend: Ask,
): Promise<Exchange<unknown>> {
  const place = await waitForPlace(ports, call, turn, beforeSend);
  if (typeof place === 'string')
    return { kind: 'not_sent', withheld: true, problem: makeProblem(ports.key, call, { what: place }) };
  const { clock, log } = ports;
  const startedMs = clock.monotonicMs();
  const sent = { ...ports, call, sentAtMs: clock.now() };
  const deadline = new AbortController();
  const timer = new AbortController();
  clock.sleep(ports.timeoutMs, timer.signal).then(
    () => deadline.abort(new Error('time-out')),
    () => undefined,
  );
  const logEnd = (end: string, word: 'in' | 'after') =>
    log(`${call.row.method} ${call.url} -> ${end} ${word} ${Math.round(clock.monotonicMs() - startedMs)} ms`);
  try {
    const hooks = guardDeparture(clock, call, place.grantedAt);
    // Here for a `fetch` that knows no hooks. Ours asks again, when the connection stands.
    hooks.leaves();
    const fetching = ports.fetch(buildRequest(ports, call, deadline.signal), hooks);
    const response = await orAborted(fetching, deadline.signal);
    place.slot.answered();
    ports.onAnswer(response, startedMs);
    if (call.row.reply === 'binary' && response.ok && response.body !== null) {
      logEnd(String(response.status), 'in');
      return { kind: 'done', reply: binaryBody(response.body, clock), sentAtMs: sent.sentAtMs };
    }
    const body = await readBody(response, deadline.signal);
    logEnd(String(response.status), 'in');
    return understandAnswer(sent, response, body);
  } catch (error) {
    const result = understandSilence(sent, error, deadline.signal.aborted);
    logEnd(result.problem.what, 'after');
    if (result.problem.code === BUG_CODE) log(traceCause(error));
    return result;
  } finally {
    timer.abort(ANSWERED);
    // A request without an answer may still have reached the server, so its place is held like any other.
    place.slot.answered();
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
async function waitForPlace(
  ports: RequestPorts,
  call: BuiltCall,
  turn: number,
  beforeSend: Ask,
): Promise<Place | string> {
  for (;;) {
    const slot = await ports.rates.acquire(listBuckets(call), turn);
    const grantedAt = momentOf(ports.clock);
    let isSent = false;
    try {
      const decision = await beforeSend();
      isSent = decision === null && slot.isOpen();
      if (isSent) return { slot, grantedAt };
      // A 429 of another request came while this one was checked. It is checked again at its next place.
      if (decision === null) continue;
      if (typeof decision === 'string') return decision;
      slot.abandon();
      const reason = await decision.first();
      if (reason !== null) return reason;
    } finally {
      if (!isSent) slot.abandon();
    }
  }
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

/** The stack of the underlying error. */
function traceCause(error: unknown): string {
  const { cause = error } = error as { readonly cause?: unknown };
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}

function buildRequest({ authHeader, key }: RequestPorts, call: BuiltCall, signal: AbortSignal): Request {
  const { reply, method } = call.row;
  try {
    const headers = new Headers({
      [authHeader]: key.reveal(),
      accept: reply === 'binary' ? '*/*' : 'application/json',
    });
    if (call.body !== null) headers.set('content-type', 'application/json');
    // A redirect would carry the key to another host.
    return new Request(call.url, { method, headers, body: call.body, redirect: 'manual', signal });
  } catch (error) {
    throw asBug(describeError(error), error);
  }
}
