import type { Plan } from '../domain/change.ts';
import { describePlan, type Circumstances } from '../plan/described/describe.ts';
import type { Inspection, Opened } from './source.ts';

export type { Circumstances };

/** The same inspection. Its plan also says what a person needs to review it without the files. */
export function described(
  { workspace, declared }: Opened,
  inspection: Inspection,
  circumstances: Circumstances,
): Inspection {
  const { observed, knowledge, nowMs } = inspection;
  const plan: Plan = describePlan(inspection.plan, {
    ...circumstances,
    declared,
    observed,
    knowledge,
    settings: workspace,
    nowMs,
  });
  return { ...inspection, plan };
}
