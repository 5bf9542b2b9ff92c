import type { ObjectStep } from '../domain/change.ts';
import type { StepResult } from './call-result.ts';
import { readBackStep } from './read-back.ts';
import type { StepContext } from './step-context.ts';
import { statusStepToItsEnd } from './step-status.ts';

/**
 * Runs before a broadcast that was paused for too long is created again. Only the service knows whether it can still be
 * resumed, and a refused resume is final (BROADCAST-17). If the service agrees, the old one goes out. Herald reads it
 * back, because the answer alone does not prove that it goes out.
 */
export async function proveDeadStep(
  context: StepContext,
  { live_id: liveId }: ObjectStep,
): Promise<StepResult> {
  const result = await statusStepToItsEnd(context, { kind: 'resume', live_id: liveId });
  if (result.kind === 'failed' && result.refused === true) return { kind: 'ok', liveId };
  if (result.kind !== 'ok') return result;
  context.begun = true;
  const back = await readBackStep(context, { kind: 'read_back', live_id: liveId });
  if (back.kind !== 'ok') return back;
  const note = `${liveId} could be resumed after all, so nothing was created`;
  return { ...back, ends: true, note: back.note === undefined ? note : `${note}; ${back.note}` };
}
