import { SCHEDULE_LEAD_MS } from '../domain/broadcast.ts';
import type { Change, Outcome, OutcomeKind, Step, StepKind } from '../domain/change.ts';
import { joinSentences, type StepResult } from './call-result.ts';
import { readFreshList, strangersIn } from './fresh-list.ts';
import { serviceNowMs, type StepContext } from './step-context.ts';
import { mediaProblem } from './step-upload.ts';
import { STEPS } from './steps.ts';

/** What one change came to, and whether the key was refused: then nothing further is tried. */
export interface ChangeEnd {
  readonly outcome: Outcome;
  readonly denied: boolean;
  /** The change failed, yet live state is another than before it. */
  readonly residue: boolean;
}

/** Steps that only look. */
const LOOKS: readonly StepKind[] = ['check_not_left', 'read_back'];

/** Steps after which everything that fans could see is as before: a resume that proves something was refused. */
const UNSEEN: readonly StepKind[] = [...LOOKS, 'upload', 'prove_dead'];

/** Carries out the steps of one change in their order; the first that does not succeed ends it. */
export async function runChange(context: StepContext): Promise<ChangeEnd> {
  const { change } = context;
  const notes: string[] = [];
  const done: Step[] = [];
  const unready = await mediaProblem(context);
  if (unready !== null) return endEarly(context, { kind: 'upload', live_id: null }, done, unready);
  for (const step of change.steps) {
    const result = await STEPS[step.kind](context, step);
    if (result.kind !== 'ok') return endEarly(context, step, done, result);
    if (result.note !== undefined) notes.push(result.note);
    done.push(step);
    context.begun ||= !UNSEEN.includes(step.kind);
    if (result.ends === true) return applied(change, result.liveId, notes);
  }
  return applied(change, context.createdId ?? change.live_id, notes);
}

function applied(change: Change, liveId: string | null, notes: readonly string[]): ChangeEnd {
  return { outcome: outcomeOf(change, 'applied', liveId, notes.join('; ')), denied: false, residue: false };
}

export function outcomeOf(
  change: Change,
  outcome: OutcomeKind,
  liveId: string | null,
  message: string,
): Outcome {
  return { address: change.address, action: change.action, outcome, live_id: liveId, message };
}

async function endEarly(
  context: StepContext,
  step: Step,
  done: readonly Step[],
  result: Exclude<StepResult, { kind: 'ok' }>,
): Promise<ChangeEnd> {
  const { change, createdId } = context;
  const liveId = createdId ?? change.live_id;
  const end = (outcome: OutcomeKind, message: string, residue: boolean): ChangeEnd => ({
    outcome: outcomeOf(change, outcome, liveId, message),
    denied: result.kind === 'failed' && result.denied,
    residue,
  });
  if (result.kind === 'stopped') return end('not_attempted', result.message, false);
  if (createdId !== null)
    return end(result.kind, joinSentences([result.message, beside(step, createdId)]), true);
  if (result.kind === 'unknown')
    return end(
      'unknown',
      joinSentences([result.message, stillPaused(change, done), stopped(change, done)]),
      context.begun,
    );
  if (step.kind !== 'create')
    return end(
      'failed',
      joinSentences([result.message, wayOut(context, step, result), stopped(change, done)]),
      context.begun,
    );
  const restored = await restore(context, done);
  const paused = finishes(change) ? [`The old version ${change.live_id ?? ''} is still paused`] : [];
  return end('failed', joinSentences([result.message, ...paused, ...restored.words]), restored.residue);
}

/** Nobody but the service knows since when it is paused, so nothing is created beside it. */
function wayOut({ byHand }: StepContext, step: Step, result: StepResult): string {
  const isOld = step.kind === 'resume' && result.kind === 'failed' && result.refused === true;
  if (!isOld || byHand !== null) return '';
  return 'If it was paused more than 5 days ago, it never goes out any more. Declare it with status: paused, and the message under a new name.';
}

/** The new version is live, and what was to follow did not happen. */
function beside(step: Step, createdId: string): string {
  if (LOOKS.includes(step.kind)) return '';
  return `The new version ${createdId} is live beside ${step.live_id ?? 'the old one'}; "herald apply" again finishes it.`;
}

/** What was to be recalled is stopped before. */
function stopped({ action }: Change, done: readonly Step[]): string {
  return action === 'recall' && done.some(({ kind }) => kind === 'pause')
    ? 'It is paused, so it sends nothing'
    : '';
}

/** With a create in doubt the old version must stay paused: switched on, it could run beside the new one. */
function stillPaused(change: Change, done: readonly Step[]): string {
  if (change.action !== 'replace') return '';
  const paused = finishes(change)
    ? [change.live_id]
    : done.filter((step) => step.kind === 'pause').map((step) => step.live_id);
  return paused.length === 0 ? '' : `The old version ${paused.join(', ')} stays paused until then.`;
}

/** A replace that stops nothing finishes one whose pause was carried out before. */
function finishes({ action, steps }: Change): boolean {
  return action === 'replace' && !steps.some(({ kind }) => kind === 'pause' || kind === 'archive');
}

/** The create was refused, so what this change paused for it is switched on again (rulebook 2.8.3). */
async function restore(
  context: StepContext,
  done: readonly Step[],
): Promise<{ words: readonly string[]; residue: boolean }> {
  const words: string[] = [];
  let residue = false;
  const paused = done.filter(({ kind }) => kind === 'pause').map((step) => step.live_id);
  const reason = paused.length === 0 ? null : await reasonToStayOff(context);
  for (const liveId of paused) {
    if (liveId === null) continue;
    const problem =
      reason === null
        ? await switchBackOn(context, liveId)
        : `The old version ${liveId} stays paused: ${reason}`;
    residue ||= problem !== null;
    words.push(problem ?? `The old version ${liveId} is switched on again, so all is as before`);
  }
  return { words, residue };
}

/** Another run may have finished what this one could not: switched on again, the old version would send beside it. */
async function reasonToStayOff({ client, account, change, planned }: StepContext): Promise<string | null> {
  const list = await readFreshList(client, account, change.address.kind);
  if (list.problem !== null)
    return `${list.problem}, so nobody knows what else is live under this name. "herald apply" again finishes it`;
  const strangers = strangersIn(list, change, planned);
  return strangers.length === 0
    ? null
    : `${strangers.join(', ')} appeared under this name meanwhile, and fans would get both. Run "herald plan" again`;
}

/** Why the old version stays paused; null when it runs again. */
async function switchBackOn(context: StepContext, liveId: string): Promise<string | null> {
  const planned = context.planned(liveId);
  if (planned?.kind === 'broadcast') {
    const leadMs = Date.parse(planned.live.scheduled_at ?? '') - serviceNowMs(context);
    if (!(leadMs >= SCHEDULE_LEAD_MS))
      return `The old version ${liveId} stays paused: its own hour ${planned.live.scheduled_at ?? '(unknown)'} is too near to resume it safely`;
  }
  const step: Step = {
    kind: context.change.address.kind === 'campaign' ? 'activate' : 'resume',
    live_id: liveId,
  };
  const result = await STEPS[step.kind](context, step);
  if (result.kind === 'ok') return null;
  return `The old version ${liveId} is paused and could not be switched on again: ${result.message}`;
}
