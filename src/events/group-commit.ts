import type { EventWriter, StoredEvent } from '../domain/event-store.ts';

/** Events of one write. A write of so many takes some milliseconds. */
const BATCH_MAX = 500;
/** Characters of their bodies. A batch is one text in memory, and one value in a database. */
const BATCH_CHARACTERS_MAX = 8 * 1_048_576;
/** Events that may wait for the next write. */
const WAITING_MAX = 20_000;

interface Waiting {
  readonly event: StoredEvent;
  readonly stored: (isNew: boolean) => void;
  readonly failed: (error: unknown) => void;
}

/** Thrown if more events wait than the store can write. */
class StoreBehindError extends Error {
  override readonly name = 'StoreBehindError';
  constructor() {
    super('more events are waiting than can be stored');
  }
}

/** Stores events one write after the other. What arrives during a write goes into the next one, with one sync. */
export class GroupCommit {
  /** What went wrong with the last write; null if it went well. */
  problem: unknown = null;
  readonly #writer: EventWriter;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | null = null;

  constructor(writer: EventWriter) {
    this.#writer = writer;
  }

  /** Resolves once the event is durable, with false if it was there already. Rejects if it is not stored. */
  add(event: StoredEvent): Promise<boolean> {
    if (this.#waiting.length >= WAITING_MAX) return Promise.reject(new StoreBehindError());
    return new Promise((stored, failed) => {
      this.#waiting.push({ event, stored, failed });
      this.#writing ??= this.#writeAll().finally(() => (this.#writing = null));
    });
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    while (this.#writing !== null) await this.#writing;
    await this.#writer.close();
  }

  async #writeAll(): Promise<void> {
    // What arrives in the same turn of the process shares the first write.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, batchLength(this.#waiting));
      this.#waiting = this.#waiting.slice(batch.length);
      try {
        const areNew = await this.#writer.add(batch.map(({ event }) => event));
        this.problem = null;
        for (const [index, { stored }] of batch.entries()) stored(areNew[index] ?? true);
      } catch (error) {
        this.problem = error;
        for (const { failed } of batch) failed(error);
      }
    }
  }
}

/** How many of the first events go into one write; one at least. */
function batchLength(waiting: readonly Waiting[]): number {
  let characters = 0;
  const length = waiting.slice(0, BATCH_MAX).findIndex(({ event }, index) => {
    characters += event.body.length;
    return index > 0 && characters > BATCH_CHARACTERS_MAX;
  });
  return length === -1 ? BATCH_MAX : length;
}
