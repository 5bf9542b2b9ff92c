import { objectKey, type KnowledgeOn, type KnownObject } from '../domain/knowledge.ts';
import { freshObject } from '../domain/fresh-object.ts';
import { bothDiffer, madeAs } from '../domain/made-as.ts';
import { ObjectsWith } from '../domain/objects-on-record.ts';
import type { Observed } from '../domain/resource.ts';
import { creatorOf } from './match.ts';

/** A live object that is not what the ledger says it is. */
export interface Contradiction {
  readonly object: Observed;
  /** The field of what is known that live state contradicts: its line is the one to look at. */
  readonly field: keyof typeof CONTRADICTIONS;
  /** What the service says, and what the ledger says. */
  readonly words: string;
}

/** Clocks of services and machines may be wrong by a day, read to a second; a copied line is wrong by days. */
const CLOCK_MARGIN_MS = 86_400_000 + 60_000;

/**
 * What the ledger says of an object's create, against what the service says of the object. Each check answers with
 * words where they contradict each other, and with null where they agree or where one of them says nothing.
 */
const CONTRADICTIONS = {
  createdBy: (object, { createdBy }) => {
    const creator = creatorOf(object);
    if (createdBy === null || creator === null || creator === createdBy) return null;
    return `the service says that ${creator} created it, the ledger says ${createdBy}`;
  },
  createLeftMs: ({ live: { created_at: at } }, { createLeftMs }) => {
    const madeMs = Date.parse(at ?? '');
    // An invalid time compares as neither earlier nor later.
    if (createLeftMs === null || !(madeMs < createLeftMs - CLOCK_MARGIN_MS)) return null;
    return `the service created it at ${at}, long before the request that the ledger gives for it`;
  },
  createdAs: ({ live }, { createdAs }) => {
    const shown = madeAs(live.name, live.messages?.[0]?.text);
    if (createdAs === null || shown === null || !bothDiffer(createdAs, shown)) return null;
    return 'its name and its text both differ from the ledger (or a person has changed both)';
  },
} as const satisfies Partial<
  Record<keyof KnownObject, (object: Observed, known: KnownObject) => string | null>
>;
const FIELDS = Object.keys(CONTRADICTIONS) as (keyof typeof CONTRADICTIONS)[];

/** What is known, as far as the service does not contradict it. */
export interface Believed {
  readonly knowledge: KnowledgeOn<'record'>;
  readonly contradictions: readonly Contradiction[];
}

/**
 * Many people can write to the ledger, so a line alone does not make an object owned. An object that contradicts its line
 * is not owned. Herald learns who creates for this workspace only from objects that still agree (decision 32).
 */
export function believedOf(knowledge: KnowledgeOn<'record'>, observed: readonly Observed[]): Believed {
  const disownedObjects = new Map<string, KnownObject>();
  const contradictions: Contradiction[] = [];
  const confirmed = new Set<string>();
  for (const object of observed) {
    const key = objectKey(object.accountId, object.kind, object.live.id);
    const known = disownedObjects.get(key) ?? knowledge.objects.get(key);
    if (known === undefined) continue;
    const contradiction = contradictionOf(object, known);
    if (contradiction !== null) {
      contradictions.push(contradiction);
      disownedObjects.set(key, disowned(known));
    } else if (known.createdBy !== null && known.createdBy === creatorOf(object)) {
      confirmed.add(known.createdBy);
    }
  }
  const objects =
    disownedObjects.size === 0 ? knowledge.objects : new ObjectsWith(knowledge.objects, disownedObjects);
  const creators = new Set([...knowledge.creators].filter((creator) => confirmed.has(creator)));
  return { knowledge: { ...knowledge, objects, creators }, contradictions };
}

function contradictionOf(object: Observed, known: KnownObject): Contradiction | null {
  for (const field of FIELDS) {
    const words = CONTRADICTIONS[field](object, known);
    if (words !== null) return { object, field, words };
  }
  return null;
}

/** Its name and what holds Herald back stay: a wrong line may block a change, and never allow one. */
function disowned(known: KnownObject): KnownObject {
  const { id, accountId, kind, name, isProtected, recalled, recallRefused } = known;
  return { ...freshObject(id, accountId, kind), name, isProtected, recalled, recallRefused };
}
