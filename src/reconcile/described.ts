import type { Plan } from '../domain/change.ts';
import { describePlan, type Circumstances } from '../plan/described/describe.ts';
import { withFingerprints } from '../plan/fingerprint/fingerprints.ts';
import type { Inspection, Opened } from './source.ts';

export type { Circumstances };

/**
 * The same inspection. Its plan also has fingerprints, and what a person needs to review it without the files. Where
 * no output shows what the files declare, `contents: false` leaves it out and saves a large plan time and memory.
 */
export function described(
  { workspace, declared }: Opened,
  inspection: Inspection,
  circumstances: Circumstances,
  { contents = true }: { readonly contents?: boolean } = {},
): Inspection {
  const { observed, knowledge, accounts, nowMs } = inspection;
  const plan: Plan = describePlan(
    withFingerprints(inspection.plan, { declared, observed, accounts, knowledge }),
    {
      ...circumstances,
      contents,
      declared,
      observed,
      knowledge,
      settings: workspace,
      nowMs,
    },
  );
  return { ...inspection, plan };
}
