import type { WorkFirst } from '../../api/request.ts';
import type { Clock } from '../../domain/ports.ts';
import { FRESH_MS } from '../../ledger/ledger-errors.ts';

/** The ids right before a request. Other ids later are new. */
export class FreshIds {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #read: () => Promise<readonly string[]>;
  #ids: readonly string[] = [];
  #readMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Pick<Clock, 'monotonicMs'>, read: () => Promise<readonly string[]>) {
    this.#clock = clock;
    this.#read = read;
  }

  get ids(): string[] {
    return [...this.#ids];
  }

  async read(): Promise<void> {
    this.#ids = await this.#read();
    this.#readMs = this.#clock.monotonicMs();
  }

  /** To be read again where they are too old; null while they are not. */
  refresh(): WorkFirst | null {
    if (this.#clock.monotonicMs() - this.#readMs <= FRESH_MS) return null;
    return {
      first: async () => {
        await this.read();
        return null;
      },
    };
  }
}
