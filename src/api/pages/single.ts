import { CutOffError } from './incomplete.ts';
import type { Scan } from './scan.ts';

/**
 * Reads a list that has one page and no other (LIST-7). A full one may have been cut off, so it does not count as complete.
 * Throws `CutOffError` then, after its rows.
 */
export async function* singlePage<Item>(scan: Scan<Item>): AsyncGenerator<readonly Item[], void> {
  const { items } = await scan.ask({});
  yield items;
  if (items.length >= scan.pageSize)
    throw new CutOffError(
      `${scan.what}: possibly truncated. ${items.length} rows are the most that the service gives, and it does not say whether there are more.`,
    );
}
