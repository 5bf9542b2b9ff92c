import type { Executed } from '../apply/execute.ts';
import { isPlanRefused, type Plan } from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import { momentOf, type Moment } from '../domain/elapsed.ts';
import type { Lease } from '../domain/lease.ts';
import type { Clock } from '../domain/ports.ts';
import { underLease } from '../ledger/under-lease.ts';
import { savePlan, type SavedPlan } from '../plan/saved.ts';
import { isTooOld } from '../requests/fresh-reading.ts';
import type { ApplyOptions } from './apply-options.ts';
import { carryOut } from './carry-out.ts';
import { EarlyStops } from './early-stops.ts';
import { ReconcileError } from './errors.ts';
import { declaredSource } from './look.ts';
import { lookUntilResolved } from './look-until-resolved.ts';
import type { ReconcilePorts } from './ports.ts';
import type { Inspection, Opened, RunOptions } from './source.ts';
import { refuseStale, type NamedPlan } from './stale.ts';

/** The plan that was shown with the question. */
const shownPlan = (): NamedPlan => ({
  what: 'The plan changed while Herald waited for your answer',
  hint: `Run ${formatCommand('apply')} again.`,
});

/**
 * One apply, from the lock to the report: read until nothing is unconfirmed, compare with the reviewed plan, check
 * policies, ask, and apply. Throws `LockHeldError` if another run is active, and `ReconcileError` (`stale-plan`,
 * `held-back`, `open-entry`) if nothing may be changed.
 */
export async function applyRun(
  ports: ReconcilePorts,
  opened: Opened,
  options: ApplyOptions,
): Promise<Executed> {
  const { saved, show, agree, protect } = options;
  const source = declaredSource(ports, opened, options);
  const agreedTo = async (inspection: Inspection, early: EarlyStops) => {
    if (saved !== null) await refuseStale(saved, opened, early.asBefore(inspection), options);
    options.check?.(inspection);
    show(inspection);
    if (isPlanRefused(inspection.plan)) throw refusedPlan(inspection.plan);
    const fresh = (await agree(inspection)) === 'waited' ? await source.look() : inspection;
    if (fresh !== inspection) {
      const agreed = await savedPlanOf(opened, options, inspection);
      await refuseStale(agreed, opened, fresh, { ...options, named: options.onScreen ?? shownPlan() });
    }
    return fresh;
  };
  const { state, clock, lockTimeoutMs = 0, report } = ports;
  const files = new FilesAtStart(opened, clock);
  let hasWaited = false;
  const work = async (lease: Lease) => {
    if (hasWaited) await files.refuseChanged();
    const early = new EarlyStops(ports, source, { opened, options, lease });
    try {
      const meanwhile = (found: Inspection) => early.send(found);
      const inspection = await lookUntilResolved(ports, source, { meanwhile });
      if (files.areOld()) await files.refuseChanged();
      const fresh = await agreedTo(inspection, early);
      const executed = await protect(() => carryOut(ports, source, fresh, lease, early.ofRun));
      return early.report(executed, fresh);
    } catch (error) {
      throw early.failure(error);
    }
  };
  return underLease(state.leases, work, {
    timeoutMs: lockTimeoutMs,
    clock,
    onWait: (progress) => {
      hasWaited = true;
      report({ kind: 'waiting-for-lease', ...progress });
    },
  });
}

/** The files as they were loaded. A run may wait for minutes after that: for another run, or for unconfirmed requests. */
class FilesAtStart {
  readonly #opened: Opened;
  readonly #clock: Clock;
  #readAt: Moment;

  constructor(opened: Opened, clock: Clock) {
    this.#opened = opened;
    this.#clock = clock;
    this.#readAt = momentOf(clock);
  }

  areOld(): boolean {
    return isTooOld(this.#clock, this.#readAt);
  }

  /** Throws if they say something else by now. */
  async refuseChanged(): Promise<void> {
    const { workspace, digestNow } = this.#opened;
    this.#readAt = momentOf(this.#clock);
    const now = await digestNow();
    if (now === (await workspace.digest())) return;
    throw new ReconcileError(
      'stale-plan',
      'The files changed while Herald waited, so they were not applied.',
      now === null
        ? `They are not valid now. To see why: ${formatCommand('validate')}`
        : 'Run the command again.',
    );
  }
}

/** The plan of an inspection, to review and apply later. */
export async function savedPlanOf(
  { workspace }: Opened,
  { allow, targeting }: RunOptions,
  { plan, observed, accounts, nowMs }: Inspection,
): Promise<SavedPlan> {
  const workspaceDigest = await workspace.digest();
  return savePlan({ plan, workspaceDigest, allow, targeting, observed, accounts, nowMs });
}

/** The error for a refused plan: a policy denial, or too many changes, block all of it. */
function refusedPlan(plan: Plan): ReconcileError {
  const diagnostics = plan.diagnostics.filter(({ severity }) => severity === 'error');
  const reasons = diagnostics.map(({ message }) => message).join(' ');
  return new ReconcileError(
    'held-back',
    `Refused, so nothing was changed: ${reasons}`,
    'Change the files, or the policy or limit in herald.yaml.',
    { plan, diagnostics },
  );
}
