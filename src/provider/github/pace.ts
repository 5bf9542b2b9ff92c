import type { Clock } from '../../domain/ports.ts';

/** Between two writes, as GitHub asks for. */
const WRITE_GAP = 1;
/** Between two writes that send notifications. */
const NOTIFICATION_GAP = 3;

/** The gaps between writes, for the throttling plugin. It has its own, but they do not use our clock. */
export function paceOf(clock: Clock, unitMs: number): { readonly write: Pace; readonly notifications: Pace } {
  return {
    write: new Pace(clock, WRITE_GAP * unitMs),
    notifications: new Pace(clock, NOTIFICATION_GAP * unitMs),
  };
}

type Job<Result, Args extends readonly unknown[]> = (...args: Args) => Promise<Result>;

/** The members of a Bottleneck group that the plugin uses. */
class Pace {
  readonly #clock: Clock;
  readonly #gapMs: number;
  #freeMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, gapMs: number) {
    this.#clock = clock;
    this.#gapMs = gapMs;
  }

  /** All calls of a client share one. */
  key(): this {
    return this;
  }

  async schedule<Result, Args extends readonly unknown[]>(
    _options: unknown,
    job: Job<Result, Args>,
    ...args: Args
  ): Promise<Result> {
    const now = this.#clock.monotonicMs();
    const startMs = Math.max(now, this.#freeMs);
    this.#freeMs = startMs + this.#gapMs;
    if (startMs > now) await this.#clock.sleep(startMs - now);
    return job(...args);
  }
}
