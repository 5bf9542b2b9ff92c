import type { WorkFirst } from '../api/request.ts';
import { elapsedMs, momentOf, type Moment } from '../domain/elapsed.ts';
import type { Clock } from '../domain/ports.ts';
import { FRESH_MS } from '../ledger/ledger-errors.ts';
import { READINGS_MAX } from '../requests/fresh-reading.ts';

/** Why a request must not be sent; null to go on. `mayBeDone`: a copy of it without an answer may have been carried out. */
type LookFirst<Reason> = (mayBeDone: boolean) => Promise<Reason | null>;

/** Looks before the first copy of a request, and again before one that leaves long after the last look. */
export class LookBeforeSend<Reason extends { readonly message: string }> {
  readonly #look: LookFirst<Reason> | undefined;
  readonly #clock: Pick<Clock, 'now' | 'monotonicMs'>;
  #at: Moment | null = null;
  #looks = 0;

  constructor(look: LookFirst<Reason> | undefined, clock: Pick<Clock, 'now' | 'monotonicMs'>) {
    this.#look = look;
    this.#clock = clock;
  }

  async now(mayBeDone: boolean): Promise<Reason | null> {
    // A process that was frozen hears of what it has asked for long after it was true.
    const askedAt = momentOf(this.#clock);
    const reason = (await this.#look?.(mayBeDone)) ?? null;
    this.#at = askedAt;
    return reason;
  }

  /** What is to be done before the next copy; null where the last look still serves. */
  due(mayBeDone: boolean): WorkFirst | null {
    const isFresh = this.#at !== null && elapsedMs(this.#clock, this.#at) <= FRESH_MS;
    if (this.#look === undefined || isFresh || this.#looks >= READINGS_MAX) {
      this.#looks = 0;
      return null;
    }
    return {
      first: async () => {
        this.#looks += 1;
        return (await this.now(mayBeDone))?.message ?? null;
      },
    };
  }
}
