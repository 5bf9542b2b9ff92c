import type { Lease, Leases } from './lease.ts';
import type { LedgerTransfer } from './ledger-transfer.ts';
import type { RateStore } from './rate-store.ts';

/** What the runs of one workspace share: the record of what was done, the right to change something, and the rates. */
export interface SharedState {
  readonly ledger: LedgerStore;
  readonly leases: Leases;
  /** Without it, a line that the ledger does not take is lost. */
  readonly rescue?: Rescue | undefined;
  /** Missing where processes cannot share the rates. Then each has its own. */
  readonly rates?: RateStore;
}

/** A place on this machine for lines that the ledger did not take, until `herald state push` adds them. */
export interface Rescue {
  /** Keeps all these lines of a run, in place of those that it has kept for it. Resolves with the path of their file. */
  keep(run: string, lines: readonly string[]): Promise<string>;
}

/**
 * Where the lines of the ledger are kept. A line is one JSON text without a line break. Only the store knows a path, a
 * table or a format: everything else asks it, and names it in messages by its `name`.
 */
export interface LedgerStore {
  /** For messages, such as `.herald/ledger.ndjson`. */
  readonly name: string;
  /** False if lines get a digest in place of each message text (`store_texts: false`). */
  readonly keepsTexts?: boolean;
  /**
   * Opens the ledger for reading. Rejects if it cannot be read: an unreadable ledger must not look like an empty one.
   * With the name of a view, the lines may have `kept`.
   */
  open(view?: string): Promise<LedgerLines>;
  /**
   * Opens the ledger for writing. Everything that is there stays: without the lease, another run may be writing, and with it,
   * a stop by hand.
   */
  openToAppend(lease: Lease | null): Promise<LedgerWriter>;
  /** What compactions have put away, oldest first. */
  archives(): Promise<readonly LedgerArchive[]>;
  /** The name of the archive that gets the lines of a compaction at this instant (ISO 8601, UTC). */
  archiveFor(at: string): string;
  /**
   * Replaces the ledger by the edited one in one step: a crash leaves either of them. A line that leaves it is in the
   * archive before that. `lines` is the ledger that the edit was made for. Rejects, and replaces nothing, if another run
   * has taken the lease.
   */
  compact(lines: LedgerLines, edit: LedgerEdit, lease: Lease): Promise<void>;
  /** Moves the ledger to another place, or one to here. */
  readonly transfer: LedgerTransfer;
}

/** How far a reading has come. Only the store that gave it understands it. */
export type LedgerPosition = string;

/**
 * For a longer reading the heap is kept from growing far: what is made of each piece would otherwise wait in memory until it is
 * many times what is kept.
 */
export const LONG_READING_BYTES = 50_000_000;

/** The position before the first line. */
export const LEDGER_BEGIN: LedgerPosition = '';

/** Takes a line and its number, from 1. Empty lines are given as well. */
export type TakeLine = (text: string, number: number) => void;

/** The lines of the ledger that was there when it was opened, and what is added to it. */
export interface LedgerLines {
  /** In bytes. */
  size(): Promise<number>;
  /** Whether everything before the position is still what was read. If not, the reading has to begin again. */
  continues(position: LedgerPosition): Promise<boolean>;
  /** Gives each whole line after the position, in order. Rejects with what `take` throws. */
  read(from: LedgerPosition, take: TakeLine): Promise<LedgerEnd>;
  /** What readings keep for later ones. Missing or null where the store keeps nothing for this one. */
  readonly kept?: KeptViews | null;
  close(): Promise<void>;
}

/**
 * A view of a name: what readings have made of all lines up to a position, as bytes, so that the next one reads only the
 * lines after it. A store may lose it at any time.
 */
export interface KeptViews {
  /** So many new lines are worth another view: fewer are quickly read again. */
  readonly worthLines: number;
  /** Null if there is none, or if the lines before its position may be others by now. Never rejects. */
  load(): Promise<{ readonly position: LedgerPosition; readonly bytes: ViewBytes } | null>;
  /** Keeps what was made of all lines up to the end of the last `read`, if the store can. Never rejects. */
  save(position: LedgerPosition, pieces: Iterable<Uint8Array>): Promise<void>;
}

/** The bytes of a view, of which a reading may need only some. */
export interface ViewBytes {
  readonly length: number;
  /** So many of them from that place on. They are only lent. */
  at(from: number, length: number): Uint8Array;
}

/** Where a reading ended. */
export interface LedgerEnd {
  readonly position: LedgerPosition;
  /** A last line that a crash cut short, or that another process is writing at this moment; null if there is none. */
  readonly torn: { readonly text: string; readonly number: number } | null;
}

export interface LedgerWriter {
  /** Adds a line. It is durable once this resolves. */
  append(line: string): Promise<void>;
  /**
   * The whole lines that were added since the last call, or since the ledger was opened, by this run and by others. If
   * another ledger has taken its place, as after a `git pull`, all lines of that one.
   */
  readAdded(): Promise<readonly string[]>;
  /** Whether another ledger has replaced it since it was opened. Missing where that cannot happen while a run has the lease. */
  wasReplaced?(): Promise<boolean>;
  close(): Promise<void>;
}

/** Lines that a compaction has put away. */
export interface LedgerArchive {
  /** As the mark of its compaction names it. */
  readonly name: string;
  open(): Promise<LedgerLines>;
}

/** What a compaction makes of a ledger. Its functions give the same answer each time they are asked. */
export interface LedgerEdit {
  /** Lines that go before all others. */
  readonly marks: readonly string[];
  /** The lines that take the place of this one; null if it stays, as one that was added meanwhile does. */
  readonly instead: (text: string, number: number) => readonly string[] | null;
  /** Whether the archive gets this line. */
  readonly isArchived: (text: string, number: number) => boolean;
  /** The name of the archive; null if no line is archived. */
  readonly archive: string | null;
}
