import { groupBy } from './group-by.ts';
import type { AccountId } from './ids.ts';
import { objectKey, type KnownLists, type KnownObject, type ObjectsOnRecord } from './knowledge.ts';
import type { Kind } from './resource.ts';

/** A `ReadonlyMap` that is not one in memory. */
export abstract class ObjectsByKey implements ObjectsOnRecord {
  abstract readonly size: number;
  abstract readonly lists: KnownLists;
  abstract get(key: string): KnownObject | undefined;
  abstract entries(): Generator<[string, KnownObject], undefined>;

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  *keys(): Generator<string, undefined> {
    for (const [key] of this.entries()) yield key;
  }

  *values(): Generator<KnownObject, undefined> {
    for (const [, object] of this.entries()) yield object;
  }

  [Symbol.iterator](): Generator<[string, KnownObject], undefined> {
    return this.entries();
  }

  forEach(take: (object: KnownObject, key: string, all: ReadonlyMap<string, KnownObject>) => void): void {
    for (const [key, object] of this.entries()) take(object, key, this);
  }
}

/** The same objects, but for those that are other or new. Neither map is copied, so neither may change. */
export class ObjectsWith extends ObjectsByKey {
  readonly #before: ObjectsOnRecord;
  readonly #other: ReadonlyMap<string, KnownObject>;
  readonly size: number;
  #lists: KnownLists | null = null;

  constructor(before: ObjectsOnRecord, other: ReadonlyMap<string, KnownObject>) {
    super();
    this.#before = before;
    this.#other = other;
    this.size = before.size + [...other.keys()].filter((key) => !before.has(key)).length;
  }

  get(key: string): KnownObject | undefined {
    return this.#other.get(key) ?? this.#before.get(key);
  }

  *entries(): Generator<[string, KnownObject], undefined> {
    for (const [key, object] of this.#before) yield [key, this.#other.get(key) ?? object];
    for (const [key, object] of this.#other) if (!this.#before.has(key)) yield [key, object];
  }

  get lists(): KnownLists {
    this.#lists ??= this.#listsWith();
    return this.#lists;
  }

  #listsWith(): KnownLists {
    const before = knownLists(this.#before);
    const other = knownLists(this.#other);
    const sizes = new Map(before.sizes);
    for (const [key, { accountId, kind }] of this.#other)
      if (!this.#before.has(key))
        sizes.set(listKey(accountId, kind), (sizes.get(listKey(accountId, kind)) ?? 0) + 1);
    return {
      sizes,
      mayHaveProtected: before.mayHaveProtected || other.mayHaveProtected,
      named: (accountId, kind, name) => [
        ...before
          .named(accountId, kind, name)
          .filter((one) => !this.#other.has(objectKey(accountId, kind, one.id))),
        ...other.named(accountId, kind, name),
      ],
    };
  }
}

const found = new WeakMap<ObjectsOnRecord, KnownLists>();

/** The answers about the objects of a map, which does not change any more. */
export function knownLists(objects: ObjectsOnRecord): KnownLists {
  const known = objects.lists ?? found.get(objects) ?? listsIn(objects);
  found.set(objects, known);
  return known;
}

function listsIn(objects: ObjectsOnRecord): KnownLists {
  // There may be hundreds of thousands: no text is made for each.
  const counts = new Map<Kind, Map<string, number>>();
  let mayHaveProtected = false;
  for (const { accountId, kind, isProtected } of objects.values()) {
    const ofKind = counts.get(kind) ?? new Map<string, number>();
    if (ofKind.size === 0) counts.set(kind, ofKind);
    ofKind.set(accountId, (ofKind.get(accountId) ?? 0) + 1);
    mayHaveProtected ||= isProtected;
  }
  const sizes = new Map(
    [...counts].flatMap(([kind, ofKind]) =>
      [...ofKind].map(([accountId, count]) => [listKey(accountId, kind), count] as const),
    ),
  );
  let byName: ReadonlyMap<string, readonly KnownObject[]> | null = null;
  return {
    sizes,
    mayHaveProtected,
    named: (accountId, kind, name) => {
      byName ??= groupBy([...objects.values()], (one) => nameKey(one.accountId, one.kind, one.name));
      return byName.get(nameKey(accountId, kind, name)) ?? [];
    },
  };
}

/** As `KnownLists` names a list. */
export function listKey(accountId: AccountId, kind: Kind): string {
  return `${accountId}/${kind}`;
}

/** Names an object of a list by its name. */
export function nameKey(accountId: AccountId, kind: Kind, name: string): string {
  return `${accountId}/${kind}/${name}`;
}
