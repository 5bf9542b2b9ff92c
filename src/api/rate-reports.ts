import type { RateMessage } from '../domain/rate-store.ts';

/** What other processes have to know of this one and do not know yet. */
export class RateReports {
  /** Monotonic times of answers, by the number of their grant. */
  readonly #answered = new Map<number, number>();
  readonly #unused = new Set<number>();
  /** Monotonic times until which a bucket is too fast, by its name. */
  readonly #blocked = new Map<string, { readonly scope: string; readonly untilMs: number }>();
  #sinceMs = Infinity;

  /** The time of the earliest one; Infinity if there is none. */
  get sinceMs(): number {
    return this.#sinceMs;
  }

  answered(number: number, nowMs: number): void {
    this.#answered.set(number, nowMs);
    this.#since(nowMs);
  }

  unused(number: number, nowMs: number): void {
    this.#unused.add(number);
    this.#since(nowMs);
  }

  blocked(scope: string, bucket: string, untilMs: number, nowMs: number): void {
    this.#blocked.set(bucket, { scope, untilMs });
    this.#since(nowMs);
  }

  /** The reports as a part of a message, and what to call once it has arrived. */
  take(nowMs: number): {
    readonly reports: Pick<RateMessage, 'answered' | 'unused' | 'blocked'>;
    readonly arrived: () => void;
  } {
    const answered = [...this.#answered].map(([number, atMs]) => ({ number, ago_ms: nowMs - atMs }));
    const unused = [...this.#unused];
    const blocked = [...this.#blocked].map(([bucket, { scope, untilMs }]) => ({
      scope,
      bucket,
      ms: Math.max(0, untilMs - nowMs),
    }));
    const arrived = () => {
      for (const { number } of answered) this.#answered.delete(number);
      for (const number of unused) this.#unused.delete(number);
      for (const { bucket } of blocked) this.#blocked.delete(bucket);
      const isEmpty = this.#answered.size + this.#unused.size + this.#blocked.size === 0;
      this.#sinceMs = isEmpty ? Infinity : nowMs;
    };
    return { reports: { answered, unused, blocked }, arrived };
  }

  #since(nowMs: number): void {
    this.#sinceMs = Math.min(this.#sinceMs, nowMs);
  }
}
