import pLimit from 'p-limit';

/**
 * Does the work for every item in their order, at most `limit` at once. After a failure nothing new begins. Rejects
 * with the first failure once all that was under way has ended.
 */
export async function inParallel<Item>(
  limit: number,
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  await pLimit(limit).map(items, async (item, index) => {
    if (failures.length > 0) return;
    await work(item, index).catch((error: unknown) => failures.push(error));
  });
  if (failures.length > 0) throw failures[0];
}
