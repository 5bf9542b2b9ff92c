import type { AccountId } from '../../domain/ids.ts';

/** The number of files of one account that are sent at once. The parts of each are sent in parallel too. */
export const FILES_AT_ONCE = 2;
/** The same over all accounts, which share one connection and one memory. */
const FILES_AT_ONCE_OVER_ALL = 4;

interface Waiting {
  readonly accountId: AccountId;
  readonly begin: () => void;
}

/**
 * Starts work in the order of the calls, as far as neither its account nor all accounts have too much in progress.
 */
export class UploadSlots {
  readonly #underWay = new Map<string, number>();
  readonly #waiting: Waiting[] = [];
  #all = 0;

  async run<Result>(accountId: AccountId, work: () => Promise<Result>): Promise<Result> {
    await new Promise<void>((begin) => {
      this.#waiting.push({ accountId, begin });
      this.#beginNext();
    });
    try {
      return await work();
    } finally {
      this.#count(accountId, -1);
      this.#beginNext();
    }
  }

  #beginNext(): void {
    while (this.#all < FILES_AT_ONCE_OVER_ALL) {
      const index = this.#waiting.findIndex(({ accountId }) => this.#of(accountId) < FILES_AT_ONCE);
      const [next] = index < 0 ? [] : this.#waiting.splice(index, 1);
      if (next === undefined) return;
      this.#count(next.accountId, 1);
      next.begin();
    }
  }

  #of(accountId: AccountId): number {
    return this.#underWay.get(accountId) ?? 0;
  }

  #count(accountId: AccountId, more: 1 | -1): void {
    this.#all += more;
    this.#underWay.set(accountId, this.#of(accountId) + more);
  }
}
