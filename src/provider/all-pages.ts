/** One page of a list, and whether another one follows. */
interface Page<Item> {
  readonly items: readonly Item[];
  readonly hasNext: boolean;
}

/** A list as far as it was read. */
export interface ListRead<Item> {
  readonly items: readonly Item[];
  /** False if the list has more pages than were read. */
  readonly isComplete: boolean;
}

/** Reads a list page by page, from page 1 on, until it ends or `pagesMax` pages are read. */
export async function allPages<Item>(
  pagesMax: number,
  read: (page: number) => Promise<Page<Item>>,
): Promise<ListRead<Item>> {
  const items: Item[] = [];
  for (let page = 1; page <= pagesMax; page += 1) {
    const one = await read(page);
    items.push(...one.items);
    if (!one.hasNext) return { items, isComplete: true };
  }
  return { items, isComplete: false };
}
