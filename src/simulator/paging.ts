import { rowOf } from '../api/catalogue.ts';
import { digest } from '../domain/digest.ts';
import { Refusal } from './answers.ts';
import type { Call } from './calls.ts';

export interface PagedCall extends Pick<Call, 'operation' | 'effects'> {
  readonly params: object;
  readonly query: {
    readonly limit?: number | undefined;
    readonly offset?: number | undefined;
    readonly cursor?: string | undefined;
  };
}

/** The default page sizes (READ-9, VAULT-1, CAMPAIGN-15). Assumed: that of accounts is 100 (ACCOUNT-4). */
const LIMITS: Readonly<Record<string, number>> = { cursor: 100, has_more: 50 };
const OTHER_LIMIT = 10;

/**
 * One page of a live list, in the form that its row describes. New or hidden items since the previous page shift it,
 * unless it pages by a cursor, which is after the item with a key.
 */
export function listPage<Item>(
  call: PagedCall,
  items: readonly Item[],
  read: (item: Item) => unknown,
  key: (item: Item) => string = () => '',
): object {
  const { paging } = rowOf(call.operation);
  const { limit = LIMITS[paging.style] ?? OTHER_LIMIT, offset: asked = 0, cursor } = call.query;
  const offset = call.effects.repeatPage ? Math.max(0, asked - limit) : asked;
  const start = cursor === undefined ? offset : findPlace(call, cursor, items.map(key));
  const page = items.slice(start, start + limit);
  const hasMore = start + limit < items.length;
  const last = page.at(-1);
  return {
    ['items' in paging ? paging.items : 'items']: page.map(read),
    ...(paging.style === 'has_more' ? { has_more: hasMore } : {}),
    ...(paging.style === 'offset_total' ? { total: items.length } : {}),
    // The last page has no cursor (LIST-1).
    ...(paging.style === 'cursor' && hasMore && last !== undefined
      ? { [paging.next ?? 'cursor']: writeCursor(bindCursor(call), key(last)) }
      : {}),
  };
}

/** Makes the cursor unreadable, and lets all 64 characters occur. */
const MASK = 0xa5;

/** Opaque base64 (LIST-1): a place in a list, valid only for its own query. */
function writeCursor(query: string, key: string): string {
  return maskBytes(Buffer.from(`${query} ${key}`)).toString('base64');
}

/** Assumed: an unknown cursor, or one of another query, is refused as invalid input (LIST-1). */
function findPlace(call: PagedCall, cursor: string, keys: readonly string[]): number {
  const [query, key = ''] = maskBytes(Buffer.from(cursor, 'base64')).toString().split(' ');
  const place = query === bindCursor(call) ? keys.indexOf(key) : -1;
  if (place === -1) throw Refusal.invalid('unknown cursor, or one of another query', 'cursor');
  return place + 1;
}

function bindCursor({ operation, params, query: { cursor: _cursor, ...query } }: PagedCall): string {
  return digest([operation, params, query]).slice(0, 16);
}

function maskBytes(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte) => byte ^ MASK));
}
