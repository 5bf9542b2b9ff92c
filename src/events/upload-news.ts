import type { EventPosition, EventStore } from '../domain/event-store.ts';
import type { AccountId } from '../domain/ids.ts';
import type { Clock } from '../domain/ports.ts';

const LOOK_EVERY_MS = 1_000;
const UPLOAD_KINDS = 'vault.media_upload.';

/**
 * Tells those who wait for uploads that an event about one was stored. It is a reason to read the list at once, and says
 * nothing about the status. If the events cannot be read, it tells nothing: the list is read regularly anyway.
 */
export class UploadNews {
  readonly #ports: { readonly events: Pick<EventStore, 'end' | 'read'>; readonly clock: Clock };
  readonly #listeners = new Set<{ readonly accountId: AccountId; readonly tell: () => void }>();
  #stop = new AbortController();

  constructor(ports: { readonly events: Pick<EventStore, 'end' | 'read'>; readonly clock: Clock }) {
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
      const accounts = new Set<string | null>();
      try {
        const kind = UPLOAD_KINDS;
        position =
          position === null
            ? await events.end()
            : await events.read(position, ({ account_id: id }) => accounts.add(id), { kind });
      } catch {
        // The next look may succeed.
      }
      for (const { accountId, tell } of this.#listeners)
        // An event without an account may be about any.
        if (accounts.has(accountId) || accounts.has(null)) tell();
      await clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined);
    }
  }
}
