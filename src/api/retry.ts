import type { Clock } from '../domain/ports.ts';
import { BUG_CODE } from './errors.ts';
import type { Exchange } from './exchange.ts';
import type { RepeatRule, Row } from './row.ts';

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

export interface RetryPorts {
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
export async function repeat<Reply>(
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
