import { rowOf } from '../api/catalogue.ts';
import { invalid } from './answers.ts';
import type { FaultEffects } from './faults.ts';
import type { Call } from './requests.ts';
import type { World } from './world.ts';

type PagedCall = Pick<Call, 'operation' | 'effects'> & {
  readonly query: { readonly limit?: number | undefined; readonly offset?: number | undefined };
};

/** The default page size, which follows from the style of paging (READ-9, VAULT-1, CAMPAIGN-15). */
const limitDefault = (style: string): number => (style === 'has_more' ? 50 : 10);

/**
 * One page of a live list, in the form that its row describes. New or hidden items since the previous page shift it.
 */
export function listPage<Item>(
  { operation, query, effects }: PagedCall,
  items: readonly Item[],
  read: (item: Item) => unknown,
): object {
  const { paging } = rowOf(operation);
  const { limit = limitDefault(paging.style), offset: asked = 0 } = query;
  const offset = effects.repeatPage ? Math.max(0, asked - limit) : asked;
  const member = 'items' in paging ? paging.items : 'items';
  return {
    [member]: items.slice(offset, offset + limit).map(read),
    ...(paging.style === 'has_more' ? { has_more: offset + limit < items.length } : {}),
    ...(paging.style === 'offset_total' ? { total: items.length } : {}),
  };
}

/** The time until a new object appears in its list. */
export function listLagMs({ modes }: World, { lagSec }: FaultEffects): number {
  return Math.max(lagSec, modes.listLagSec) * 1000;
}

/** Makes the cursor unreadable, and lets all 64 characters occur. */
const MASK = 0xa5;

/** Opaque base64 (LIST-1): a place in a list, valid only for its own query. */
export function writeCursor(query: string, place: readonly (number | string)[]): string {
  return maskBytes(Buffer.from([query, ...place].join(' '))).toString('base64');
}

/** Assumed: an unknown cursor, or one of another query, is refused as invalid input (LIST-1). */
export function readCursor({ modes }: World, query: string, cursor: string): string[] {
  const text = maskBytes(Buffer.from(cursor, 'base64')).toString();
  if (!/^[0-9a-f]{16}(?: -?\d{1,19})+$/.test(text)) throw invalid(modes, 'unknown cursor', 'cursor');
  const [asked, ...place] = text.split(' ');
  if (asked !== query) throw invalid(modes, 'the cursor belongs to another query', 'cursor');
  return place;
}

function maskBytes(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte) => byte ^ MASK));
}
