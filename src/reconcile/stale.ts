import { otherService, staleness, type SavedPlan } from '../plan/saved.ts';
import { ReconcileError } from './errors.ts';
import type { Inspection, Opened } from './source.ts';

/** How messages call a plan that was reviewed, and how it is made again. */
export interface NamedPlan {
  /** A clause without its end, such as `The plan in plan.json is stale`. */
  readonly what: string;
  readonly hint: string;
}

/** Throws when the plan was made for another service, before anything is asked of this one. */
export function refuseOtherService(saved: SavedPlan, { workspace }: Opened, named: NamedPlan): void {
  const reason = otherService(saved, workspace.service.identity);
  if (reason !== null) throw stale(named, [reason]);
}

/** Throws when what was reviewed is not what would be done now. `maxAgeMs` is how old the plan may be. */
export async function refuseStale(
  saved: SavedPlan,
  { workspace }: Opened,
  { plan, observed, accounts, nowMs }: Inspection,
  { named, maxAgeMs }: { readonly named: NamedPlan; readonly maxAgeMs: number },
): Promise<void> {
  const workspaceDigest = await workspace.digest();
  const reasons = staleness(saved, { plan, observed, accounts, nowMs, workspaceDigest, maxAgeMs });
  if (reasons.length > 0) throw stale(named, reasons);
}

function stale({ what, hint }: NamedPlan, reasons: readonly string[]): ReconcileError {
  return new ReconcileError('stale-plan', `${what}, so nothing was changed: ${reasons.join('; ')}.`, hint, {
    reasons,
  });
}
