import type { Plan } from '../domain/change.ts';
import { EXIT } from '../domain/exit-codes.ts';
import { HeraldError } from '../domain/herald-error.ts';

/** The error for a plan that a policy denies, or that has too many changes. Nothing was sent. */
export function planRefused(plan: Plan): HeraldError {
  const diagnostics = plan.diagnostics.filter(({ severity }) => severity === 'error');
  const reasons = [
    ...new Set(diagnostics.map(({ address, message }) => `${address ?? ''} ${message}`.trim())),
  ];
  const why = reasons.length === 1 ? reasons.join('') : `${reasons.length} errors.`;
  return new HeraldError('held-back', `Refused: ${why} Nothing was changed.`, null, {
    exit: EXIT.blocked,
    details: { plan, diagnostics },
  });
}
