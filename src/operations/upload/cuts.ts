import type { ByteRange } from '../../domain/ports.ts';

/** Object stores accept no smaller part, except the last one. */
const LEAST_PART_BYTES = 5 * 1_048_576;

/**
 * The ranges of a file that go to `parts` addresses, in the order of the parts; none of them is empty.
 * Assumed: the service does not say where it cuts (VAULT-8), so parts are of one size wherever that gives
 * exactly their number, and differ by one byte elsewhere. Null where there are more parts than bytes.
 */
export function cutFile(size: number, parts: number): readonly ByteRange[] | null {
  if (parts < 1 || parts > size) return null;
  const even = Math.max(Math.ceil(size / parts), LEAST_PART_BYTES);
  const lengths =
    Math.ceil(size / even) === parts
      ? Array.from({ length: parts }, (_, index) => Math.min(even, size - index * even))
      : balanced(size, parts);
  let start = 0;
  return lengths.map((length) => {
    const range = { start, length };
    start += length;
    return range;
  });
}

function balanced(size: number, parts: number): readonly number[] {
  const least = Math.floor(size / parts);
  return Array.from({ length: parts }, (_, index) => (index < size % parts ? least + 1 : least));
}
