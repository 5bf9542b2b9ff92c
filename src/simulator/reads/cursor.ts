import { invalid } from '../refusal.ts';
import type { World } from '../world.ts';

/** Where a list goes on. */
export interface Place {
  /** The next row to show. */
  readonly next: number;
  /** How many empty pages came before it, so that each has a cursor of its own. */
  readonly empty: number;
}

/** Looks like nothing a client could read, and makes all 64 characters turn up. */
const VEIL = 0xa5;

/** Opaque base64 (LIST-1), good for the query that it came from alone. */
export function writeCursor(query: string, { next, empty }: Place): string {
  return veiled(Buffer.from(JSON.stringify([query, next, empty]))).toString('base64');
}

/** Assumed: a cursor that is unknown or of another query is refused like any other input (LIST-1). */
export function readCursor({ modes }: World, query: string, cursor: string): Place {
  const text = veiled(Buffer.from(cursor, 'base64')).toString();
  const [, asked, next, empty] = /^\["([0-9a-f]+)",(-?\d{1,15}),(\d{1,15})\]$/.exec(text) ?? [];
  if (asked === undefined) throw invalid(modes, 'unknown cursor', 'cursor');
  if (asked !== query) throw invalid(modes, 'the cursor belongs to another query', 'cursor');
  return { next: Number(next), empty: Number(empty) };
}

function veiled(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte) => byte ^ VEIL));
}
