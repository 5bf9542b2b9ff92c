import { writes, type Change } from '../domain/change.ts';
import { KIND_ROWS } from '../domain/kind.ts';
import { isSameName } from '../domain/name-form.ts';
import { objectKey, wasReplaced, type Knowledge, type KnownObject } from '../domain/knowledge.ts';
import type { Declared, Observed } from '../domain/resource.ts';
import { statusOf, STATUS_TRAITS } from '../domain/status.ts';
import { groupBy } from '../domain/group-by.ts';
import type { Member } from './member.ts';
import { plainText } from '../domain/plain-text.ts';

/** The live objects of one account and kind, found by name without walking them all for each resource. */
export interface LiveIndex {
  /** Everything that has the declared name, or had it when it was declared; in the order given. */
  groupOf(declared: Declared): readonly Observed[];
}

/**
 * Indexes live objects by exact name, archived ones included (CONTENT-1). An object that the ledger
 * knows under another name, after a rename or because the service rewrote it, counts under that name as
 * long as a file declares it or is renamed from it. After that it counts under its live name again, unless
 * another object of ours has that name by now: then it belongs to no file.
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
  const taken = new Set(observed.flatMap((object) => nameTakenBy(object, knowledge)));
  const nameOf = (object: Observed) => {
    const known = knownOf(object, knowledge);
    if (known === null) return object.live.name;
    const isAnothers = known.ours && taken.has(object.live.name ?? '');
    return wantedNames.has(known.name) || isAnothers ? known.name : object.live.name;
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

/** The name under which the ledger knows an object of ours that is in use; none for what only was left behind by a replace. */
function nameTakenBy(object: Observed, knowledge: Knowledge): readonly string[] {
  const known = knownOf(object, knowledge);
  if (known === null || !known.ours || wasReplaced(known) || known.pausedFor === 'replace') return [];
  return STATUS_TRAITS[statusOf(object.live)].listed ? [known.name] : [];
}

export function knownOf(object: Observed, knowledge: Knowledge): KnownObject | null {
  return knowledge.objects.get(objectKey(object.accountId, object.kind, object.live.id)) ?? null;
}

/** Known as ours: in the ledger, or made by the creator of our other creates (CONTENT-5). */
export function isOurs(object: Observed, known: KnownObject | null, knowledge: Knowledge): boolean {
  if (known?.ours === true) return true;
  const creator = creatorOf(object);
  return creator !== null && knowledge.creators.has(creator);
}

/** `type:id` of the one who made it; null where the service does not say. */
export function creatorOf({ live: { created_by: creator } }: Observed): string | null {
  return creator?.type != null && creator.id != null ? `${creator.type}:${creator.id}` : null;
}

/** Nothing but the ledger says that an adopted object is ours, so a plan says who created it; null where it is not one. */
export function adoptionWords(object: Observed, knowledge: Knowledge): string | null {
  const known = knownOf(object, knowledge);
  const creator = creatorOf(object);
  if (known?.ours !== true || known.createdByHerald || creator === null) return null;
  return knowledge.creators.has(creator) ? null : `Herald adopted it: ${creator} created it.`;
}

/** A change of an adopted object says who created it, because only the ledger allows the change. */
export function sayAdopted(change: Change, group: readonly Member[], knowledge: Knowledge): Change {
  const member = group.find(({ id }) => id === change.live_id);
  const words = member === undefined ? null : adoptionWords(member.observed, knowledge);
  return words === null || !writes(change) ? change : { ...change, reasons: [...change.reasons, words] };
}

/**
 * An equal copy by the creator of one that Herald made is ours as well. So a create that is carried out long after its
 * window is known again, also where no answer ever told who we are. It says nothing about other names of that creator.
 */
export function withCopiesOfOurs(group: readonly Member[]): readonly Member[] {
  const made = group.filter(({ known }) => known?.createdByHerald === true);
  const creators = new Set(made.flatMap(({ observed }) => creatorOf(observed) ?? []));
  return group.map((member) => {
    const isCopy = member.comparison.verdict === 'equal' && creators.has(creatorOf(member.observed) ?? '');
    return isCopy ? { ...member, ours: true } : member;
  });
}

/**
 * A nameless single-message broadcast reads with its text as its name (BROADCAST-24);
 * such a name does not identify it.
 */
export function isNamedByItsText({ kind, live }: Observed): boolean {
  const messages = live.messages ?? [];
  return KIND_ROWS[kind].readsAsItsText && messages.length === 1 && isSameName(messages[0]?.text, live.name);
}

/** Without the ledger, a declared broadcast with one text equal to its name looks like one without a name. */
function couldReadAsItsText({ kind, address, content }: Declared): boolean {
  const [first, ...more] = content.messages;
  return (
    KIND_ROWS[kind].readsAsItsText && more.length === 0 && plainText(first?.text) === plainText(address.name)
  );
}
