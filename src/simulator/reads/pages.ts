import { digest } from '../../domain/digest.ts';
import { RawJson, type FaultEffects } from '../call.ts';
import { invalid } from '../refusal.ts';
import type { World } from '../world.ts';
import { readCursor, writeCursor, type Place } from './cursor.ts';
import type { HappenedRow } from './happened.ts';
import type { RowSource } from './row-source.ts';
import { firstFrom, instantOf } from './grid.ts';
import type { RowWriter } from './rows.ts';

/** The default page size (READ-9). */
const LIMIT_DEFAULT = 100;

/** A request for a page, with the range from its own parameters. */
interface Asked {
  readonly query: { readonly limit?: number | undefined; readonly cursor?: string | undefined };
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** null for no rows. */
  readonly step: RowStep | null;
}

/** Every n-th row, starting with `first`. */
export interface RowStep {
  readonly every: number;
  readonly first: number;
}

export const EVERY_ROW: RowStep = { every: 1, first: 0 };

/**
 * One page. Assumed: newest first (READ-11). The cost depends on the rows shown, not on all rows. New rows come
 * before the first page and do not shift the others.
 */
export function pageOfRows(
  world: World,
  source: RowSource,
  writeRow: RowWriter,
  { query, from, to, step }: Asked,
  effects: FaultEffects,
): RawJson {
  const { low, high } = rangeOf(world, source, from, to);
  const { every, first } = step ?? EVERY_ROW;
  const top = step === null ? low - 1 : first + Math.floor((high - 1 - first) / every) * every;
  const { cursor: asked, ...fixed } = query;
  const bound = digest([source.seed, fixed]).slice(0, 16);
  const place: Place =
    asked === undefined ? { next: top, empty: 0, happened: 0 } : readCursor(world, bound, asked);
  const others = happenedIn(world, source, from, to);
  if (effects.emptyPage) return reply([], writeCursor(bound, { ...place, empty: place.empty + 1 }));
  const rows: string[] = [];
  let { next, happened } = place;
  for (const limit = query.limit ?? LIMIT_DEFAULT; rows.length < limit;) {
    const other = others[happened];
    const atMs = next >= low ? instantOf(source, next) : Number.NEGATIVE_INFINITY;
    if (other !== undefined && other.atMs >= atMs) {
      rows.push(`{${other.text}${source.close}`);
      happened += 1;
    } else if (next >= low) {
      rows.push(writeRow(source, next, atMs));
      next -= every;
    } else break;
  }
  const hasMore = next >= low || happened < others.length;
  const following = hasMore ? writeCursor(bound, { next, empty: 0, happened }) : undefined;
  return reply(rows, effects.repeatPage ? (asked ?? following) : following);
}

/** The rows that happened in the range, newest first (READ-2). */
function happenedIn(
  { nowMs, modes }: World,
  { happened }: RowSource,
  from: string | undefined,
  to: string | undefined,
): readonly HappenedRow[] {
  if (happened.length === 0) return happened;
  const fromMs = from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from);
  const toMs = to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to);
  const isBefore = (atMs: number) => (modes.rangeEnds === 'inclusive' ? atMs <= toMs : atMs < toMs);
  return happened.filter(({ atMs }) => atMs >= fromMs && isBefore(atMs) && atMs <= nowMs).toReversed();
}

/** The rows from `low` to before `high`, without future ones. A range includes both ends (READ-2). */
function rangeOf(
  { nowMs, modes }: World,
  source: RowSource,
  from: string | undefined,
  to: string | undefined,
): { low: number; high: number } {
  const fromMs = from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from);
  const toMs = to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to);
  if (fromMs > toMs) throw invalid(modes, 'the range ends before it begins', 'end');
  const afterMs = modes.rangeEnds === 'inclusive' ? toMs + 1 : toMs;
  return { low: firstFrom(source, fromMs), high: firstFrom(source, Math.min(afterMs, nowMs + 1)) };
}

/** The last page has no cursor (LIST-1). */
function reply(rows: readonly string[], cursor: string | undefined): RawJson {
  const member = cursor === undefined ? '' : `,"cursor":"${cursor}"`;
  return new RawJson(`{"items":[${rows.join(',')}]${member}}`);
}
