import {
  readPages,
  type ItemOf,
  type ListInput,
  type ListOperation,
  type PageOptions,
  type PagesEnd,
} from '../../../src/api/pages.ts';
import { aClientScene, json } from '../client-scene.ts';

/** What the simulator says to the nth request, from its query; a `Response` goes out as it is. */
export type Answer = (query: Readonly<Record<string, string>>, nth: number) => unknown;

export const RANGE = { start: '2026-01-01T00:00:00.000Z', end: '2026-02-01T00:00:00.000Z' };
export const PLATFORM = { platform: 'platform_a', platform_account_id: '555' };
export const ACCOUNT = { account_id: '101' };

/** Reads a list of a service that is a function of the query. */
export async function reading<Name extends ListOperation>(
  operation: Name,
  input: ListInput<Name>,
  answer: Answer,
  options: PageOptions = {},
) {
  /** The query of each request. */
  const asked: Record<string, string>[] = [];
  const { client } = aClientScene((request) => {
    const query = Object.fromEntries(new URL(request.url).searchParams);
    const said = answer(query, asked.push(query));
    return said instanceof Response ? said : json(said);
  });
  /** Why rows may be missing although the list ended. */
  let doubt: string | null = null;
  const items: ItemOf<Name>[] = [];
  /** What it threw in the end; null when the list came to its end. */
  let error: unknown = null;
  try {
    const onEnd = (end: PagesEnd) => ({ doubt } = end);
    for await (const page of readPages(client, operation, input, { onEnd, ...options })) items.push(...page);
  } catch (thrown) {
    error = thrown;
  }
  return { items, asked, doubt, error };
}

export const upTo = (total: number): number[] => Array.from({ length: total }, (_, index) => index);

/** A stretch of a list of so many things, as an offset and a limit cut it out. */
export const cut = <Item>(list: readonly Item[], query: Readonly<Record<string, string>>): Item[] => {
  const offset = Number(query['offset'] ?? 0);
  return list.slice(offset, offset + Number(query['limit']));
};
