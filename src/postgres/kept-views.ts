import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { KeptViews, LedgerPosition, ViewBytes } from '../domain/ledger-store.ts';
import type { Database, Query } from './database.ts';
import { placeOf, type Extent } from './ledger-lines.ts';

/** Views are kept in parts of so many bytes. Of most of them a plan needs nothing, and they stay compressed. */
const PART_BYTES = 262_144;
/** So many parts are read at once. */
const PAGE_PARTS = 16;
/** The fastest: a view is made again after every few thousand lines. */
const LEVEL = 1;

/** Whether this user may keep views. A reader needs no right to write, and a replica cannot be written. */
const MAY_KEEP = `SELECT has_table_privilege('herald.views', 'INSERT')
  AND has_table_privilege('herald.views', 'DELETE') AND NOT pg_is_in_recovery() AS may`;

/** Views of the lines of a workspace as rows. Lines of an epoch never change, so a view of them stays true. */
export class PostgresViews implements KeptViews {
  readonly worthLines = 10_000;
  readonly #database: Database;
  readonly #extent: Extent;
  readonly #name: string;

  constructor(database: Database, extent: Extent, name: string) {
    this.#database = database;
    this.#extent = extent;
    this.#name = name;
  }

  async load(): ReturnType<KeptViews['load']> {
    try {
      return await this.#load();
    } catch {
      // All lines are read instead, which tells what is wrong with the database.
      return null;
    }
  }

  async save(position: LedgerPosition, pieces: Iterable<Uint8Array>): Promise<void> {
    try {
      const [right] = await this.#database.query(MAY_KEEP);
      if (right?.['may'] === true)
        await this.#database.transaction((query) => this.#write(query, placeOf(position).last, pieces));
    } catch {
      // The next reading reads all lines again.
    }
  }

  async #load(): ReturnType<KeptViews['load']> {
    const { workspace, epoch, last } = this.#extent;
    const [end] = await this.#database.query(
      `SELECT position, count(*) AS parts, sum(bytes) AS bytes, max(bytes) AS part_bytes FROM herald.views
       WHERE workspace = $1 AND name = $2 AND epoch = $3 AND position <= $4
       GROUP BY position ORDER BY position DESC LIMIT 1`,
      [workspace, this.#name, epoch, last],
    );
    if (end === undefined) return null;
    const position = Number(end['position']);
    const parts: Buffer[] = [];
    for (let count = -1; parts.length > count;) {
      count = parts.length;
      const page = await this.#database.query(
        `SELECT data FROM herald.views
         WHERE workspace = $1 AND name = $2 AND epoch = $3 AND position = $4 AND part > $5 ORDER BY part LIMIT $6`,
        [workspace, this.#name, epoch, position, count, PAGE_PARTS],
      );
      parts.push(...page.map(({ data }) => data as Buffer));
    }
    if (parts.length !== Number(end['parts'])) return null;
    const bytes = new CompressedBytes(parts, Number(end['part_bytes']), Number(end['bytes']));
    return { position: JSON.stringify({ workspace, epoch, last: position }), bytes };
  }

  /** Adds all parts, and removes the views that this one takes the place of. */
  async #write(query: Query, last: number, pieces: Iterable<Uint8Array>): Promise<void> {
    const { workspace, epoch } = this.#extent;
    let part = 0;
    for (const bytes of partsOf(pieces)) {
      part += 1;
      await query(
        `INSERT INTO herald.views (workspace, name, epoch, position, part, bytes, data)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
        [workspace, this.#name, epoch, last, part, bytes.length, deflateRawSync(bytes, { level: LEVEL })],
      );
    }
    await query(
      'DELETE FROM herald.views WHERE workspace = $1 AND name = $2 AND (epoch, position) < ($3, $4)',
      [workspace, this.#name, epoch, last],
    );
  }
}

/** A view of which only those parts are unpacked that are asked for. */
class CompressedBytes implements ViewBytes {
  readonly length: number;
  readonly #parts: readonly Buffer[];
  readonly #partBytes: number;
  readonly #unpacked = new Map<number, Buffer>();

  constructor(parts: readonly Buffer[], partBytes: number, length: number) {
    this.#parts = parts;
    this.#partBytes = partBytes;
    this.length = length;
  }

  at(from: number, length: number): Uint8Array {
    const first = Math.floor(from / this.#partBytes);
    const last = Math.floor((from + length - 1) / this.#partBytes);
    const start = from - first * this.#partBytes;
    if (first >= last) return this.#part(first).subarray(start, start + length);
    const bytes = Buffer.allocUnsafeSlow(length);
    let filled = this.#part(first).copy(bytes, 0, start);
    for (let part = first + 1; part <= last; part += 1) filled += this.#part(part).copy(bytes, filled);
    return bytes;
  }

  #part(part: number): Buffer {
    const known = this.#unpacked.get(part) ?? inflateRawSync(this.#parts[part] ?? EMPTY);
    this.#unpacked.set(part, known);
    return known;
  }
}

const EMPTY = deflateRawSync('');

/** The same bytes in parts of one size; the last one may be smaller. */
function* partsOf(pieces: Iterable<Uint8Array>): Generator<Buffer, undefined> {
  let part = Buffer.allocUnsafeSlow(PART_BYTES);
  let filled = 0;
  for (const piece of pieces)
    for (let rest = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength); rest.length > 0;) {
      const taken = rest.copy(part, filled);
      filled += taken;
      rest = rest.subarray(taken);
      if (filled < PART_BYTES) continue;
      yield part;
      part = Buffer.allocUnsafeSlow(PART_BYTES);
      filled = 0;
    }
  if (filled > 0) yield part.subarray(0, filled);
}
