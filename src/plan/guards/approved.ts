import { writes, type Change } from '../../domain/change.ts';
import type { Fingerprints } from '../fingerprint/fingerprints.ts';
import type { ApprovalGate } from '../review.ts';
import { blockChange } from './guards.ts';

/** Blocks each change that needs an approval which it does not have. The others go on. */
export function guardApproved(gate: ApprovalGate, fingerprints: Fingerprints): (change: Change) => Change {
  return (change) => {
    if (!writes(change)) return change;
    const { action } = change;
    const fingerprint = fingerprints.of(change);
    const because = gate(change, [fingerprint, ...fingerprints.partOf(change)]);
    return because === null
      ? change
      : { ...blockChange(change, because), unapproved: { action, fingerprint } };
  };
}
