import { invalid } from '../refusal.ts';
import type { World } from '../world.ts';

/** The position in a list. */
export interface Place {
  /** The next row to show. */
  readonly next: number;
  /** The number of empty pages before it, so that each has its own cursor. */
  readonly empty: number;
  /** The next of the rows that happened, from the newest; 0 in a list without them. */
  readonly happened: number;
}

/** Makes the cursor unreadable, and lets all 64 characters occur. */
const MASK = 0xa5;

/** Opaque base64 (LIST-1), valid only for its own query. */
export function writeCursor(query: string, { next, empty, happened }: Place): string {
  const parts = happened === 0 ? [query, next, empty] : [query, next, empty, happened];
  return masked(Buffer.from(JSON.stringify(parts))).toString('base64');
}

/** Assumed: an unknown cursor, or one of another query, is refused as invalid input (LIST-1). */
export function readCursor({ modes }: World, query: string, cursor: string): Place {
  const text = masked(Buffer.from(cursor, 'base64')).toString();
  const [, asked, next, empty, happened = '0'] =
    /^\["([0-9a-f]+)",(-?\d{1,15}),(\d{1,15})(?:,(\d{1,15}))?\]$/.exec(text) ?? [];
  if (asked === undefined) throw invalid(modes, 'unknown cursor', 'cursor');
  if (asked !== query) throw invalid(modes, 'the cursor belongs to another query', 'cursor');
  return { next: Number(next), empty: Number(empty), happened: Number(happened) };
}

function masked(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte) => byte ^ MASK));
}
