import type { LedgerWriter, Rescue } from '../domain/ledger-store.ts';
import { StateError } from '../domain/state-error.ts';

interface RecorderPorts {
  readonly writer: LedgerWriter;
  /** Of the ledger, for messages. */
  readonly name: string;
  /** For lines that the ledger does not take. */
  readonly rescue: Rescue | undefined;
  readonly run: string;
}

/** Adds lines to a ledger, and keeps elsewhere what it does not take. */
export class LineRecorder {
  readonly #ports: RecorderPorts;
  readonly #missing: string[] = [];
  /** Rescues write the same file, so they come one after the other. */
  #rescuing: Promise<boolean> = Promise.resolve(true);
  #rescuedIn: string | null = null;
  #problem: string | null = null;
  #next: string | undefined;
  #leaseLost: string | null = null;

  constructor(ports: RecorderPorts) {
    this.#ports = ports;
  }

  /** Why a line could not be added; null while all of them are in the ledger. */
  get problem(): string | null {
    return this.#problem;
  }

  /** What to do about the problem. */
  get next(): string | undefined {
    return this.#next;
  }

  /** Why the store takes nothing from this run any more; null while it has the lease. */
  get leaseLost(): string | null {
    return this.#leaseLost;
  }

  /** The file with the lines that the ledger misses; null if there is none. */
  get rescuedIn(): string | null {
    return this.#rescuedIn;
  }

  /** A line without which something must not be done. False if it is not in the ledger. */
  async announce(line: string): Promise<boolean> {
    // What fails once is not tried again for each change: that could take minutes each time.
    if (this.#problem !== null || this.#leaseLost !== null) return false;
    return this.#added(line);
  }

  /** A line about something that has happened. It is kept elsewhere if the ledger does not take it. */
  async keep(line: string): Promise<void> {
    if (this.#problem !== null && (await this.#rescue(line))) return;
    if (await this.#added(line)) return;
    this.#problem ??= `${this.#ports.name} cannot be written: ${this.#leaseLost ?? ''}`;
    if (!this.#missing.includes(line)) await this.#rescue(line);
  }

  async #added(line: string): Promise<boolean> {
    try {
      await this.#ports.writer.append(line);
      return true;
    } catch (error) {
      const { message } = error as Error;
      if (error instanceof StateError && error.code === 'state-lease-lost') this.#leaseLost ??= message;
      else this.#problem ??= `${this.#ports.name} cannot be written: ${message}`;
      if (error instanceof StateError) this.#next ??= error.next;
      return false;
    }
  }

  /** False if it could not be kept. */
  #rescue(line: string): Promise<boolean> {
    const { rescue, run } = this.#ports;
    if (rescue === undefined) return Promise.resolve(false);
    this.#missing.push(line);
    this.#rescuing = this.#rescuing.then(async () => {
      try {
        this.#rescuedIn = await rescue.keep(run, this.#missing);
        return true;
      } catch {
        return false;
      }
    });
    return this.#rescuing;
  }
}
