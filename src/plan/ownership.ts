import type { Knowledge } from '../domain/knowledge.ts';
import type { Observed } from '../domain/resource.ts';
import { creatorOf, isNamedByItsText, knownOf } from './match.ts';
import { memberOf, type Scope } from './scope.ts';

/** By what an object counts as this workspace's own: the ledger, or its name and its creator (known, or inferred). */
export type Ownership = 'ledger' | 'prefix' | 'inferred';

/** Tells whether a live object may be retired once no file declares it; null when it is not owned. */
export type OwnershipOf = (object: Observed) => Ownership | null;

/**
 * | the ledger says          | name begins with the prefix | its creator                    | owned    |
 * |--------------------------|-----------------------------|--------------------------------|----------|
 * | ours                     |                             |                                | ledger   |
 * | nothing, or not adopted  | yes                         | made an object of ours         | prefix   |
 * | nothing, or not adopted  | yes                         | not known, but inferred (below) | inferred |
 * | nothing, or not adopted  | otherwise                   |                                | no       |
 */
export function ownershipIn(
  scopes: readonly Scope[],
  knowledge: Knowledge,
  { prefix, isWhole }: OwnershipTerms,
): OwnershipOf {
  const hasPrefix = ({ live }: Observed) => prefix !== null && (live.name ?? '').startsWith(prefix);
  const isTold = knowledge.creators.size > 0;
  const inferred = () => (isWhole ? inferredCreators(scopes, knowledge, hasPrefix) : NO_CREATORS);
  const creators = prefix === null ? NO_CREATORS : isTold ? knowledge.creators : inferred();
  return (object) => {
    if (knownOf(object, knowledge)?.ours === true) return 'ledger';
    // A text that is shown as a name says nothing about the owner.
    if (!hasPrefix(object) || isNamedByItsText(object)) return null;
    const creator = creatorOf(object);
    if (creator === null || !creators.has(creator)) return null;
    return isTold ? 'prefix' : 'inferred';
  };
}

interface OwnershipTerms {
  /** `ownership.name_prefix`; null when not declared. */
  readonly prefix: string | null;
  /** Whether everything declared was read, so that no other creator can be hidden in what was left out. */
  readonly isWhole: boolean;
}

const NO_CREATORS: ReadonlySet<string> = new Set();

/**
 * Who creates for this workspace, where the ledger was lost: the creator of what stands under the prefix exactly as
 * declared, if that is always the same one (CONTENT-5: its values are not known, so a person cannot be told from a
 * key). A run of targets that does not read all that is declared cannot know that.
 *
 * A ledger that knows any object was not lost. It would name the creator if Herald had made the object. So the object was
 * adopted, and may be another person's (decision 32), as may one that looks like a create without an answer.
 */
function inferredCreators(
  scopes: readonly Scope[],
  knowledge: Knowledge,
  hasPrefix: (object: Observed) => boolean,
): ReadonlySet<string> {
  if (knowledge.objects.size > 0 || knowledge.open.length > 0) return NO_CREATORS;
  // Nothing to tell apart: no need to compare everything once more.
  if (!scopes.some(({ unclaimed }) => unclaimed.some(hasPrefix))) return NO_CREATORS;
  const found = scopes.flatMap((scope) =>
    scope.declared.flatMap((declared) =>
      scope.index
        .groupOf(declared)
        .filter(hasPrefix)
        .filter((object) => memberOf(declared, object, knowledge).comparison.verdict === 'equal')
        .map(creatorOf),
    ),
  );
  const creators = new Set(found);
  return creators.size === 1 ? new Set(found.filter((creator) => creator !== null)) : NO_CREATORS;
}
