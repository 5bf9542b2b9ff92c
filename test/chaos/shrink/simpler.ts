import { isArray, sizeOf, spotsIn, type Data, type Spot } from './data.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Simpler versions of the data, each with one change, those that take away the most first. */
export function simplerVersions(data: Data, vocabulary: Vocabulary): readonly Data[] {
  const before = sizeOf(data);
  const versions = spotsIn(data).flatMap((spot) => [
    ...withFewerElements(spot),
    ...vocabulary.simplerThan(spot.place, spot.value).map(spot.withValue),
  ]);
  return versions
    .map((version) => ({ version, saved: before - sizeOf(version) }))
    .toSorted((left, right) => right.saved - left.saved)
    .map(({ version }) => version);
}

/** Without one half of an array, and without each of its elements. */
function withFewerElements({ value, withValue }: Spot): readonly Data[] {
  if (!isArray(value) || value.length === 0) return [];
  const half = Math.ceil(value.length / 2);
  const halves = value.length > 2 ? [value.slice(0, half), value.slice(half)] : [];
  const singles = value.map((_, index) => value.toSpliced(index, 1));
  return [...halves, ...singles].map(withValue);
}
