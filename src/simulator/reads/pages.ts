import { digest } from '../../domain/digest.ts';
import { RawJson, type Bending } from '../call.ts';
import { invalid } from '../refusal.ts';
import type { World } from '../world.ts';
import { readCursor, writeCursor, type Place } from './cursor.ts';
import type { Ground } from './ground.ts';
import { firstFrom, instantOf } from './grid.ts';
import type { RowWriter } from './rows.ts';

/** The bounds of a page (READ-9). */
const LIMIT_DEFAULT = 100;

/** What a list is asked for, with the range that its own parameters mean. */
interface Asked {
  readonly query: { readonly limit?: number | undefined; readonly cursor?: string | undefined };
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** null for no row at all. */
  readonly lane: Lane | null;
}

/** Every so-manieth row alone, beginning with the given one. */
export interface Lane {
  readonly every: number;
  readonly first: number;
}

export const WHOLE: Lane = { every: 1, first: 0 };

/**
 * One page. Assumed: newest first (READ-11). Costs as much as the rows that it shows, however many
 * there are; what comes into being later stands before the first page and shifts nothing.
 */
export function pageOfRows(
  world: World,
  ground: Ground,
  writeRow: RowWriter,
  { query, from, to, lane }: Asked,
  bending: Bending,
): RawJson {
  const { low, high } = rangeOf(world, ground, from, to);
  const { every, first } = lane ?? WHOLE;
  const top = lane === null ? low - 1 : first + Math.floor((high - 1 - first) / every) * every;
  const { cursor: asked, ...fixed } = query;
  const bound = digest([ground.seed, fixed]).slice(0, 16);
  const place: Place = asked === undefined ? { next: top, empty: 0 } : readCursor(world, bound, asked);
  if (bending.emptyPage) return reply([], writeCursor(bound, { ...place, empty: place.empty + 1 }));
  const rows: string[] = [];
  let next = place.next;
  for (const limit = query.limit ?? LIMIT_DEFAULT; next >= low && rows.length < limit; next -= every)
    rows.push(writeRow(ground, next, instantOf(ground, next)));
  const following = next >= low ? writeCursor(bound, { next, empty: 0 }) : undefined;
  return reply(rows, bending.repeatPage ? (asked ?? following) : following);
}

/** The rows from `low` to before `high`, without what has not happened yet. Both ends belong to a range (READ-2). */
function rangeOf(
  { nowMs, modes }: World,
  ground: Ground,
  from: string | undefined,
  to: string | undefined,
): { low: number; high: number } {
  const fromMs = from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from);
  const toMs = to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to);
  if (fromMs > toMs) throw invalid(modes, 'the range ends before it begins', 'end');
  const afterMs = modes.rangeEnds === 'inclusive' ? toMs + 1 : toMs;
  return { low: firstFrom(ground, fromMs), high: firstFrom(ground, Math.min(afterMs, nowMs + 1)) };
}

/** The cursor is absent on the last page (LIST-1). */
function reply(rows: readonly string[], cursor: string | undefined): RawJson {
  const member = cursor === undefined ? '' : `,"cursor":"${cursor}"`;
  return new RawJson(`{"items":[${rows.join(',')}]${member}}`);
}
