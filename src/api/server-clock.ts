import type { Clock } from '../domain/ports.ts';

/** The server writes `Date` at some moment of the exchange. A longer exchange is too inexact, unless it is the only one. */
const PROMPT_MS = 5_000;

const MOVED_CLOCK_HEADER = 'x-herald-simulator-clock';

/** The required format of `Date`. Other formats may be in any time zone. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** The range of the service's clock, relative to this machine's, in milliseconds. */
export interface SkewRange {
  readonly earliestMs: number;
  readonly latestMs: number;
}

/**
 * What the latest prompt answer tells of the service's clock. A gateway may have a wrong one, and so may this machine. At
 * least one of the two is not behind, so decisions must hold on both: the range has both, and is not narrowed by votes.
 */
export function watchServerClock(clock: Clock) {
  /** `skewMs` is the service's clock minus ours, `apartMs` our wall clock minus the monotonic one at that moment. */
  let last: { readonly skewMs: number; readonly apartMs: number } | null = null;
  /** True once a simulator said that its time was moved on. Then this machine's clock says nothing about it. */
  let isMoved = false;
  const readApartMs = () => clock.now() - clock.monotonicMs();
  return {
    /** Takes the head of an answer. `startedMs` is the send time on the monotonic clock. */
    hear: ({ headers }: Response, startedMs: number): void => {
      isMoved ||= headers.get(MOVED_CLOCK_HEADER) === 'moved';
      const date = headers.get('date') ?? '';
      const serverMs = HTTP_DATE.test(date) ? Date.parse(date) : Number.NaN;
      const tookMs = clock.monotonicMs() - startedMs;
      // A cached answer has the time of the original.
      if (Number.isNaN(serverMs) || Number(headers.get('age') ?? 0) !== 0) return;
      if (tookMs > PROMPT_MS && last !== null) return;
      // `Date` has whole seconds, and was written at some moment of the exchange.
      const skewMs = Math.round(serverMs + 500 - (clock.now() - tookMs / 2));
      last = { skewMs, apartMs: readApartMs() };
    },
    skewMs: (): number => last?.skewMs ?? 0,
    skewRange: (): SkewRange | null => {
      if (last === null) return null;
      const { skewMs, apartMs } = last;
      // If our wall clock was set since then, the monotonic one is right; if the machine slept, the wall clock.
      const skews = [skewMs, skewMs + apartMs - readApartMs(), ...(isMoved ? [] : [0])];
      return { earliestMs: Math.min(...skews), latestMs: Math.max(...skews) };
    },
  };
}
