import { isChangedFrom, type Declared } from '../declare.ts';
import { groupOf, type Live } from '../live.ts';

/**
 * Whether an object differs from its file in its text, as an earlier version did that Herald made from the same file:
 * it was replaced for that once, and is left as it is from then on.
 */
export function isLeft(live: readonly Live[], object: Live, { content }: Declared): boolean {
  if (!isChangedFrom(object.content, content)) return false;
  return live.some(
    (earlier) =>
      groupOf(earlier) === groupOf(object) &&
      earlier.madeBy !== null &&
      BigInt(earlier.id) < BigInt(object.id) &&
      isChangedFrom(earlier.content, content),
  );
}
