import { targetOf } from '../apply/step-status.ts';
import type { Change } from '../domain/change.ts';
import { objectKey } from '../domain/knowledge.ts';
import type { Run } from './round.ts';
import type { Inspection } from './source.ts';

/**
 * True if a copy of another status change of the object may still arrive. The stop would wait for it, and every stop behind it
 * as well (ERROR-8).
 */
export function mayBeUndone(
  { ledger, ports, source }: Run,
  { accounts }: Pick<Inspection, 'accounts'>,
  { address, steps }: Change,
): boolean {
  const accountId = accounts.find(({ alias }) => alias === address.account)?.accountId ?? '';
  return steps.some(({ kind, live_id: id }) => {
    const target = targetOf(kind);
    if (target === null) return false;
    return ledger.lateChanges
      .of(objectKey(accountId, address.kind, id ?? ''))
      .filter((copy) => copy.target !== target)
      .some((copy) => ledger.ages.here(copy, copy.entry).sentAtMs + source.settleMs > ports.clock.now());
  });
}
