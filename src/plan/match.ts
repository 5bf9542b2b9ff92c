import { objectKey, type Knowledge, type KnownObject } from '../domain/knowledge.ts';
import type { Declared, Observed } from '../domain/resource.ts';
import { groupBy } from './group-by.ts';
import { plainText } from './normalise.ts';

/** The live objects of one account and kind, found by name without walking them all for each resource. */
export interface LiveIndex {
  /** Everything that bears the declared name, or bore it when it was declared; in the order given. */
  groupOf(declared: Declared): readonly Observed[];
}

/**
 * Indexes live objects by exact name, archived ones included (rulebook 2.1). An object that the ledger
 * knows under another name, after a rename or because the service rewrote it, counts under that name as
 * long as a file declares it or is renamed from it.
 */
export function indexByName(
  observed: readonly Observed[],
  knowledge: Knowledge,
  declared: readonly Declared[],
): LiveIndex {
  const wantedNames = new Set(
    declared.flatMap(({ address, renamedFrom }) =>
      renamedFrom === null ? [address.name] : [address.name, renamedFrom],
    ),
  );
  const isStranger = (object: Observed) =>
    isNamedByItsText(object) && !isOurs(object, knownOf(object, knowledge), knowledge);
  const nameOf = (object: Observed) => {
    const known = knownOf(object, knowledge);
    return known !== null && wantedNames.has(known.name) ? known.name : object.live.name;
  };
  const place = new Map(observed.map((object, index) => [object, index]));
  const bearing = observed.filter((object) => nameOf(object) !== null && nameOf(object) !== undefined);
  const byName = groupBy(bearing, (object) => nameOf(object) ?? '');
  const groupNamed = (declaration: Declared, name: string) =>
    (byName.get(name) ?? []).filter((object) => couldReadAsItsText(declaration) || !isStranger(object));
  return {
    groupOf: (declaration) => {
      const { address, renamedFrom } = declaration;
      const former = renamedFrom === null ? [] : groupNamed(declaration, renamedFrom);
      const group = new Set([...groupNamed(declaration, address.name), ...former]);
      return [...group].toSorted((left, right) => (place.get(left) ?? 0) - (place.get(right) ?? 0));
    },
  };
}

export function knownOf(object: Observed, knowledge: Knowledge): KnownObject | null {
  return knowledge.objects.get(objectKey(object.accountId, object.kind, object.live.id)) ?? null;
}

/** Known as ours: in the ledger, or made by the creator of our other creates (rulebook 2.2.1). */
export function isOurs(object: Observed, known: KnownObject | null, knowledge: Knowledge): boolean {
  if (known?.ours === true) return true;
  const { created_by: creator } = object.live;
  return (
    creator?.type != null && creator.id != null && knowledge.creators.has(`${creator.type}:${creator.id}`)
  );
}

/**
 * A nameless single-message broadcast reads with its text as its name (service-api.md, Broadcast: `name`);
 * such a name is nobody's identity.
 */
export function isNamedByItsText({ kind, live }: Observed): boolean {
  const messages = live.messages ?? [];
  return kind === 'broadcast' && messages.length === 1 && messages[0]?.text === live.name;
}

/** A declared broadcast whose only text is its name looks like a nameless one once the ledger is lost. */
function couldReadAsItsText({ kind, address, content }: Declared): boolean {
  const [first, ...more] = content.messages;
  return kind === 'broadcast' && more.length === 0 && plainText(first?.text) === plainText(address.name);
}
