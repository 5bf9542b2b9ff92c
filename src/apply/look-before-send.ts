import type { WorkFirst } from '../api/request.ts';
import { elapsedMs, momentOf, type Moment } from '../domain/elapsed.ts';
import type { Clock } from '../domain/ports.ts';
import { FRESH_MS } from '../ledger/ledger-errors.ts';

/** More looks than these for one send do not help: at such a low rate, each of them is stale before it is used. */
const LOOKS_MAX = 3;

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
    if (this.#look === undefined || isFresh || this.#looks >= LOOKS_MAX) {
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
