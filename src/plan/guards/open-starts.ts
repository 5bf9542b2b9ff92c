import { contentDigest } from '../../domain/media.ts';
import type { Knowledge, OpenStatus } from '../../domain/knowledge.ts';
import type { Declared, Observed } from '../../domain/resource.ts';
import { isDeclaredToSend } from '../../domain/status.ts';
import { sameContentIn, type Scope } from '../scope.ts';
import type { OpenIndex } from './guards.ts';

/**
 * Unconfirmed starts that may put a copy next to what a file declares, whatever status the list shows (CAMPAIGN-6):
 *
 * | the object that may come alive                              | counts |
 * |-------------------------------------------------------------|--------|
 * | is of the declared name, now or as the ledger knows it      | yes    |
 * | has the declared content, or was created from it            | yes    |
 * | the same, and another file declares that it sends just that | no     |
 */
export function openStartsIn(
  scope: Scope,
  open: Pick<OpenIndex, 'startOf'>,
  knowledge: Knowledge,
): (declared: Declared) => readonly OpenStatus[] {
  const started = scope.live.filter((object) => open.startOf(object) !== null);
  if (started.length === 0) return () => [];
  const sameContent = sameContentIn(started, knowledge);
  const wantedElsewhere = wantedByOthers(scope, new Set(started));
  return (declared) => {
    const copies = [...sameContent(declared)]
      .map(({ observed }) => observed)
      .filter((object) => !wantedElsewhere(object, declared));
    const near = new Set([...scope.index.groupOf(declared), ...copies]);
    return [...near].flatMap((object): OpenStatus[] => {
      const start = open.startOf(object);
      return start === null ? [] : [start];
    });
  };
}

/** Two files with one content: that both run is what they say. */
function wantedByOthers(
  { declared: all, index }: Scope,
  started: ReadonlySet<Observed>,
): (object: Observed, declared: Declared) => boolean {
  const owners = new Map<Observed, Declared[]>();
  for (const owner of all.filter(isDeclaredToSend))
    for (const object of index.groupOf(owner).filter((one) => started.has(one)))
      owners.set(object, [...(owners.get(object) ?? []), owner]);
  return (object, { address, content }) =>
    (owners.get(object) ?? []).some(
      (owner) =>
        owner.address.name !== address.name && contentDigest(owner.content) === contentDigest(content),
    );
}
