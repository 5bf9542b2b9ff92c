import type { Bending } from './call.ts';
import type { World } from './world.ts';

const LIMIT_DEFAULT = 50;

interface PageQuery {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** One page of a live list: what was added or hidden since the page before shifts its items. */
export function pageOf<Item>(
  items: readonly Item[],
  query: PageQuery,
  bending: Bending,
): { items: Item[]; has_more: boolean } {
  const limit = query.limit ?? LIMIT_DEFAULT;
  const asked = query.offset ?? 0;
  const offset = bending.repeatPage ? Math.max(0, asked - limit) : asked;
  return { items: items.slice(offset, offset + limit), has_more: offset + limit < items.length };
}

/** How long what is made now stays out of its list. */
export function listLagMs({ modes }: World, { listLagSec }: Bending): number {
  return Math.max(listLagSec, modes.listLagSec) * 1000;
}
