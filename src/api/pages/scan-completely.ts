import { HAS_MORE_PAGES_MAX, hasMoreReadings } from './has-more.ts';
import { warnOfManyPages } from './scan.ts';

/** Identifies an item, to find repeated ones. */
interface Identified {
  readonly id: string;
}

interface HasMorePage<Item> {
  readonly items: readonly Item[];
  /** false ends the scan. A value that is not a boolean counts as missing. */
  readonly has_more?: unknown;
}

export const SCAN_PAGE_LIMIT = 100;
/**
 * All objects of a `has_more` list at once, each once, the last reading of it: what decisions are made on.
 * How a list that moves is read stands at `hasMoreReadings`. `warn` hears that a list is long.
 * Throws `IncompleteScanError` when the list makes no progress, and whatever `readPage` throws.
 */
export async function scanCompletely<Item extends Identified>(
  what: string,
  warn: (sentence: string) => void,
  readPage: (offset: number) => Promise<HasMorePage<Item>>,
): Promise<Item[]> {
  const found = new Map<string, Item>();
  const list = { what, pagesMax: HAS_MORE_PAGES_MAX };
  const readings = hasMoreReadings<Item>({
    ...list,
    pageSize: SCAN_PAGE_LIMIT,
    identityOf: ({ id }) => id,
    onWarning: () => undefined,
    onDoubt: () => undefined,
    start: {},
    onFacts: () => undefined,
    ask: warnOfManyPages(list, warn, async ({ offset = 0 }) => {
      const { items, has_more } = await readPage(offset);
      return { items, reply: { has_more } };
    }),
  });
  for await (const { all } of readings) for (const item of all) found.set(item.id, item);
  return [...found.values()];
}
