import { itemsOf, type Answered, type Json, type Visit } from '../visit.ts';

/** Where account 101 stands for its platform; a visit's clock starts at noon of the first of June 2026. */
const PLATFORM = '/api/v0/platforms/platform_a/accounts/9101';

/** The months of a visit's past that a test looks at. */
export const SPRING = { start: '2026-03-01T00:00:00Z', end: '2026-06-01T12:00:00Z' };

/** Each list by range, and the member of its rows that the range is on. */
export const RANGED = [
  ['subscriptions', 'subscribed_at'],
  ['tracking-links', 'created_at'],
  ['trial-links', 'created_at'],
  ['chargebacks', 'chargeback_timestamp'],
  ['transactions', 'timestamp'],
] as const;

/** Each list of people, and the list of the links that brought them. */
export const PEOPLE = [
  ['tracking-link-users', 'tracking-links'],
  ['trial-link-users', 'trial-links'],
] as const;

export type Query = Readonly<Record<string, string | number>>;

/** The path with its query; nothing of a cursor is lost on the way. */
export function pathOf(list: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) search.set(name, String(value));
  return `${list.startsWith('/') ? list : `${PLATFORM}/${list}`}?${search.toString()}`;
}

export function ask(visit: Visit, list: string, query: Query): Promise<Answered> {
  return visit.call('GET', pathOf(list, query));
}

export function cursorOf({ body }: Answered): string | undefined {
  const { cursor } = body;
  return typeof cursor === 'string' ? cursor : undefined;
}

/** All rows, page by page. */
export async function readAll(visit: Visit, list: string, query: Query): Promise<Json[]> {
  const rows: Json[] = [];
  for (let more: Query | null = {}; more !== null;) {
    const page: Answered = await ask(visit, list, { ...query, ...more });
    if (page.status !== 200 || !Array.isArray(page.body['items']))
      throw new Error(`${list}: ${page.status} ${page.text}`);
    rows.push(...itemsOf(page));
    const cursor = cursorOf(page);
    more = cursor === undefined ? null : { cursor };
  }
  return rows;
}

/** The instants of a member of all rows. */
export function instantsOf(rows: readonly Json[], member: string): number[] {
  return rows.map((row) => Date.parse(String(row[member])));
}
