import { IncompleteScanError } from './incomplete.ts';
import { endless, type Scan } from './scan.ts';

/** A hundred thousand objects of one kind on one account, all held at once; a list that goes on has no end. */
export const HAS_MORE_PAGES_MAX = 1_000;

/** The number of offsets in a row without new items before a scan gives up. */
const NO_PROGRESS_LIMIT = 3;

/** What one page of a moving list brought. */
interface Reading<Item> {
  /** All its items, with their current content. */
  readonly all: readonly Item[];
  /** The items that no earlier page had. */
  readonly fresh: readonly Item[];
}

/** The pages of a `has_more` list, each item once; the first reading of it. */
export async function* hasMorePages<Item>(scan: Scan<Item>): AsyncGenerator<readonly Item[], void> {
  for await (const { fresh } of hasMoreReadings(scan)) yield fresh;
}

/**
 * Reads a `has_more` list to its end while it moves (LIST-4). Pages may repeat items, bring none
 * or forget to say whether there are more. Anything but a boolean in `has_more` does not say.
 *
 * | a page brings     | has_more true                               | false | not said                    |
 * |-------------------|---------------------------------------------|-------|-----------------------------|
 * | something new     | go on behind its items                      | end   | go on behind its items      |
 * | known items only  | ask again, then go on a whole page further  | end   | the same                    |
 * | nothing           | ask again, then go on a whole page further  | end   | end                         |
 *
 * Asking again keeps a single wrong page from hiding the items that belong at its place.
 * Throws `IncompleteScanError` when the list makes no progress, and whatever a page throws.
 */
export async function* hasMoreReadings<Item>(scan: Scan<Item>): AsyncGenerator<Reading<Item>, void> {
  const known = new Set<string>();
  let stuck = 0;
  let askedAgain = false;
  let offset = scan.start.offset ?? 0;
  for (let pages = 0; pages < scan.pagesMax; pages += 1) {
    const { items, reply } = await scan.ask({ offset });
    const fresh = items.filter((item) => addedTo(known, scan.identityOf(item)));
    yield { all: items, fresh };
    const more = reply['has_more'];
    if (more === false || (typeof more !== 'boolean' && items.length === 0)) return;
    if (fresh.length > 0) {
      offset += items.length;
      stuck = 0;
      askedAgain = false;
    } else if (!askedAgain) {
      askedAgain = true;
    } else {
      offset += scan.pageSize;
      stuck += 1;
      askedAgain = false;
    }
    if (stuck > NO_PROGRESS_LIMIT) {
      const words = `the list says that there is more than ${known.size} objects, but shows nothing new`;
      throw new IncompleteScanError(`${scan.what}: ${words}`);
    }
  }
  throw new IncompleteScanError(endless(scan));
}

function addedTo(known: Set<string>, identity: string): boolean {
  const before = known.size;
  return known.add(identity).size > before;
}
