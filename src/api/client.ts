import type { Clock, Fetch } from '../domain/ports.ts';
import type { ServerInfo } from '../domain/service-identity.ts';
import type { ListStyle } from '../domain/workspace.ts';
import { CATALOGUE, rowOf, type CallInput, type CallName, type Operation, type Reply } from './catalogue.ts';
import { BUG_CODE, ServiceError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import type { ApiKey } from './key.ts';
import type { RateBudget } from './limiter.ts';
import { endpointBucket, exchange, type BeforeSend, type RequestPorts } from './request.ts';
import type { RepeatRule, Row } from './row.ts';
import { ServerClock, type SkewRange } from './server-clock.ts';
import { buildCall, checkedBaseUrl, type LooseInput } from './url.ts';

export interface ClientOptions {
  readonly baseUrl: string;
  /** How the state names a simulator; its base address unless given. */
  readonly address?: string;
  readonly key: ApiKey;
  readonly authHeader: string;
  /** How lists are written in queries; repeated keys by default. */
  readonly listStyle?: ListStyle;
  readonly timeoutMs: number;
  /** Permission to send. Clients that use the same one keep to the rates together. */
  readonly rates: RateBudget;
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** From 0 to 1, for jitter. */
  readonly random: () => number;
  /** One line for each request that was sent, without secrets. */
  readonly log: (line: string) => void;
  /** Receives messages for the user while a command runs. */
  readonly warn: (sentence: string) => void;
}

/** Sends a checked call, repeats it as far as its row allows, and returns how it ended. */
export type Send<Reply> = (beforeSend?: BeforeSend) => Promise<Exchange<Reply>>;

export interface Client {
  /**
   * Checks and builds one call, and sends nothing yet.
   * Throws `InvalidCallError` when the input breaks a bound.
   */
  prepare<Name extends Operation>(operation: Name, input: CallInput<Name>): Send<Reply<Name>>;
  /**
   * Makes one call, repeats it as far as its row allows, and returns how it ended. Throws `InvalidCallError` for
   * invalid input, before anything is sent. Asks `beforeSend` right before every send.
   */
  call<Name extends Operation>(
    operation: Name,
    input: CallInput<Name>,
    beforeSend?: BeforeSend,
  ): Promise<Exchange<Reply<Name>>>;
  /** Prepares a call from input that is not typed, and one that the catalogue does not have, with a row made for it. */
  prepareRow(name: CallName, row: Row, input: LooseInput): Send<unknown>;
  /** A client with calls that go first in the queue: for stops, and to find out what came of a request. */
  urgent(): Client;
  /** A call that must succeed. Throws `ServiceError` otherwise. */
  read<Name extends Operation>(
    operation: Name,
    input: CallInput<Name>,
    beforeSend?: BeforeSend,
  ): Promise<Reply<Name>>;
  /** The service's clock minus ours in milliseconds, from `Date` headers; 0 while there are none. */
  skewMs(): number;
  /** The possible range of the same, for decisions that must be safe; null before the first answer. */
  skewRange(): SkewRange | null;
  /** Shows a message to the user, each only once. */
  readonly warnOnce: (sentence: string) => void;
  /** How the state names a simulator. */
  readonly address: string;
  /** Facts about the server from its answers. */
  serverInfo(): ServerInfo;
}

/**
 * A client for one service and one key. All its calls share one rate budget.
 * Throws when the base address or the header's name could never make a request.
 */
export function createClient(options: ClientOptions): Client {
  const { clock, rates } = options;
  const baseUrl = checkedBaseUrl(options.baseUrl);
  checkHeaderName(options.authHeader);
  const serverClock = new ServerClock(clock);
  let isSimulator = false;
  const warned = new Set<string>();

  const onAnswer = (response: Response, startedMs: number) => {
    serverClock.hear(response, startedMs);
    isSimulator ||= response.headers.has(SIMULATOR_HEADER);
  };
  const ports: RequestPorts = { ...options, onAnswer };

  const prepareRow = (isUrgent: boolean, name: CallName, row: Row, input: LooseInput): Send<unknown> => {
    const call = buildCall(baseUrl, name, row, input, options.listStyle);
    return (beforeSend) => {
      const penalise = (ms: number) => rates.penalise(endpointBucket(name, row.perSecond), ms);
      const turn = rates.reserveOrder(isUrgent);
      let earlier: Exchange<unknown> | null = null;
      return repeat({ clock, random: options.random, penalise }, row, async () => {
        earlier = await exchange(ports, call, turn, () => beforeSend?.(earlier) ?? null);
        return earlier;
      });
    };
  };

  const connect = (isUrgent: boolean): Client => {
    const prepare = <Name extends Operation>(operation: Name, input: CallInput<Name>) =>
      // The reply was parsed by the row's own shape, which is what `Reply<Name>` is derived from.
      prepareRow(isUrgent, operation, rowOf(operation), input) as Send<Reply<Name>>;
    const call = async <Name extends Operation>(
      operation: Name,
      input: CallInput<Name>,
      check?: BeforeSend,
    ) => prepare(operation, input)(check);
    const client: Client = {
      prepare,
      prepareRow: (name, row, input) => prepareRow(isUrgent, name, row, input),
      call,
      urgent: () => (isUrgent ? client : connect(true)),
      read: async (operation, input, beforeSend) => {
        const result = await call(operation, input, beforeSend);
        if (result.kind === 'done') return result.reply;
        throw new ServiceError(result.problem);
      },
      skewMs: () => serverClock.skewMs() ?? 0,
      skewRange: () => serverClock.skewRange(),
      warnOnce: (sentence) => {
        if (!warned.has(sentence)) options.warn(sentence);
        warned.add(sentence);
      },
      address: options.address ?? baseUrl,
      serverInfo: () => ({ skewMs: serverClock.skewMs(), isSimulator }),
    };
    return client;
  };
  return connect(false);
}

/** A simulator sends this header. */
const SIMULATOR_HEADER = 'x-herald-simulator';

/** The published rate of every operation, for estimates. */
export const RATES: Readonly<Record<Operation, number>> = Object.fromEntries(
  Object.entries(CATALOGUE).map(([operation, row]) => [operation, row.perSecond]),
) as Record<Operation, number>;

/** Throws for a name that no header may have. */
function checkHeaderName(name: string): void {
  new Headers().set(name, '');
}

/** The most attempts of a call with lost answers, by its repeat rule. */
const LOST_ATTEMPTS = { read: 5, idempotent: 4, status: 9, unsend: 1, once: 1 } as const satisfies Record<
  RepeatRule,
  number
>;
/** A call that timed out gets one more attempt. Each costs more than a minute. */
const TIMED_OUT_ATTEMPTS = 2;
/** A success with an unexpected body seldom improves. */
const GARBLED_ATTEMPTS = 3;
/** A 502 of a row with possibly unreadable content. */
const UNREADABLE_ATTEMPTS = 2;
const NOT_SENT_ATTEMPTS = 4;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/**
 * The shortest wait. The service counts over one second, so a shorter one is useless, even if Retry-After asks for
 * it.
 */
const THROTTLE_FIRST_WAIT_MS = 1_000;
/**
 * Keep the bucket closed 25 ms longer than the retry waits, so that the refused requests are back in the queue
 * first.
 */
const RETURN_MS = 25;
/** The longest time that a call waits because of 429s, in total. */
const THROTTLE_BUDGET_MS = 180_000;
/** The backoff doubles; 2 to the power of this is far above the longest wait. */
const DOUBLINGS_MAX = 20;

/** The traits of a row that decide about repeats. */
type RepeatTraits = Pick<Row, 'repeat' | 'mayBeUnreadable'>;

interface RetryPorts {
  readonly clock: Clock;
  /** From 0 to 1, for jitter. */
  readonly random: () => number;
  /** Tells the limiter to pause. */
  readonly penalise: (ms: number) => void;
}

/**
 * Repeats an exchange as far as its row allows (ERROR-4). After a 429, which was not executed, every rule waits
 * and repeats. A request that was not sent may be repeated. After a lost answer it is repeated only if a second
 * execution is harmless. Returns the last exchange. If an earlier attempt was lost, it never counts as proof that
 * nothing happened.
 */
async function repeat<Reply>(
  ports: RetryPorts,
  row: RepeatTraits,
  attempt: () => Promise<Exchange<Reply>>,
): Promise<Exchange<Reply>> {
  const counts: AttemptCounts = { unconfirmed: 0, timedOut: 0, notSent: 0, throttled: 0, throttledMs: 0 };
  let lost: Unknown | null = null;
  for (;;) {
    const result = await attempt();
    if (result.kind === 'unknown') lost = result;
    const waitMs = waitBeforeNext(ports, row, result, counts);
    if (waitMs === null) return row.repeat === 'read' ? result : addLost(lost, result);
    await ports.clock.sleep(waitMs);
  }
}

type Unknown = Extract<Exchange<never>, { readonly kind: 'unknown' }>;

interface AttemptCounts {
  unconfirmed: number;
  timedOut: number;
  notSent: number;
  throttled: number;
  throttledMs: number;
}

/** Milliseconds until the next attempt; null if this exchange is final. Counts the attempts. */
function waitBeforeNext(
  ports: RetryPorts,
  row: RepeatTraits,
  result: Exchange<unknown>,
  counts: AttemptCounts,
): number | null {
  switch (result.kind) {
    case 'done':
    case 'refused':
      return null;
    case 'throttled':
      return waitAfterThrottle(ports, result.retryAfterMs, counts);
    case 'not_sent':
      counts.notSent += 1;
      if (result.withheld || result.problem.code === BUG_CODE) return null;
      return counts.notSent >= NOT_SENT_ATTEMPTS ? null : backoff(ports, FIRST_WAIT_MS, counts.notSent);
    case 'unknown':
      counts.unconfirmed += 1;
      if (result.timedOut) counts.timedOut += 1;
      if (counts.timedOut >= TIMED_OUT_ATTEMPTS || counts.unconfirmed >= unconfirmedAttempts(row, result))
        return null;
      return backoff(ports, FIRST_WAIT_MS, counts.unconfirmed);
  }
}

/** The most attempts that may end like this one. */
function unconfirmedAttempts(row: RepeatTraits, { problem }: Unknown): number {
  const allowed = LOST_ATTEMPTS[row.repeat];
  const status = problem.status ?? 0;
  if (status >= 300 && status < 400) return 1;
  if (status >= 200 && status < 300) return Math.min(allowed, GARBLED_ATTEMPTS);
  if (status === 502 && row.mayBeUnreadable === true) return Math.min(allowed, UNREADABLE_ATTEMPTS);
  return allowed;
}

/**
 * | an earlier attempt \ the last one | done | unknown | refused, throttled, not sent             |
 * |-----------------------------------|------|---------|-------------------------------------------|
 * | all were heard, or never left     | done | unknown | as it is: the service did not act         |
 * | one was lost                      | done | unknown | unknown: the lost one may yet be executed |
 */
function addLost<Reply>(lost: Unknown | null, last: Exchange<Reply>): Exchange<Reply> {
  if (lost === null || last.kind === 'done' || last.kind === 'unknown') return last;
  const what = `${lost.problem.what}; then ${last.problem.what}`;
  return { ...lost, problem: { ...last.problem, what, hint: lost.problem.hint } };
}

function waitAfterThrottle(
  ports: RetryPorts,
  retryAfterMs: number | null,
  counts: AttemptCounts,
): number | null {
  counts.throttled += 1;
  const waitMs =
    retryAfterMs === null
      ? backoff(ports, THROTTLE_FIRST_WAIT_MS, counts.throttled)
      : Math.max(retryAfterMs, THROTTLE_FIRST_WAIT_MS);
  counts.throttledMs += waitMs;
  const givesUp = counts.throttledMs > THROTTLE_BUDGET_MS;
  // Others of its endpoint continue where this call gives up, but not within the second that the service counts.
  ports.penalise((givesUp ? THROTTLE_FIRST_WAIT_MS : waitMs) + RETURN_MS);
  return givesUp ? null : waitMs;
}

/** Doubles from `firstMs` up to 30 s, with up to a quarter more, so that two runs do not stay in step. */
function backoff(ports: RetryPorts, firstMs: number, attempt: number): number {
  const base = Math.min(LONGEST_WAIT_MS, firstMs * 2 ** Math.min(attempt - 1, DOUBLINGS_MAX));
  return base * (1 + ports.random() / 4);
}
