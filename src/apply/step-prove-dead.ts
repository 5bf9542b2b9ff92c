import type { ObjectStep } from '../domain/change.ts';
import type { StepResult } from './call-result.ts';
import { readBackStep } from './read-back.ts';
import type { StepContext } from './step-context.ts';
import { statusStep } from './step-status.ts';

/**
 * Before a broadcast that was paused too long ago is created anew: the service alone knows whether it can still be
 * resumed, and a refused resume is final (BROADCAST-17). Where it agrees, the old one goes out as declared, which is
 * read back: an agreement alone is no proof that it is on its way.
 */
export async function proveDeadStep(
  context: StepContext,
  { live_id: liveId }: ObjectStep,
): Promise<StepResult> {
  const result = await statusStep(context, { kind: 'resume', live_id: liveId });
  if (result.kind === 'failed' && result.refused === true) return { kind: 'ok', liveId };
  if (result.kind !== 'ok') return result;
  context.begun = true;
  const back = await readBackStep(context, { kind: 'read_back', live_id: liveId });
  if (back.kind !== 'ok') return back;
  const note = `${liveId} could be resumed after all, so nothing was created`;
  return { ...back, ends: true, note: back.note === undefined ? note : `${note}; ${back.note}` };
}
