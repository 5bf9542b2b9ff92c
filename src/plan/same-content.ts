import type { Change } from '../domain/change.ts';
import { groupBy } from '../domain/group-by.ts';
import type { Knowledge } from '../domain/knowledge.ts';
import { plainText } from '../domain/plain-text.ts';
import { formatAddress, type Declared, type Observed } from '../domain/resource.ts';
import { isDeclaredToSend, statusOf, STATUS_TRAITS } from '../domain/status.ts';
import { isTwin, starts } from './guards/guards.ts';
import { memberOf } from './scope.ts';

/** What was decided about one resource. */
export interface Decided {
  readonly declared: Declared;
  readonly changes: readonly Change[];
}

/** A start of content that a live object of another resource sends until its own change has stopped it. */
export interface Clash {
  readonly start: Change;
  readonly object: Observed;
  /** The change of that object. */
  readonly by: Change;
  /** The resource that has the object. */
  readonly owner: Declared;
}

/**
 * Two resources may exchange their contents in one edit, or one may take over the content of another. Fans get it twice
 * wherever the new object starts before the old one has stopped.
 *
 * | the content of the start                                               | clash |
 * |------------------------------------------------------------------------|-------|
 * | is live for another resource, and its file sends another text, or none | yes   |
 * | the same, and the object that the start replaces has the content       | no    |
 * | is live for another resource, and its file sends just that text        | no    |
 */
export function clashesIn(
  decided: readonly Decided[],
  live: readonly Observed[],
  knowledge: Knowledge,
): readonly Clash[] {
  const running = new Map(live.filter(runs).map((object) => [object.live.id, object]));
  const objectsOf = ({ live_id: id, steps }: Change): readonly Observed[] =>
    [...new Set([id, ...steps.map((step) => step.live_id)])].flatMap((one) => running.get(one ?? '') ?? []);
  const starting = decided.flatMap(({ declared, changes }) =>
    changes.filter(starts).map((start) => ({ declared, start })),
  );
  const byText = groupBy(starting, ({ declared }) => firstText(declared));
  return decided.flatMap(({ declared: owner, changes }) =>
    changes.flatMap((by) =>
      objectsOf(by).flatMap((object) =>
        (byText.get(plainText(object.live.messages?.[0]?.text)) ?? []).flatMap(({ declared, start }) => {
          if (declared === owner || bothSend(declared, owner)) return [];
          const own = objectsOf(start);
          const isNew = !own.some((one) => one === object || isTwin(memberOf(declared, one, knowledge)));
          return isNew && isTwin(memberOf(declared, object, knowledge)) ? [{ start, object, by, owner }] : [];
        }),
      ),
    ),
  );
}

/**
 * For each start, the changes that have to stop the same content before it. `rest` is what the run does not carry out: its
 * objects go on sending.
 */
export function stopsBefore(
  { changes, rest }: { readonly changes: readonly Change[]; readonly rest: readonly Change[] },
  declared: readonly Declared[],
  live: readonly Observed[],
  knowledge: Knowledge,
): ReadonlyMap<Change, readonly Change[]> {
  const ofAddress = groupBy([...changes, ...rest], ({ address }) => formatAddress(address));
  const liveOf = groupBy(live, listOf);
  const clashes = [...groupBy(declared, ({ address }) => listOf(address))].flatMap(([list, resources]) => {
    const decided = resources.map((resource) => ({
      declared: resource,
      changes: ofAddress.get(formatAddress(resource.address)) ?? [],
    }));
    return clashesIn(decided, liveOf.get(list) ?? [], knowledge);
  });
  const first = groupBy(clashes, ({ start }) => start);
  return new Map([...first].map(([start, all]) => [start, all.map(({ by }) => by)]));
}

/** Both files want the text, whatever else differs: that both send it is what they say. */
function bothSend(declared: Declared, owner: Declared): boolean {
  return isDeclaredToSend(owner) && firstText(declared) === firstText(owner);
}

function firstText({ content }: Declared): string {
  return plainText(content.messages[0]?.text);
}

function runs({ live }: Observed): boolean {
  return STATUS_TRAITS[statusOf(live)].runs;
}

function listOf({ account, kind }: Pick<Observed, 'account' | 'kind'>): string {
  return `${account}/${kind}`;
}
