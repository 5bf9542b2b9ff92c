/** Numbers the entries of one run. Whatever of a run opens the ledger takes the next number: no two entries are the same. */
export class EntryNumbers {
  #last = 0;

  next(): number {
    this.#last += 1;
    return this.#last;
  }
}
