import { IncompleteScanError } from './incomplete.ts';
import { RecentRows } from './recent-rows.ts';
import { endless, NO_ID, type Scan } from './scan.ts';

/**
 * Reads a chat by the id of the last message of the page before, as it came and not as it sorts
 * (LIST-6). Assumed: not shown whether that message comes again, so both is understood.
 *
 * | a page brings     | has_more true | false | not said |
 * |-------------------|---------------|-------|----------|
 * | something new     | go on         | end   | go on    |
 * | nothing new       | incomplete    | end   | end      |
 */
export async function* messageIdPages<Item>(scan: Scan<Item>): AsyncGenerator<readonly Item[], void> {
  const recent = new RecentRows(scan.identityOf);
  let last: string | null = scan.start.handedBack?.['message_id'] ?? null;
  for (let pages = 0; pages < scan.pagesMax; pages += 1) {
    const { items, reply } = await scan.ask(last === null ? {} : { handedBack: { message_id: last } });
    const fresh = recent.take(items);
    yield fresh;
    const more = reply['has_more'];
    if (more === false) return;
    if (items.length === 0 || fresh.length === 0) {
      if (more !== true) return;
      const words = 'says that it has more messages, but shows nothing new';
      throw new IncompleteScanError(`${scan.what}: the list ${words}`);
    }
    const lastId = items.map(scan.identityOf).findLast((id) => !id.startsWith(NO_ID));
    if (lastId === undefined)
      throw new IncompleteScanError(
        `${scan.what}: a page has no message with an id, so the next page is unknown`,
      );
    last = lastId;
  }
  throw new IncompleteScanError(endless(scan));
}
