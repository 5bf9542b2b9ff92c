import { groupOf } from '../live.ts';
import type { Facts } from './facts.ts';

/** A saved plan is what someone has looked at: what a person has changed since is not touched by it. */
export function staleWrites({ sent: { write, process }, live }: Facts): string[] {
  if (write.kind !== 'create' && write.kind !== 'status') return [];
  const object =
    write.kind === 'create'
      ? { accountId: write.accountId, kind: write.of, name: write.name }
      : live.find(({ kind, id }) => kind === write.of && id === write.id);
  if (object === undefined || !process.stale.has(groupOf(object))) return [];
  return [`a ${write.kind} of ${groupOf(object)}, which a person has changed since the plan was saved`];
}
