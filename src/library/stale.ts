import { EXIT } from '../domain/exit-codes.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { ServiceIdentity } from '../domain/service-identity.ts';
import { otherService, otherWorkspace, type SavedPlan } from '../plan/saved.ts';

/** The name of a reviewed plan in messages, and how to make it again. */
export interface NamedPlan {
  /** A clause without its end, such as `The plan in plan.json is stale`. */
  readonly what: string;
  readonly hint: string;
}

/** The error before anything is sent: what would be done now is not what people agreed to. */
export function stalePlan({ what, hint }: NamedPlan, reasons: readonly string[]): HeraldError {
  const message = `${what}, so nothing was changed: ${reasons.join('; ')}.`;
  return new HeraldError('stale-plan', message, hint, { exit: EXIT.blocked, details: { reasons } });
}

/** Throws if the plan was made for another service or workspace, before any request. `remotes` are those of git here. */
export function refuseElsewhere(
  saved: SavedPlan,
  service: ServiceIdentity,
  { named, remotes }: { readonly named: NamedPlan; readonly remotes: readonly string[] },
): void {
  const reason = otherService(saved, service) ?? otherWorkspace(saved, remotes);
  if (reason !== null) throw stalePlan(named, [reason]);
}
