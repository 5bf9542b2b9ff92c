import type { EventPosition, EventStore } from '../domain/event-store.ts';
import type { AccountId } from '../domain/ids.ts';
import type { Clock } from '../domain/ports.ts';

const LOOK_EVERY_MS = 1_000;
const UPLOAD_KINDS = 'vault.media_upload.';

interface Listener {
  readonly accountId: AccountId;
  readonly tell: () => void;
}

interface NewsPorts {
  readonly events: Pick<EventStore, 'end' | 'read'>;
  readonly clock: Clock;
}

/**
 * Tells those who wait for uploads that an event about one was stored. It is a reason to read the list at once, and says
 * nothing about the status. If the events cannot be read, it tells nothing: the list is read regularly anyway.
 */
export class UploadNews {
  readonly #ports: NewsPorts;
  readonly #listeners = new Set<Listener>();
  #stop = new AbortController();

  constructor(ports: NewsPorts) {
    this.#ports = ports;
  }

  /** Calls `tell` when events about uploads of the account were stored, until the returned function is called. */
  listen(accountId: AccountId, tell: () => void): () => void {
    const listener = { accountId, tell };
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) void this.#run();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop.abort();
    };
  }

  /** One reading of the events serves all accounts. */
  async #run(): Promise<void> {
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    const { events, clock } = this.#ports;
    let position: EventPosition | null = null;
    while (!signal.aborted) {
      try {
        position = position === null ? await events.end() : await this.#look(position);
      } catch {
        // The next look may succeed.
      }
      await clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined);
    }
  }

  async #look(from: EventPosition): Promise<EventPosition> {
    const accounts = new Set<string | null>();
    const { position } = await this.#ports.events.read(from, (event) => accounts.add(event.account_id), {
      kind: UPLOAD_KINDS,
    });
    if (accounts.size > 0)
      for (const { accountId, tell } of this.#listeners)
        // An event without an account may be about any.
        if (accounts.has(accountId) || accounts.has(null)) tell();
    return position;
  }
}
