import { ServiceError } from '../../api/errors.ts';
import { IncompleteScanError } from '../../api/pages/incomplete.ts';
import type { Context } from '../context.ts';
import { LockHeldError } from '../../domain/lease.ts';
import { underLeaseIfFree } from '../../ledger/under-lease.ts';
import { applyExit } from '../exit-of.ts';
import { ReconcileError } from '../../reconcile/errors.ts';
import { drawPlan } from '../resources/plan.ts';
import { carryOutStop, planStop } from '../../reconcile/by-hand/stop-now.ts';
import { StartUnderWayError, type StopRun } from '../../reconcile/by-hand/stop-run.ts';
import { askFor, questionOf, refusalOf, reportWithAnswer, type Ended } from './words.ts';

interface StopCommand extends Omit<StopRun, 'why' | 'lease'> {
  readonly yes: boolean;
}

/**
 * A stop needs neither the lock nor a list. If `ordinary`, which uses both, fails because of one of them, the object
 * is stopped without it.
 */
export async function stopByHand(
  context: Context,
  command: StopCommand,
  ordinary: () => Promise<Ended>,
): Promise<Ended> {
  try {
    return await ordinary();
  } catch (error) {
    const why = whyAnyway(error);
    if (why === null) throw error;
    try {
      return await underLeaseIfFree(context.state.leases, (lease) =>
        stopAnyway(context, command, { ...command, why, lease }),
      );
    } catch (second) {
      // The error of the list is more useful: it has the number of objects.
      throw isNotFound(second) && isNotFound(error) ? error : second;
    }
  }
}

/** Each of these errors ends `ordinary` before it sent anything. */
function whyAnyway(error: unknown): string | null {
  if (error instanceof LockHeldError)
    return `another herald run is active (${error.holder}). The stop is recorded in the ledger, and that run checks the ledger before each request`;
  if (error instanceof ServiceError)
    return error.problem.status === 401 ? null : `a stop does not need the list: ${error.problem.what}`;
  if (error instanceof IncompleteScanError) return `a stop does not need the list: ${error.message}`;
  if (error instanceof StartUnderWayError)
    return 'an earlier request may still start it. Herald stops it now, and looks again once that request can no longer arrive';
  if (isNotFound(error)) return 'the list does not show it, so Herald reads the object directly';
  return null;
}

function isNotFound(error: unknown): boolean {
  return error instanceof ReconcileError && error.code === 'not-found';
}

async function stopAnyway(context: Context, { yes }: Pick<StopCommand, 'yes'>, run: StopRun): Promise<Ended> {
  const stop = await planStop(run);
  const refusal = refusalOf(stop);
  if (refusal !== null) throw refusal;
  context.output.say(drawPlan(context, stop.plan));
  if (!yes) await askFor(context, questionOf(stop));
  const executed = await context.protect(() => carryOutStop(run, stop));
  const report = reportWithAnswer(executed.report, stop.answer);
  return { report, code: applyExit(executed, context.interrupted.aborted) };
}
