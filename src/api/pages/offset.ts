import { IncompleteScanError } from './incomplete.ts';
import { RecentRows } from './recent-rows.ts';
import { endless, type Place, type Scan } from './scan.ts';

/** The number of full pages in a row without new rows after which the list counts as ignoring its offset. */
export const NO_PROGRESS_LIMIT = 3;

/**
 * Reads a list that has offsets and no mark of its end (LIST-2): a page that is not full, or empty,
 * is the last one. Where the service may cap the page (`mayCap`), a first page that is not full sets the
 * measure, and one page more is asked for. Rows that moved onto a later page are given once.
 */
export async function* offsetPages<Item>(
  scan: Scan<Item>,
  mayCap: boolean,
): AsyncGenerator<readonly Item[], void> {
  yield* untilShort(scan, mayCap, () => ({}));
}

/**
 * The same with a marker (LIST-5): the one of the first reply, 0 among others, goes with every later
 * page and holds the list still. Without one the list is live.
 */
export async function* markerPages<Item>(scan: Scan<Item>): AsyncGenerator<readonly Item[], void> {
  yield* untilShort(scan, false, ({ marker }) =>
    typeof marker === 'number' || typeof marker === 'bigint' || typeof marker === 'string'
      ? { handedBack: { marker: String(marker) } }
      : {},
  );
}

async function* untilShort<Item>(
  scan: Scan<Item>,
  mayCap: boolean,
  afterFirst: (reply: Readonly<Record<string, unknown>>) => Place,
): AsyncGenerator<readonly Item[], void> {
  const recent = new RecentRows(scan.identityOf);
  let fullPage = scan.pageSize;
  let place: Place = scan.start;
  let offset = scan.start.offset ?? 0;
  let stuck = 0;
  for (let pages = 0; pages < scan.pagesMax; pages += 1) {
    const { items, reply } = await scan.ask({ ...place, offset });
    if (pages === 0) {
      place = { ...scan.start, ...afterFirst(reply) };
      const marker = place.handedBack?.['marker'];
      if (marker !== undefined) scan.onFacts({ marker });
      if (mayCap && items.length > 0) fullPage = Math.min(fullPage, items.length);
    }
    const fresh = recent.take(items);
    yield fresh;
    if (items.length < fullPage || items.length === 0) return warnIfMoved(scan, recent);
    offset += items.length;
    stuck = fresh.length === 0 ? stuck + 1 : 0;
    if (stuck >= NO_PROGRESS_LIMIT) throw noProgress(scan);
  }
  throw new IncompleteScanError(endless(scan));
}

export function noProgress({ what }: Pick<Scan<unknown>, 'what'>): IncompleteScanError {
  return new IncompleteScanError(`${what}: one page after another shows the same rows`);
}

/** A repeated row proves that rows moved, and so others may have been missed. */
export function warnIfMoved<Item>(scan: Scan<Item>, recent: RecentRows<Item>): void {
  if (recent.repeated > 0)
    scan.onDoubt(`${scan.what}: the list changed while it was read, so rows may be missing.`);
}
