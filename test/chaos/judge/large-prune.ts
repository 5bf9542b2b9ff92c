import { isDeclaredAs } from '../declare.ts';
import type { Live } from '../live.ts';
import type { Facts } from './facts.ts';
import { isRecordedAsOurs } from './recorded.ts';

/** A larger share of an account is pruned only with a permission of its own. */
const SHARE_MAX = 0.3;

/** A prune that has stopped more of an account than a person has allowed. */
export function prunesTooMuch(facts: Facts): string[] {
  const { sent, live } = facts;
  const { write, process } = sent;
  const { task } = process;
  if (write.kind !== 'status' || task.wish !== null || !task.allow.includes('prune')) return [];
  if (task.allow.includes('large') || !STOPS.includes(write.status)) return [];
  const isUndeclared = (one: Live) => !task.declared.some((wanted) => isDeclaredAs(wanted, one));
  const changes = [sent, ...process.writes].flatMap(({ write: each }) =>
    each.kind === 'status' && each.accountId === write.accountId ? [each] : [],
  );
  const stopped = new Set(changes.filter(({ status }) => STOPS.includes(status)).map(({ id }) => id));
  // What the run itself has recalled was there when its plan was made.
  const changed = new Set(changes.map(({ id }) => id));
  const owned = live.filter(
    (one) =>
      one.accountId === write.accountId &&
      isRecordedAsOurs(facts, one.id) &&
      (changed.has(one.id) || !isOver(one)),
  );
  const pruned = owned.filter((one) => stopped.has(one.id) && isUndeclared(one));
  return pruned.length <= owned.length * SHARE_MAX
    ? []
    : [
        `${pruned.length} of ${owned.length} are pruned on ${write.accountId}, and no one has allowed so many`,
      ];
}

const STOPS: readonly string[] = ['paused', 'archived'];

/** Gone out, archived or recalled. */
function isOver({ status }: Live): boolean {
  return status !== 'active' && status !== 'scheduled' && status !== 'paused';
}
