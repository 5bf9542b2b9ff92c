import type { Clock } from '../domain/ports.ts';
import { agreementsAmong, type Agreement, type Reading } from './clock-votes.ts';

/** The server writes `Date` at some moment of the exchange. A longer exchange is too inexact. */
const PROMPT_MS = 5_000;
/** Our two clocks advance together, except when the wall clock is set or the machine sleeps. */
const TOGETHER_MS = 2_000;
/** The number of remembered answers: enough to tell one wrong answer from a second clock. */
const READINGS_MAX = 8;
/** After this many answers without agreement, another would not help. */
const ENOUGH_READINGS = 4;

/** The header of a simulator with a time of its own. */
const MOVED_CLOCK_HEADER = 'x-herald-simulator-clock';

/** The required format of `Date`. Other formats may be in any time zone. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

interface TimedReading extends Reading {
  /** The wall clock minus the monotonic one at that moment. */
  readonly apartMs: number;
}

/** The range of the service's clock, relative to this machine's, in milliseconds. */
export interface SkewRange {
  readonly earliestMs: number;
  readonly latestMs: number;
}

/**
 * What the answers tell of the service's clock. One reading proves nothing: a server behind a balancer, or a proxy, may
 * have a wrong clock. So two clocks have to agree: two answers, or an answer and this machine.
 *
 * | clocks that agree                              | reliable | likely | range                             |
 * |------------------------------------------------|----------|--------|-----------------------------------|
 * | two or more with this machine, and nowhere else two | they are | same | same                          |
 * | two or more answers, and nowhere else two      | they are | same   | they, and this machine            |
 * | two or more, and two or more on something else | none     | most   | all that two or more agree on     |
 * | none                                           | none     | latest | every answer, and this machine    |
 * | no prompt answer since this clock was set      | none     | last   | last answer, by both of our clocks |
 */
export class ServerClock {
  readonly #clock: Clock;
  /** Latest first. */
  #readings: readonly TimedReading[] = [];
  #last: TimedReading | null = null;
  /** The last result. It stays until an answer contradicts it, so that the times of a run stay in order. */
  #saidMs: number | null = null;
  /** True once a simulator said that its time was moved on. Then this machine's clock says nothing about it. */
  #isMoved = false;
  /** Whether the last answer gave a time. If not, another one would not either. */
  #isTelling = true;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes the head of an answer. `startedMs` is the send time on the monotonic clock. */
  hear({ headers }: Response, startedMs: number): void {
    this.#isMoved ||= headers.get(MOVED_CLOCK_HEADER) === 'moved';
    const date = headers.get('date') ?? '';
    const serverMs = HTTP_DATE.test(date) ? Date.parse(date) : Number.NaN;
    // A cached answer has the time of the original.
    const tookMs = this.#clock.monotonicMs() - startedMs;
    const isTold = !Number.isNaN(serverMs) && Number(headers.get('age') ?? 0) === 0;
    this.#isTelling = isTold && tookMs <= PROMPT_MS;
    if (!isTold) return;
    const nowMs = this.#clock.now();
    // `Date` has whole seconds.
    const reading = { fromMs: serverMs - nowMs, toMs: serverMs + 1_000 - (nowMs - tookMs) };
    this.#last = { ...reading, apartMs: this.#apartMs() };
    if (this.#isTelling) this.#readings = [this.#last, ...this.#together()].slice(0, READINGS_MAX);
  }

  /** The service's clock minus ours; null while the clocks disagree. */
  reliableSkewMs(): number | null {
    const [best, second] = agreementsAmong(this.#together());
    if (best === undefined || best.votes < 2 || (second?.votes ?? 0) >= 2) return null;
    if (this.#saidMs === null || this.#saidMs < best.fromMs || this.#saidMs > best.toMs)
      this.#saidMs = middleOf(best);
    return this.#saidMs;
  }

  /** The best estimate of the same; 0 before the first answer. */
  likelySkewMs(): number {
    const [best] = agreementsAmong(this.#together());
    const guess = best ?? this.#last;
    return this.reliableSkewMs() ?? (guess === null ? 0 : middleOf(guess));
  }

  /** The possible range of the same; null before the first answer. */
  skewRange(): SkewRange | null {
    const agreements = agreementsAmong(this.#together());
    const agreed = agreements.filter(({ votes }) => votes >= 2);
    // Two answers may come from one clock, as behind a proxy. So they do not outvote this machine.
    const own = this.#isMoved || agreed.some(withThisMachine) ? [] : [0];
    const sure = this.reliableSkewMs();
    if (sure !== null) return rangeOf([...own, sure]);
    if (agreed.length > 0) return rangeOf([...own, ...agreed.map(middleOf)]);
    if (agreements.length > 0) return rangeOf([0, ...agreements.map(middleOf)]);
    if (this.#last === null) return null;
    const lastMs = middleOf(this.#last);
    // If this clock was set or the machine slept, the other clock is right.
    return rangeOf([lastMs, lastMs + this.#last.apartMs - this.#apartMs()]);
  }

  /** Whether another answer could tell a wrong one from a second clock, or be one of those that are missing. */
  isDoubtful(): boolean {
    const readings = this.#together();
    const canHelp = this.#isTelling && readings.length < ENOUGH_READINGS;
    const isUnanimous = this.reliableSkewMs() !== null && agreementsAmong(readings).length === 1;
    return canHelp && !isUnanimous;
  }

  /** Readings from before the clock was set, or before a sleep, are useless. */
  #together(): readonly TimedReading[] {
    const apartMs = this.#apartMs();
    return this.#readings.filter((reading) => Math.abs(apartMs - reading.apartMs) <= TOGETHER_MS);
  }

  #apartMs(): number {
    return this.#clock.now() - this.#clock.monotonicMs();
  }
}

function withThisMachine({ readings, votes }: Agreement): boolean {
  return votes > readings.length;
}

function middleOf({ fromMs, toMs }: Reading | Agreement): number {
  return Math.round((fromMs + toMs) / 2);
}

function rangeOf(skewsMs: readonly number[]): SkewRange {
  return { earliestMs: Math.min(...skewsMs), latestMs: Math.max(...skewsMs) };
}
