/** What a scenario is made of. */
export type Data = null | boolean | number | string | readonly Data[] | Members;
interface Members {
  readonly [key: string]: Data;
}

/** One value in a scenario: where it is, and what the whole would be with another one in its place. */
export interface Spot {
  /** The same for the elements of one array, and for objects of one kind: `.steps[]<version>.slots`. */
  readonly place: string;
  readonly value: Data;
  readonly withValue: (other: Data) => Data;
}

/** Members that say what the others are: they never change alone. */
const LABELS: readonly string[] = ['kind', 'name'];

/** Every value in the data, the whole first. */
export function spotsIn(data: Data): readonly Spot[] {
  return below({ place: '', value: data, withValue: (other) => other });
}

function below(spot: Spot): readonly Spot[] {
  const { place, value, withValue } = spot;
  if (isArray(value)) {
    const elements = value.map((element, index): Spot => ({
      place: `${place}[]`,
      value: element,
      withValue: (other) => withValue(value.with(index, other)),
    }));
    return [spot, ...elements.flatMap(below)];
  }
  if (!isObject(value)) return [spot];
  const kind = typeof value['kind'] === 'string' ? `<${value['kind']}>` : '';
  const members = Object.entries(value)
    .filter(([key]) => !LABELS.includes(key))
    .map(([key, member]): Spot => ({
      place: `${place}${kind}.${key}`,
      value: member,
      withValue: (other) => withValue({ ...value, [key]: other }),
    }));
  return [spot, ...members.flatMap(below)];
}

export function isArray(data: Data): data is readonly Data[] {
  return Array.isArray(data);
}

export function isObject(data: Data): data is Members {
  return typeof data === 'object' && data !== null && !isArray(data);
}

export function sizeOf(data: Data): number {
  return JSON.stringify(data).length;
}
