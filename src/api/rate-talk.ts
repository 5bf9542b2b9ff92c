import type { Clock } from '../domain/ports.ts';
import type { RateAnswer, RateMessage, RateStore } from '../domain/rate-store.ts';
import { StateError } from '../domain/state-error.ts';

/** A message without its turn, and what to call once it has arrived. */
type QueuedMessage = Omit<RateMessage, 'turn'> & { readonly arrived: () => void };

type Heard =
  | { readonly kind: 'heard'; readonly answer: RateAnswer; readonly sentMs: number }
  | { readonly kind: 'failed'; readonly reason: string };

/** A store that has not answered by then counts as gone. */
const GONE_AFTER_MS = 3_000;
const PARTS = 5;
const PAUSE_MS = 100;
/** The end of a command does not wait longer for the store. */
const LEAVE_WITHIN_MS = 1_000;

/** Exchanges with the store, one after the other, each with a higher turn. */
export class RateTalk {
  readonly #store: RateStore;
  readonly #clock: Clock;
  #turn = 0;
  #stuck = 0;

  constructor(store: RateStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  get hasNotBegun(): boolean {
    return this.#turn === 0;
  }

  /** True while an exchange that was given up still waits for its answer. Another one would take one more connection. */
  get isStuck(): boolean {
    return this.#stuck > 0;
  }

  /** Repeats the message until it is answered, or the store counts as gone. Never rejects. */
  async exchange(message: () => QueuedMessage): Promise<Heard> {
    const startedMs = this.#clock.monotonicMs();
    for (;;) {
      const sentMs = this.#clock.monotonicMs();
      try {
        const answer = await this.#send(message(), GONE_AFTER_MS - (sentMs - startedMs));
        return { kind: 'heard', answer, sentMs };
      } catch (error) {
        const isOver = this.#clock.monotonicMs() - startedMs + PAUSE_MS >= GONE_AFTER_MS;
        if (isOver || !mayPass(error)) return { kind: 'failed', reason: (error as Error).message };
      }
      await this.#clock.sleep(PAUSE_MS);
    }
  }

  /** Sends a last message. Never rejects, and does not wait for long. */
  async say(message: () => QueuedMessage): Promise<void> {
    await this.#send(message(), LEAVE_WITHIN_MS).catch(() => undefined);
  }

  async #send({ arrived, ...message }: QueuedMessage, withinMs: number): Promise<RateAnswer> {
    this.#turn += 1;
    const ended = new AbortController();
    const sent = this.#store.exchange({ ...message, turn: this.#turn });
    const late = this.#wait(withinMs, ended.signal).then(() => {
      this.#stuck += 1;
      const free = () => void (this.#stuck -= 1);
      sent.then(free, free);
      throw new Error('the state database does not answer');
    });
    try {
      const answer = await Promise.race([sent, late]);
      arrived();
      return answer;
    } finally {
      ended.abort();
      late.catch(() => undefined);
    }
  }

  /** In parts: while this process itself is busy, only one of them passes, and then an answer that is there is read. */
  async #wait(ms: number, signal: AbortSignal): Promise<void> {
    for (let part = 0; part < PARTS; part += 1) await this.#clock.sleep(ms / PARTS, signal);
  }
}

function mayPass(error: unknown): boolean {
  return !(error instanceof StateError) || error.code === 'state-unreachable';
}
