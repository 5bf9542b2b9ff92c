import type { PlaceOf, SourcePlace } from '../domain/resource.ts';
import type { Path } from './findings.ts';
import type { LateSource } from './late-source.ts';

interface Standing {
  readonly source: LateSource;
  /** From the file's root to the resource. */
  readonly path: Path;
  readonly place: SourcePlace;
}

/** Where the fields of declared resources stand; looked up only for what there is something to say about. */
export class FieldPlaces {
  /** By the place that all accounts of a resource share. */
  readonly #standings = new WeakMap<SourcePlace, Standing>();

  addResource({ source, path, place }: Standing): void {
    this.#standings.set(place, { source, path, place });
  }

  /** The place of a field, or of the nearest thing around it that is written; at worst of the resource. */
  readonly placeOf: PlaceOf = (resource, field) => {
    const standing = this.#standings.get(resource);
    if (standing === undefined) return resource;
    const { source, path } = standing;
    return source.placeOf([...path, ...asWritten(source, path, field)]);
  };
}

/** A text may stand in a file of its own, and then the reference to it is what is written. */
function asWritten(source: LateSource, resource: Path, field: Path): Path {
  if (field.at(-1) !== 'text') return field;
  const reference = [...field.slice(0, -1), 'text_file'];
  return valueAt(source.value, [...resource, ...reference]) === undefined ? field : reference;
}

function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const step of path) value = isRecord(value) ? value[step] : undefined;
  return value;
}

function isRecord(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null;
}
