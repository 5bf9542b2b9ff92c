import { FIRST_PLACE, follow, type ObjectRecord } from './object-record.ts';
import { PlaceTable } from './place-table.ts';

/** What follows the records of a table. */
export interface TableEnd {
  readonly bytes: number;
  readonly keys: Uint32Array;
  readonly names: Uint32Array;
}

const PIECE_BYTES = 262_144;
/** Places have 32 bits. */
export const BYTES_MAX = 2 ** 32;

/** The records of an `ObjectTable`, piece by piece. Throws if they are more than a table can have. */
export function* tableBytes(records: Iterable<ObjectRecord>): Generator<Uint8Array, TableEnd, undefined> {
  const keys = new PlaceTable();
  const names = new PlaceTable();
  let piece = new Uint8Array(PIECE_BYTES);
  let filled = FIRST_PLACE;
  let place = FIRST_PLACE;
  for (const record of records) {
    const { length } = record.bytes;
    if (filled + length > piece.length) {
      yield piece.subarray(0, filled);
      piece = new Uint8Array(Math.max(PIECE_BYTES, length));
      filled = 0;
    }
    keys.add(record.key, place);
    piece.set(record.bytes, filled);
    follow(piece.subarray(filled), names.addFirst(record.name, place));
    filled += length;
    place += length;
    if (place > BYTES_MAX) throw new RangeError('too many objects for a table');
  }
  yield piece.subarray(0, filled);
  return { bytes: place, keys: keys.cells, names: names.cells };
}
