import { digest } from '../../domain/digest.ts';
import { ServiceError } from '../errors.ts';
import { GivenRows } from './given-rows.ts';
import { IncompleteScanError } from './incomplete.ts';
import { endless, type Page, type Scan } from './scan.ts';

const EMPTY_PAGES_LIMIT = 20;

/** Statuses of a service for a cursor that it does not know any more. */
const CURSOR_REFUSALS: readonly (number | null)[] = [400, 404, 409, 410, 422];

class RefusedCursorError extends IncompleteScanError {}

/**
 * Reads a list by its cursor (LIST-1); `next` is the member of the reply that holds it.
 *
 * | the next cursor is     | then                                                             |
 * |------------------------|------------------------------------------------------------------|
 * | missing, null or empty | end                                                              |
 * | new                    | go on, also behind an empty page, 20 of them in a row at most    |
 * | one from before        | incomplete: the list runs in a circle                            |
 * | refused when handed in | it has expired: once more from the first page, without the rows  |
 * |                        | that were given; incomplete where those were too many to remember |
 */
export async function* cursorPages<Item>(
  scan: Scan<Item>,
  next: string,
): AsyncGenerator<readonly Item[], void> {
  const given = new GivenRows(scan.identityOf);
  try {
    yield* onePass(scan, next, given);
  } catch (error) {
    if (!(error instanceof RefusedCursorError)) throw error;
    if (!given.canBeginAgain)
      throw new IncompleteScanError(
        `${error.message}. ${given.rows} rows had been read, too many to begin again without giving any twice`,
        { cause: error },
      );
    scan.onWarning(`${error.message}. Reading the list again from the beginning.`);
    given.beginAgain();
    yield* onePass(scan, next, given);
  }
}

async function* onePass<Item>(
  scan: Scan<Item>,
  next: string,
  given: GivenRows<Item>,
): AsyncGenerator<readonly Item[], void> {
  // Digests, because a cursor has no bound on its length.
  const seen = new Set<string>();
  let empty = 0;
  let cursor: string | null = scan.start.handedBack?.['cursor'] ?? null;
  for (let pages = 0; pages < scan.pagesMax; pages += 1) {
    const { items, reply }: Page<Item> = await askAt(scan, cursor);
    const following: unknown = reply[next];
    // Told before the rows, because the reader may stop at the last of them.
    scan.onFacts(typeof following === 'string' && following !== '' ? { next_cursor: following } : {});
    yield given.take(items);
    if (typeof following !== 'string' || following === '') return;
    cursor = following;
    const known = seen.size;
    if (seen.add(digest(cursor)).size === known)
      throw new IncompleteScanError(`${scan.what}: the list repeats its cursor`);
    empty = items.length === 0 ? empty + 1 : 0;
    if (empty > EMPTY_PAGES_LIMIT)
      throw new IncompleteScanError(`${scan.what}: ${empty} pages in a row were empty, and there are more`);
  }
  throw new IncompleteScanError(endless(scan));
}

async function askAt<Item>(scan: Scan<Item>, cursor: string | null): Promise<Page<Item>> {
  if (cursor === null) return scan.ask({});
  try {
    return await scan.ask({ handedBack: { cursor } });
  } catch (error) {
    if (!(error instanceof ServiceError) || !CURSOR_REFUSALS.includes(error.problem.status)) throw error;
    throw new RefusedCursorError(`${scan.what}: a page was refused: ${error.message}`, { cause: error });
  }
}
