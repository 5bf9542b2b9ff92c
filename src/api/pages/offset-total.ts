import { IncompleteScanError } from './incomplete.ts';
import { NO_PROGRESS_LIMIT, noProgress, warnIfMoved } from './offset.ts';
import { RecentRows } from './recent-rows.ts';
import { endless, type Scan } from './scan.ts';

/**
 * Reads a list that has offsets and tells its total, which may change between pages (LIST-3):
 * only the total of the page itself counts.
 *
 * | the page     | places up to its end            | then                                               |
 * |--------------|---------------------------------|----------------------------------------------------|
 * | is empty     | fewer than the total            | ask again, then end, and say what was promised     |
 * | is empty     | any other                       | end                                                |
 * | is not full  | as many as the total            | end                                                |
 * | is full      | as many as the total            | go on: it may count fewer than it lists, as those  |
 * |              |                                 | that did not lapse                                 |
 * | has rows     | fewer, or the total is not said | go on                                              |
 * | has rows     | more than the total             | go on: such a total proves nothing                 |
 */
export async function* offsetTotalPages<Item>(scan: Scan<Item>): AsyncGenerator<readonly Item[], void> {
  const recent = new RecentRows(scan.identityOf);
  let offset = scan.start.offset ?? 0;
  let stuck = 0;
  let askedAgain = false;
  for (let pages = 0; pages < scan.pagesMax; pages += 1) {
    const { items, reply } = await scan.ask({ offset });
    const fresh = recent.take(items);
    if (typeof reply['total'] === 'number') scan.onFacts({ total: reply['total'] });
    yield fresh;
    offset += items.length;
    const total = reply['total'];
    if (items.length === 0 && !askedAgain && promises(total, offset)) {
      askedAgain = true;
      continue;
    }
    askedAgain = false;
    if (items.length === 0 || (offset === total && items.length < scan.pageSize)) {
      if (promises(total, offset))
        scan.onDoubt(`${scan.what}: its total is ${total}, and it shows ${offset}.`);
      return warnIfMoved(scan, recent);
    }
    stuck = fresh.length === 0 ? stuck + 1 : 0;
    if (stuck >= NO_PROGRESS_LIMIT) throw noProgress(scan);
  }
  throw new IncompleteScanError(endless(scan));
}

function promises(total: unknown, offset: number): total is number {
  return typeof total === 'number' && total > offset;
}
