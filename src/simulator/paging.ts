import type { FaultEffects } from './call.ts';
import type { World } from './world.ts';

const LIMIT_DEFAULT = 50;

interface PageQuery {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** One page of a live list. New or hidden items since the previous page shift it. */
export function pageOf<Item>(
  items: readonly Item[],
  query: PageQuery,
  effects: FaultEffects,
): { items: Item[]; has_more: boolean } {
  const limit = query.limit ?? LIMIT_DEFAULT;
  const asked = query.offset ?? 0;
  const offset = effects.repeatPage ? Math.max(0, asked - limit) : asked;
  return { items: items.slice(offset, offset + limit), has_more: offset + limit < items.length };
}

/** The time until a new object appears in its list. */
export function listLagMs({ modes }: World, { listLagSec }: FaultEffects): number {
  return Math.max(listLagSec, modes.listLagSec) * 1000;
}
