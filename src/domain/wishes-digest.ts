import { digest } from './digest.ts';
import type { MediaWishes } from './media-wishes.ts';

/** Lists in which the order does not matter. */
const LISTS = ['rf_guest', 'rf_partner', 'rf_tag'] as const;

const WISHES_LENGTH = 16;

/** The same wishes have the same digest. Undefined if there are none. */
export function wishesDigest(wishes: MediaWishes | undefined): string | undefined {
  if (wishes === undefined || Object.keys(wishes).length === 0) return undefined;
  const sorted = Object.fromEntries(
    LISTS.flatMap((key) => (wishes[key] === undefined ? [] : [[key, wishes[key].toSorted()]])),
  );
  return digest({ ...wishes, ...sorted }).slice(0, WISHES_LENGTH);
}
