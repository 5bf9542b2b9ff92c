import { canonical } from '../../domain/digest.ts';
import type { Change } from '../../domain/change.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { Knowledge } from '../../domain/knowledge.ts';
import { plainText } from '../../domain/plain-text.ts';
import { formatAddress, type Declared, type Observed } from '../../domain/resource.ts';
import { statusOf, STATUS_TRAITS } from '../../domain/status.ts';
import { memberOf, type Scope } from '../scope.ts';
import { blockChange, isTwin, starts } from './guards.ts';

/** What was decided about one resource. */
interface Decided {
  readonly declared: Declared;
  readonly changes: readonly Change[];
}

/** A live object that its file wants otherwise, and that this run leaves as it is. */
interface Left {
  readonly object: Observed;
  readonly owner: Declared;
  readonly isTarget: boolean;
}

/**
 * Two resources may exchange their contents in one edit. If the change of one of them is blocked or left out of the run, its
 * live object goes on sending what the other one would start: fans would get that twice. So that one is blocked as well, and
 * then what would start the content of its own object.
 *
 * | the content of the start                                              | blocked |
 * |-----------------------------------------------------------------------|---------|
 * | is live for another resource, and the file has another text for that  | yes     |
 * | the same, and the object that it replaces has it already              | no      |
 * | is live for another resource, and the file has just that text there   | no      |
 */
export function guardLeftRunning<Of extends Decided>(
  decided: readonly Of[],
  { live }: Pick<Scope, 'live'>,
  knowledge: Knowledge,
  selects: (address: Change['address']) => boolean,
): readonly Of[] {
  const running = new Map(live.filter(runs).map((object) => [object.live.id, object]));
  const objectsOf = ({ live_id: id, steps }: Change): readonly Observed[] =>
    [...new Set([id, ...steps.map((step) => step.live_id)])].flatMap((one) => running.get(one ?? '') ?? []);
  const isLeft = (change: Change) =>
    change.action === 'blocked' || (change.action !== 'keep' && !selects(change.address));
  const left = decided.flatMap(({ declared, changes }) => {
    const isTarget = selects(declared.address);
    return changes
      .filter(isLeft)
      .flatMap(objectsOf)
      .map((object): Left => ({ object, owner: declared, isTarget }));
  });
  if (left.length === 0) return decided;
  const starting = decided.flatMap(({ declared, changes }) =>
    changes
      .filter((change) => starts(change) && selects(change.address))
      .map((change) => ({ declared, change })),
  );
  const byText = groupBy(starting, ({ declared }) => firstText(declared));
  const blocked = new Map<Change, Change>();
  // It grows while it is gone through: what is blocked leaves its own objects running.
  for (const { object, owner, isTarget } of left)
    for (const { declared, change } of byText.get(plainText(object.live.messages?.[0]?.text)) ?? []) {
      if (declared === owner || blocked.has(change) || sayTheSame(declared, owner)) continue;
      const own = objectsOf(change);
      const isNew = !own.some((one) => one === object || isTwin(memberOf(declared, one, knowledge)));
      if (!isNew || !isTwin(memberOf(declared, object, knowledge))) continue;
      blocked.set(change, blockChange(change, wordsOf(object, owner, isTarget)));
      left.push(...own.map((one): Left => ({ object: one, owner: declared, isTarget: true })));
    }
  return blocked.size === 0
    ? decided
    : decided.map((one) => ({
        ...one,
        changes: one.changes.map((change) => blocked.get(change) ?? change),
      }));
}

function wordsOf({ live }: Observed, { address }: Declared, isTarget: boolean): string {
  const next = isTarget
    ? `First resolve what blocks ${formatAddress(address)}.`
    : `Add --target ${canonical(formatAddress(address))}.`;
  return `The same content is live as ${canonical(address.name)} (${live.id}), which stays as it is in this run, so fans would get it twice. ${next}`;
}

/** Both files want the text, whatever else differs: that both send it is what they say. */
function sayTheSame(left: Declared, right: Declared): boolean {
  return firstText(left) === firstText(right);
}

function firstText({ content }: Declared): string {
  return plainText(content.messages[0]?.text);
}

function runs({ live }: Observed): boolean {
  return STATUS_TRAITS[statusOf(live)].runs;
}
