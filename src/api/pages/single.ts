import type { Scan } from './scan.ts';

/** Reads a list that has one page and no other (LIST-7); a full one may have been cut. */
export async function* singlePage<Item>(scan: Scan<Item>): AsyncGenerator<readonly Item[], void> {
  const { items } = await scan.ask({});
  yield items;
  if (items.length >= scan.pageSize)
    scan.onWarning(
      `${scan.what}: possibly truncated. ${items.length} rows are the most that the service gives, and it does not say whether there are more.`,
    );
}
