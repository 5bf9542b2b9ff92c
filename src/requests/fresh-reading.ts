import type { WorkFirst } from '../api/request.ts';
import { elapsedMs, momentOf, type Moment } from '../domain/elapsed.ts';
import type { Clock } from '../domain/ports.ts';
import { FRESH_MS, LedgerError } from '../ledger/ledger-errors.ts';

/**
 * What was read serves the request that goes by it for so long (decision 43). At the published rate a list serves 150
 * creates, and a read of it costs them a tenth of their time at most.
 */
export const READING_SERVES_MS = 30_000;

/** More readings than these for one request do not help: at such a low rate, each of them is old before it is used. */
export const READINGS_MAX = 3;

/** By then nothing is sent. A low `rate_share` alone does not make the last reading so old. */
const MUCH_TOO_OLD_MS = 60_000;

const NEVER_FRESH = `what it goes by was read ${READINGS_MAX + 1} times, and was more than ${MUCH_TOO_OLD_MS / 1000} s old in the end`;

/** Whether what was asked for at that moment is too old for a request that leaves now. */
export function isTooOld(clock: Pick<Clock, 'now' | 'monotonicMs'>, askedAt: Moment): boolean {
  return elapsedMs(clock, askedAt) > READING_SERVES_MS;
}

/** What `sendRecorded` asks of a reading. */
export interface GoesBy {
  /** Whether it is too old for a request that leaves now. */
  readonly isTooOld: () => boolean;
  /** Whether it was read again since its request was recorded. */
  readonly wasReadAgain: () => boolean;
  /** Reads it again, before the request is recorded; null when there is nothing to do. */
  readonly refresh: () => WorkFirst | null;
  /** Why the last reading speaks against sending; null if it does not. */
  readonly failure?: () => Error | null;
}

/**
 * What a request goes by: a list or a chat, read before it. The request may leave long after, because it waits for its
 * turn or because its process is frozen. Then it is read again. What the reading throws is why nothing is sent.
 */
export class FreshReading<Value> implements GoesBy {
  readonly #clock: Pick<Clock, 'now' | 'monotonicMs'>;
  readonly #readAgain: () => Promise<Value>;
  readonly #mustBeFresh: boolean;
  #askedAt: Moment;
  #value: Value;
  #isOnRecord = false;
  #readings = 0;
  #failure: Error | null = null;

  /** `value` was asked for at `askedAt`. A process that was frozen hears of it long after it was true. */
  constructor(
    clock: Pick<Clock, 'now' | 'monotonicMs'>,
    { askedAt, value }: { readonly askedAt: Moment; readonly value: Value },
    readAgain: () => Promise<Value>,
    { mustBeFresh }: { readonly mustBeFresh: boolean } = { mustBeFresh: true },
  ) {
    this.#mustBeFresh = mustBeFresh;
    this.#clock = clock;
    this.#readAgain = readAgain;
    this.#askedAt = askedAt;
    this.#value = value;
  }

  /**
   * Reads for the first time, for a call that is sent as it was typed: whatever it takes to read, it goes by the last
   * reading. Throws what the reading throws.
   */
  static async asTyped<Value>(
    clock: Pick<Clock, 'now' | 'monotonicMs'>,
    read: () => Promise<Value>,
  ): Promise<FreshReading<Value>> {
    const askedAt = momentOf(clock);
    return new FreshReading(clock, { askedAt, value: await read() }, read, { mustBeFresh: false });
  }

  /** What was read last. */
  get value(): Value {
    return this.#value;
  }

  /** What was read last, for an intent: it goes on record with it. */
  forRecord(): Value {
    this.#isOnRecord = true;
    this.#readings = 0;
    return this.#value;
  }

  readonly isTooOld = (): boolean => isTooOld(this.#clock, this.#askedAt);

  readonly wasReadAgain = (): boolean => !this.#isOnRecord;

  readonly failure = (): Error | null => this.#failure;

  readonly refresh = (): WorkFirst | null => {
    if (elapsedMs(this.#clock, this.#askedAt) <= FRESH_MS) return null;
    if (this.#readings >= READINGS_MAX)
      return this.#mustBeFresh && elapsedMs(this.#clock, this.#askedAt) > MUCH_TOO_OLD_MS
        ? this.#never()
        : null;
    return {
      first: async () => {
        this.#readings += 1;
        const askedAt = momentOf(this.#clock);
        try {
          this.#value = await this.#readAgain();
        } catch (error) {
          this.#failure = error instanceof Error ? error : new Error(String(error));
          return this.#failure.message;
        }
        this.#askedAt = askedAt;
        this.#isOnRecord = false;
        return null;
      },
    };
  };

  /** For a call that gives a failed reading as its reason not to be sent, and so must not throw it. */
  withoutFailure(): GoesBy {
    return { isTooOld: this.isTooOld, wasReadAgain: this.wasReadAgain, refresh: this.refresh };
  }

  #never(): WorkFirst {
    this.#failure = new LedgerError(
      NEVER_FRESH,
      'Run the command again when the service answers faster. A low rate_share in herald.yaml makes it slower, too.',
    );
    return { first: () => Promise.resolve(NEVER_FRESH) };
  }
}
