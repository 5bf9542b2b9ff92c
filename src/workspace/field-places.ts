import type { PlaceOf, SourcePlace } from '../domain/resource.ts';
import type { Path } from './findings.ts';
import type { ReparsedSource } from './reparsed-source.ts';

interface ResourceCursor {
  readonly source: ReparsedSource;
  /** From the file's root to the resource. */
  readonly path: Path;
  readonly place: SourcePlace;
}

/** Places of the fields of declared resources. Looked up only for fields with a message. */
export class FieldPlaces {
  /** By the place of the resource, which all its accounts share. */
  readonly #cursors = new WeakMap<SourcePlace, ResourceCursor>();

  addResource({ source, path, place }: ResourceCursor): void {
    this.#cursors.set(place, { source, path, place });
  }

  /** The place of a field, or of the nearest written value around it, at least of the resource. */
  readonly placeOf: PlaceOf = (resource, field) => {
    const standing = this.#cursors.get(resource);
    if (standing === undefined) return resource;
    const { source, path } = standing;
    return source.placeOf([...path, ...asWritten(source, path, field)]);
  };
}

/** A text may be in its own file. Then the place is that of the reference. */
function asWritten(source: ReparsedSource, resource: Path, field: Path): Path {
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
