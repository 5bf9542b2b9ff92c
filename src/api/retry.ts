import pRetry from 'p-retry';
import type { Clock } from '../domain/ports.ts';
import { BUG_CODE } from './errors.ts';
import type { Exchange } from './exchange.ts';
import type { RepeatRule, RepeatTraits } from './row.ts';

/** Most attempts of a call whose answer was not heard, by its repeat rule. */
const UNHEARD_ATTEMPTS = { read: 5, idempotent: 4, status: 9, unsend: 1, once: 1 } as const satisfies Record<
  RepeatRule,
  number
>;
/** A call that timed out once is given one more chance; each costs more than a minute. */
const TIMED_OUT_ATTEMPTS = 2;
/** A success whose body does not hold seldom gets better. */
const GARBLED_ATTEMPTS = 3;
/** A 502 of a row whose content may be unreadable. */
const UNREADABLE_ATTEMPTS = 2;
const NOT_SENT_ATTEMPTS = 4;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** The service counts over one second, so a shorter wait is never worth it, whatever Retry-After says. */
const THROTTLE_FIRST_WAIT_MS = 1_000;
/** Its bucket opens this much later: those that it refused are back in their places by then. */
const RETURN_MS = 25;
/** How long a call may be held back by 429s altogether. */
const THROTTLE_BUDGET_MS = 180_000;
/** Above what the limits before allow together: only a bug gets here. */
const ATTEMPTS_BOUND = 250;
/** Backoff doubles; 2 to this is far above the longest wait. */
const DOUBLINGS_MAX = 20;

export interface RetryPorts {
  readonly clock: Clock;
  /** From 0 to 1, for jitter. */
  readonly random: () => number;
  /** Tells the limiter that the service wants quiet. */
  readonly penalise: (ms: number) => void;
}

/** Thrown inside `repeat` only: it tells p-retry to go on. */
class TryAgain extends Error {
  readonly waitMs: number;
  constructor(waitMs: number) {
    super('try again');
    this.waitMs = waitMs;
  }
}

/**
 * Repeats an exchange as far as its row allows (ERROR-4). A 429 was not executed, so every rule
 * waits and goes on; a request that never left may be sent again; a lost answer is repeated only
 * where the rule says that a second execution is harmless. The last exchange is returned, but never as
 * proof that nothing happened when an attempt before it was lost.
 */
export async function repeat<Reply>(
  ports: RetryPorts,
  row: RepeatTraits,
  attempt: () => Promise<Exchange<Reply>>,
): Promise<Exchange<Reply>> {
  const tally: Tally = { unheard: 0, timedOut: 0, notSent: 0, throttled: 0, throttledMs: 0, lost: null };
  const once = async (): Promise<Exchange<Reply>> => {
    const result = await attempt();
    const waitMs = waitBeforeNext(ports, row, result, tally);
    if (waitMs === null) return row.repeat === 'read' ? result : withLost(tally.lost, result);
    throw new TryAgain(waitMs);
  };
  return pRetry(once, {
    retries: ATTEMPTS_BOUND,
    // The waits are ours, on the injected clock: p-retry's own timers are real time.
    minTimeout: 0,
    maxTimeout: 0,
    shouldRetry: ({ error }) => error instanceof TryAgain,
    onFailedAttempt: async ({ error }) => {
      if (error instanceof TryAgain) await ports.clock.sleep(error.waitMs);
    },
  });
}

type Unknown = Extract<Exchange<never>, { readonly kind: 'unknown' }>;

interface Tally {
  unheard: number;
  timedOut: number;
  notSent: number;
  throttled: number;
  throttledMs: number;
  /** The latest attempt whose answer was not heard. */
  lost: Unknown | null;
}

/** Milliseconds until the next attempt; null when this exchange is the last word. Counts what it saw. */
function waitBeforeNext(
  ports: RetryPorts,
  row: RepeatTraits,
  result: Exchange<unknown>,
  tally: Tally,
): number | null {
  switch (result.kind) {
    case 'done':
    case 'refused':
      return null;
    case 'throttled':
      return throttleWait(ports, result.retryAfterMs, tally);
    case 'not_sent':
      tally.notSent += 1;
      if (result.withheld || result.problem.code === BUG_CODE) return null;
      if (tally.notSent >= NOT_SENT_ATTEMPTS) return null;
      return backoff(ports, FIRST_WAIT_MS, tally.notSent);
    case 'unknown':
      tally.lost = result;
      tally.unheard += 1;
      if (result.timedOut) tally.timedOut += 1;
      if (tally.timedOut >= TIMED_OUT_ATTEMPTS || tally.unheard >= unheardAttempts(row, result)) return null;
      return backoff(ports, FIRST_WAIT_MS, tally.unheard);
  }
}

/** How many attempts may end like this one. */
function unheardAttempts(row: RepeatTraits, { problem }: Unknown): number {
  const allowed = UNHEARD_ATTEMPTS[row.repeat];
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
function withLost<Reply>(lost: Unknown | null, last: Exchange<Reply>): Exchange<Reply> {
  if (lost === null || last.kind === 'done' || last.kind === 'unknown') return last;
  const what = `${lost.problem.what}; then ${last.problem.what}`;
  return { ...lost, problem: { ...last.problem, what, hint: lost.problem.hint } };
}

function throttleWait(ports: RetryPorts, retryAfterMs: number | null, tally: Tally): number | null {
  tally.throttled += 1;
  const waitMs =
    retryAfterMs === null
      ? backoff(ports, THROTTLE_FIRST_WAIT_MS, tally.throttled)
      : Math.max(retryAfterMs, THROTTLE_FIRST_WAIT_MS);
  tally.throttledMs += waitMs;
  if (tally.throttledMs > THROTTLE_BUDGET_MS) {
    // This call is given up. Others of its endpoint go on, and not within the second that the service counts over.
    ports.penalise(THROTTLE_FIRST_WAIT_MS + RETURN_MS);
    return null;
  }
  ports.penalise(waitMs + RETURN_MS);
  return waitMs;
}

/** Doubles from `firstMs` up to 30 s, with up to a quarter more so that two runs do not march in step. */
function backoff(ports: RetryPorts, firstMs: number, attempt: number): number {
  const base = Math.min(LONGEST_WAIT_MS, firstMs * 2 ** Math.min(attempt - 1, DOUBLINGS_MAX));
  return base * (1 + ports.random() / 4);
}
