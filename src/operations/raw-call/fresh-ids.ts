import type { WorkFirst } from '../../api/request.ts';
import { elapsedMs, momentOf, type Moment } from '../../domain/elapsed.ts';
import type { Clock } from '../../domain/ports.ts';
import { FRESH_MS } from '../../ledger/ledger-errors.ts';

/** More readings than these for one request do not help: at such a low rate, each of them is old before it is used. */
const READINGS_MAX = 3;

/** The ids right before a request. Other ids later are new. */
export class FreshIds {
  readonly #clock: Pick<Clock, 'now' | 'monotonicMs'>;
  readonly #read: () => Promise<readonly string[]>;
  #ids: readonly string[] = [];
  #askedAt: Moment | null = null;
  #readings = 0;

  constructor(clock: Pick<Clock, 'now' | 'monotonicMs'>, read: () => Promise<readonly string[]>) {
    this.#clock = clock;
    this.#read = read;
  }

  get ids(): string[] {
    return [...this.#ids];
  }

  async read(): Promise<void> {
    const askedAt = momentOf(this.#clock);
    this.#ids = await this.#read();
    this.#askedAt = askedAt;
  }

  /** To be read again where they are too old; null while they are not. */
  refresh(): WorkFirst | null {
    const isFresh = this.#askedAt !== null && elapsedMs(this.#clock, this.#askedAt) <= FRESH_MS;
    if (isFresh || this.#readings >= READINGS_MAX) {
      this.#readings = 0;
      return null;
    }
    return {
      first: async () => {
        this.#readings += 1;
        await this.read();
        return null;
      },
    };
  }
}
