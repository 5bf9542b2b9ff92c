import { isArray, isObject, sizeOf, spotsIn, type Data } from './data.ts';

interface Seen {
  readonly value: Data;
  times: number;
}

/** More different values of one place than these tell nothing new. */
const VALUES_MAX = 100;

/**
 * Which values each place of a scenario may hold, learned from many scenarios. What is put into a place was seen there
 * before, so that a simpler scenario is still one that could have been drawn.
 */
export class Vocabulary {
  readonly #seen = new Map<string, Map<string, Seen>>();

  constructor(samples: readonly Data[]) {
    for (const sample of samples) for (const { place, value } of spotsIn(sample)) this.#learn(place, value);
  }

  /** Simpler values for the place, the simplest first. */
  simplerThan(place: string, value: Data): readonly Data[] {
    // Another whole would be another failure.
    if (place === '' || value === null || isArray(value)) return [];
    const seen = [...(this.#seen.get(place)?.values() ?? [])];
    const nothing = seen.some((one) => one.value === null) ? [null] : [];
    return [...nothing, ...simplerOfItsKind(value, seen)];
  }

  #learn(place: string, value: Data): void {
    const values = this.#seen.get(place) ?? new Map<string, Seen>();
    this.#seen.set(place, values);
    const key = JSON.stringify(value);
    const known = values.get(key);
    if (known !== undefined) known.times += 1;
    else if (values.size < VALUES_MAX) values.set(key, { value, times: 1 });
  }
}

function simplerOfItsKind(value: Data, seen: readonly Seen[]): readonly Data[] {
  switch (typeof value) {
    case 'boolean':
      return value && seen.some((one) => one.value === false) ? [false] : [];
    case 'number':
      return smallerThan(
        value,
        seen.flatMap((one) => (typeof one.value === 'number' ? [one.value] : [])),
      );
    case 'string':
      return commonest(value, seen);
    default:
      return shorterThan(value, seen);
  }
}

/** The smallest that was seen, and half the way to it. */
function smallerThan(value: number, seen: readonly number[]): readonly number[] {
  const min = Math.min(...seen);
  if (min >= value) return [];
  const middle = Math.floor((value + min) / 2);
  const isBetween = Number.isInteger(value) && middle > min && seen.length === VALUES_MAX;
  const others = isBetween ? [middle] : seen.filter((one) => one > min && one < value).toSorted(ascending);
  return [min, ...others.slice(0, 1)];
}

/** What nearly every scenario has there is the plain case. */
function commonest(value: string, seen: readonly Seen[]): readonly string[] {
  const [first] = seen
    .filter((one): one is Seen & { readonly value: string } => typeof one.value === 'string')
    .toSorted((left, right) => right.times - left.times);
  return first === undefined || first.value === value ? [] : [first.value];
}

/** The shortest object that was seen there. */
function shorterThan(value: Data, seen: readonly Seen[]): readonly Data[] {
  const [first] = seen
    .filter((one) => isObject(one.value))
    .toSorted((left, right) => sizeOf(left.value) - sizeOf(right.value) || right.times - left.times);
  return first !== undefined && sizeOf(first.value) < sizeOf(value) ? [first.value] : [];
}

function ascending(left: number, right: number): number {
  return left - right;
}
