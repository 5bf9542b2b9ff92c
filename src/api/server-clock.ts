import type { Clock } from '../domain/ports.ts';

/** The server stamped `Date` at some moment of the exchange: one that took longer does not tell which. */
const PROMPT_MS = 5_000;
/** Our two clocks go on together, but for a wall clock that was set, or a machine that slept. */
const TOGETHER_MS = 2_000;

/** `Date` as servers must write it: what is read with more goodwill may be of any time zone. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

interface Estimate {
  /** The server's clock minus ours. */
  readonly skewMs: number;
  readonly atMs: number;
  readonly atMonotonicMs: number;
}

/** What the answers tell of the server's clock. */
export class ServerClock {
  readonly #clock: Clock;
  #last: Estimate | null = null;
  #prompt: Estimate | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Hears the head of an answer. */
  hear({ headers }: Response, sentAtMs: number): void {
    const date = headers.get('date') ?? '';
    const serverMs = HTTP_DATE.test(date) ? Date.parse(date) : Number.NaN;
    // A cache's answer bears the time of the one that it repeats.
    if (Number.isNaN(serverMs) || Number(headers.get('age') ?? 0) !== 0) return;
    const atMs = this.#clock.now();
    // `Date` tells whole seconds, so half a second is the best guess at the rest.
    this.#last = { skewMs: serverMs + 500 - atMs, atMs, atMonotonicMs: this.#clock.monotonicMs() };
    if (Math.abs(atMs - sentAtMs) <= PROMPT_MS) this.#prompt = this.#last;
  }

  /** The server's clock minus ours, as far as it can be told; null while it cannot be relied on. */
  reliableSkewMs(): number | null {
    if (this.#prompt === null) return null;
    const { skewMs, atMs, atMonotonicMs } = this.#prompt;
    const apartMs = this.#clock.now() - atMs - (this.#clock.monotonicMs() - atMonotonicMs);
    return Math.abs(apartMs) <= TOGETHER_MS ? skewMs : null;
  }

  /** The best guess at the same; 0 while no answer told anything. */
  likelySkewMs(): number {
    return this.reliableSkewMs() ?? this.#last?.skewMs ?? 0;
  }
}
