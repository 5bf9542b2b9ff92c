import { LEFT_TOO_LATE_CODE, type Clock, type Departure, type Fetch } from '../domain/ports.ts';
import type { Bucket, RateBudget, Slot } from '../domain/rate-budget.ts';
import { binaryBody, orAborted, readBody } from './body.ts';
import { problemOf } from './errors.ts';
import { markedBug, wasBugBeforeSending, type Exchange } from './exchange.ts';
import type { ApiKey } from './key.ts';
import { GROUP_PER_SECOND, TOKEN_PER_SECOND } from './row.ts';
import { understandAnswer, understandSilence } from './understand.ts';
import type { BuiltCall } from './built-call.ts';

/**
 * A request that changes something leaves within this time after it was checked, or not at all. What was checked
 * (the lock, the list, the hour of a broadcast) is not true for ever, and the time of the check is on record: the wait
 * for a lost answer counts from there, and the service may carry a request out 65 s after it has left. A connection
 * that is made slowly takes longer, and so does a machine that sleeps.
 */
const LEAVES_WITHIN_MS = 5_000;

export interface RequestPorts {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly rates: RateBudget;
  readonly key: ApiKey;
  readonly authHeader: string;
  readonly timeoutMs: number;
  /** Hears every answer's head, for the estimate of the server's clock, and when its request left by the monotonic clock. */
  readonly onAnswer: (response: Response, startedMs: number) => void;
  /** One line for each request that was sent, without secrets. */
  readonly log: (line: string) => void;
}

/**
 * Something to do before the send that takes calls of its own: the request's place is free for others meanwhile, and
 * it is asked about once more when it has one again. Answers why it is not to be sent after all; null to go on.
 */
export interface DoFirst {
  readonly first: () => Promise<string | null>;
}

type Said = string | DoFirst | null;
type Reason = Said | Promise<Said>;

/**
 * Why a request is not to be sent after all; null to go on. Asked right before every send, and waited for; `earlier`
 * is how the attempt before it ended, null for the first one. What it throws ends the call: nothing was sent then.
 */
export type Withhold = (earlier: Exchange<unknown> | null) => Reason;

/**
 * One exchange with the service: wait for a place in every bucket, send, read, classify.
 * It never repeats and never throws for what the service or the network does. `turn` is the limiter's.
 */
export async function exchange(
  ports: RequestPorts,
  call: BuiltCall,
  turn: number,
  withhold?: () => Reason,
): Promise<Exchange<unknown>> {
  const deadline = new AbortController();
  const slot = await placeFor(ports, call, turn, withhold);
  if (typeof slot === 'string')
    return { kind: 'not_sent', withheld: true, problem: problemOf(ports.key, call, { what: slot }) };
  const startedMs = ports.clock.monotonicMs();
  const sent = { ...ports, call, sentAtMs: ports.clock.now() };
  const timer = new AbortController();
  ports.clock.sleep(ports.timeoutMs, timer.signal).then(
    () => deadline.abort(new Error('time-out')),
    () => undefined,
  );
  const tookMs = () => Math.round(ports.clock.monotonicMs() - startedMs);
  try {
    const response = await orAborted(
      ports.fetch(requestOf(ports, call, deadline.signal), departureOf(ports.clock, call, startedMs)),
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
    timer.abort();
    // A request that got no headers still may have reached the server: its place is held like any other.
    slot.answered();
  }
}

function departureOf(clock: Clock, { row }: BuiltCall, checkedMs: number): Departure {
  const writes = row.method !== 'GET';
  const leaves = () => {
    const waitedMs = clock.monotonicMs() - checkedMs;
    if (!writes || waitedMs <= LEAVES_WITHIN_MS) return;
    const message = `it could not leave within ${LEAVES_WITHIN_MS / 1000} s after it was checked`;
    throw Object.assign(new Error(message), { code: LEFT_TOO_LATE_CODE });
  };
  return { writes, leaves };
}

/** A place for a request that may be sent, or why it may not: no place is held then. */
async function placeFor(
  ports: RequestPorts,
  call: BuiltCall,
  turn: number,
  withhold: (() => Reason) | undefined,
): Promise<Slot | string> {
  for (;;) {
    const slot = await ports.rates.acquire(bucketsOf(call), undefined, turn);
    const said = await reasonNotTo(slot, withhold);
    if (said === null) return slot;
    slot.abandon();
    const reason = typeof said === 'string' ? said : await said.first();
    if (reason !== null) return reason;
  }
}

/** What `withhold` says; when it fails, nothing is sent and the place is free again. */
async function reasonNotTo(slot: Slot, withhold: (() => Reason) | undefined): Promise<Said> {
  try {
    return (await withhold?.()) ?? null;
  } catch (error) {
    slot.abandon();
    throw error;
  }
}

/** The buckets a call counts against: the token, its endpoint, and its payout account where it has one. */
function bucketsOf(call: BuiltCall): readonly Bucket[] {
  const { operation, row, platformAccountId } = call;
  const buckets = [{ key: 'token', perSecond: TOKEN_PER_SECOND }, endpointBucket(operation, row.perSecond)];
  if (row.group === undefined) return buckets;
  return [...buckets, { key: `${row.group}:${platformAccountId ?? ''}`, perSecond: GROUP_PER_SECOND }];
}

export function endpointBucket(operation: string, perSecond: number): Bucket {
  return { key: `endpoint:${operation}`, perSecond };
}

/** With the stack of the error that a bug is behind. */
function stackOf(error: unknown): string {
  const { cause = error } = error as { readonly cause?: unknown };
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}

function requestOf(ports: RequestPorts, call: BuiltCall, signal: AbortSignal): Request {
  try {
    return builtRequest(ports, call, signal);
  } catch (error) {
    throw markedBug(error);
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
