import type { Executed } from '../apply/execute.ts';
import { isHeldBack, type Plan } from '../domain/change.ts';
import { underLease } from '../ledger/under-lease.ts';
import { savePlan, type SavedPlan } from '../plan/saved.ts';
import { carryOut } from './carry-out.ts';
import { ReconcileError } from './errors.ts';
import { declaredSource } from './look.ts';
import { lookUntilResolved } from './look-until-resolved.ts';
import type { ReconcilePorts } from './ports.ts';
import type { Inspection, Opened, Terms } from './source.ts';
import { refuseStale, type NamedPlan } from './stale.ts';

/** How one apply goes. */
export interface ApplyTerms extends Terms {
  /** The plan that was reviewed; null to apply what is planned now. */
  readonly saved: SavedPlan | null;
  /** How messages call `saved`. */
  readonly named: NamedPlan;
  /** How old a plan may be that was reviewed, in milliseconds. */
  readonly maxAgeMs: number;
  /** Hears what is about to be done, before anything is refused or asked. */
  readonly show: (inspection: Inspection) => void;
  /**
   * Asked before anything is sent; throws to leave. `waited` says that a person took their time over it, so that
   * everything is read again and must still be what was agreed to.
   */
  readonly agree: (inspection: Inspection) => Promise<'at-once' | 'waited'>;
  /** Runs the part that sends. A program may let an interrupt finish the call in flight. */
  readonly protect: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** The plan of this run, which was on the screen while the question was asked. */
const ON_SCREEN: NamedPlan = {
  what: 'The plan changed while it was read',
  hint: 'Run herald apply again.',
};

/**
 * One apply, from the lock to the report: look until nothing is unconfirmed, compare with what was reviewed, refuse
 * what a policy denies, ask, and carry out. Throws `LockHeldError` when another run is at work, and `ReconcileError`
 * (`stale-plan`, `held-back`, `open-entry`) where nothing may be changed.
 */
export async function applyRun(ports: ReconcilePorts, opened: Opened, terms: ApplyTerms): Promise<Executed> {
  const { saved, show, agree, protect } = terms;
  const source = declaredSource(ports, opened, terms);
  return underLease(ports.state.leases, async (lease) => {
    const inspection = await lookUntilResolved(ports, source);
    if (saved !== null) await refuseStale(saved, opened, inspection, terms);
    show(inspection);
    if (isHeldBack(inspection.plan)) throw heldBack(inspection.plan);
    const fresh = (await agree(inspection)) === 'waited' ? await source.look() : inspection;
    if (fresh !== inspection) {
      const agreed = await savedPlanOf(opened, terms, inspection);
      await refuseStale(agreed, opened, fresh, { ...terms, named: ON_SCREEN });
    }
    return protect(() => carryOut(ports, source, fresh, lease));
  });
}

/** What was looked at, as a plan that can be reviewed and applied later. */
export async function savedPlanOf(
  { workspace }: Opened,
  { allow, targeting }: Terms,
  { plan, observed, accounts, nowMs }: Inspection,
): Promise<SavedPlan> {
  const workspaceDigest = await workspace.digest();
  return savePlan({ plan, workspaceDigest, allow, targeting, observed, accounts, nowMs });
}

/** A policy denial or too many changes refuse everything, not only the change that they are about. */
function heldBack(plan: Plan): ReconcileError {
  const diagnostics = plan.diagnostics.filter(({ severity }) => severity === 'error');
  const reasons = diagnostics.map(({ message }) => message).join(' ');
  return new ReconcileError(
    'held-back',
    `Refused, so nothing was changed: ${reasons}`,
    'Change what is declared, or the policy or limit in herald.yaml.',
    { plan, diagnostics },
  );
}
