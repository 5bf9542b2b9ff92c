import type { ServiceIdentity } from '../domain/service-identity.ts';
import { otherService, otherWorkspace, type SavedPlan } from '../plan/saved.ts';

/** The name of a reviewed plan in messages, and how to make it again. */
export interface NamedPlan {
  /** A clause without its end, such as `The plan in plan.json is stale`. */
  readonly what: string;
  readonly hint: string;
}

/** Thrown before anything is sent: what would be done now is not what people agreed to. */
export class StalePlanError extends Error {
  override readonly name = 'StalePlanError';
  readonly code = 'stale-plan';
  /** What to do next. */
  readonly hint: string;
  readonly reasons: readonly string[];
  constructor({ what, hint }: NamedPlan, reasons: readonly string[]) {
    super(`${what}, so nothing was changed: ${reasons.join('; ')}.`);
    this.hint = hint;
    this.reasons = reasons;
  }
}

/** Throws if the plan was made for another service or workspace, before any request. `remotes` are those of git here. */
export function refuseElsewhere(
  saved: SavedPlan,
  service: ServiceIdentity,
  { named, remotes }: { readonly named: NamedPlan; readonly remotes: readonly string[] },
): void {
  const reason = otherService(saved, service) ?? otherWorkspace(saved, remotes);
  if (reason !== null) throw new StalePlanError(named, [reason]);
}
