import { otherService, otherWorkspace, staleness, type SavedPlan } from '../plan/saved.ts';
import { ReconcileError } from './errors.ts';
import type { Inspection, Opened } from './source.ts';

/** The name of a reviewed plan in messages, and how to make it again. */
export interface NamedPlan {
  /** A clause without its end, such as `The plan in plan.json is stale`. */
  readonly what: string;
  readonly hint: string;
}

/** Throws if the plan was made for another service or workspace, before any request. `remotes` are those of git here. */
export function refuseElsewhere(
  saved: SavedPlan,
  { workspace }: Opened,
  { named, remotes }: { readonly named: NamedPlan; readonly remotes: readonly string[] },
): void {
  const reason = otherService(saved, workspace.service.identity) ?? otherWorkspace(saved, remotes);
  if (reason !== null) throw stale(named, [reason]);
}

/** Throws if the reviewed plan is not what would be done now. `maxAgeMs` is its largest age. */
export async function refuseStale(
  saved: SavedPlan,
  opened: Opened,
  inspection: Inspection,
  { named, maxAgeMs }: { readonly named: NamedPlan; readonly maxAgeMs: number },
): Promise<void> {
  const reasons = await reasonsOf(saved, opened, inspection, maxAgeMs);
  if (reasons.length > 0) throw stale(named, reasons);
}

/** True if the reviewed plan is not what would be done now. */
export async function isStale(
  saved: SavedPlan,
  opened: Opened,
  inspection: Inspection,
  { maxAgeMs }: { readonly maxAgeMs: number },
): Promise<boolean> {
  return (await reasonsOf(saved, opened, inspection, maxAgeMs)).length > 0;
}

async function reasonsOf(
  saved: SavedPlan,
  { workspace }: Opened,
  { plan, observed, accounts, nowMs }: Inspection,
  maxAgeMs: number,
): Promise<readonly string[]> {
  const workspaceDigest = await workspace.digest();
  return staleness(saved, { plan, observed, accounts, nowMs, workspaceDigest, maxAgeMs });
}

function stale({ what, hint }: NamedPlan, reasons: readonly string[]): ReconcileError {
  return new ReconcileError('stale-plan', `${what}, so nothing was changed: ${reasons.join('; ')}.`, hint, {
    reasons,
  });
}
