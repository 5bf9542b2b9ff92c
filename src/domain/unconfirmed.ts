import { writes, type Plan } from './change.ts';

type Findings = Pick<Plan, 'diagnostics'>;

/** Status changes of earlier runs that show and may be half done. An apply repeats each, whatever its plan has to do. */
export function halfDoneChanges({ diagnostics }: Findings): number {
  return diagnostics.filter(({ code }) => code === 'half-done').length;
}

/** Requests that may still be carried out, or that only a person can resolve. Live state may not show their end yet. */
export function unconfirmedRequests({ diagnostics }: Findings): number {
  return diagnostics.filter(({ code, severity }) => code === 'open-entry' && severity === 'warning').length;
}

/** True if an apply of the plan sends something that changes live state. */
export function sendsChanges(plan: Pick<Plan, 'changes' | 'diagnostics'>): boolean {
  return plan.changes.some(writes) || halfDoneChanges(plan) > 0;
}
