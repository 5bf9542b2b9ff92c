import type { Clock } from '../../domain/ports.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/**
 * When to ask for the accounts of a workspace: each minute until the service has answered, because their events go to the
 * first workspace meanwhile, and each hour after that, because accounts are added.
 */
export class Learning {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #learn: (isFirst: boolean) => Promise<boolean>;
  #askedMs: number | null = null;
  #isAsking = false;
  #isKnown = false;

  /** `learn` resolves with false if the service did not answer. */
  constructor(clock: Pick<Clock, 'monotonicMs'>, learn: (isFirst: boolean) => Promise<boolean>) {
    this.#clock = clock;
    this.#learn = learn;
  }

  /** Called every second. */
  tick(): void {
    const nowMs = this.#clock.monotonicMs();
    const everyMs = this.#isKnown ? HOUR_MS : MINUTE_MS;
    if (this.#isAsking || (this.#askedMs !== null && nowMs - this.#askedMs < everyMs)) return;
    this.#isAsking = true;
    const isFirst = this.#askedMs === null;
    this.#askedMs = nowMs;
    void this.#learn(isFirst)
      .then((isKnown) => (this.#isKnown ||= isKnown))
      .finally(() => (this.#isAsking = false));
  }
}
