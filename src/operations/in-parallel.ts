/**
 * Does the work for every item, at most `limit` at once, in their order. When one fails, nothing new begins;
 * it rejects with the first failure once all that was under way has ended.
 */
export async function inParallel<Item>(
  limit: number,
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  const left = items.entries();
  const lane = async () => {
    for (const [index, item] of left) {
      if (failures.length > 0) return;
      try {
        await work(item, index);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
  if (failures.length > 0) throw failures[0];
}
