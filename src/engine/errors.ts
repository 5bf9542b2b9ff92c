import type { Plan } from '../domain/change.ts';

/** Thrown before anything is sent: a policy denies the plan, or it has too many changes. */
export class PlanRefusedError extends Error {
  override readonly name = 'PlanRefusedError';
  readonly plan: Plan;
  constructor(plan: Plan) {
    const reasons = plan.diagnostics.filter(({ severity }) => severity === 'error');
    super(reasons.map(({ message }) => message).join(' '));
    this.plan = plan;
  }
}
