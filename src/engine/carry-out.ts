import type { OutcomeKind, Step } from '../domain/change.ts';
import { KIND_ROWS } from '../domain/resource.ts';
import type { Aftermath, Obstacle, Reason } from './reasons.ts';
import type { Result } from './run.ts';
import {
  checkNotLeft,
  confirm,
  create,
  recall,
  setStatus,
  targetOfStep,
  upload,
  type ConfirmedStep,
  type EarlyEnd,
  type StepEnd,
  type Task,
} from './steps.ts';

/** What carrying out a change has come to: its end, or all but the read that confirms its last step. */
export interface Carried {
  readonly result: Result;
  /** Reads back the last step, while the next change begins. Null if there is nothing to read. */
  readonly confirm: (() => Promise<Result>) | null;
}

/**
 * Carries out the steps of one change in their order. What a later step rests on is read back before it. If the create of a
 * replace is not carried out, the old version is started again.
 */
export async function carryOut(task: Task, baseline: readonly string[]): Promise<Carried> {
  const steps = task.change.steps.filter(({ kind }) => kind !== 'read_back');
  const progress: Progress = { done: [], createdId: null, notes: [] };
  for (const [index, step] of steps.entries()) {
    const end = await runStep(task, step, baseline);
    if (end.kind !== 'ok') return endEarly(task, step, progress, end);
    const answeredMs = task.run.clock.monotonicMs();
    progress.done.push(step);
    progress.notes.push(...end.notes);
    if (step.kind === 'create') progress.createdId = end.liveId;
    const read = confirmedStep(step.kind);
    if (read === null) continue;
    const confirmStep = () => confirm(task, read, end.liveId, answeredMs);
    const next = steps[index + 1];
    if (next === undefined) return toConfirm(task, step, progress, confirmStep);
    // The proof that a paused broadcast never left reads it as well.
    if (next.kind === 'check_not_left') continue;
    const confirmed = await confirmStep();
    if (confirmed.kind !== 'ok') return endEarly(task, step, progress, confirmed);
    progress.notes.push(...confirmed.notes);
  }
  return { result: succeed(task, progress, []), confirm: null };
}

interface Progress {
  readonly done: Step[];
  createdId: string | null;
  readonly notes: Reason[];
}

function runStep(task: Task, step: Step, baseline: readonly string[]): Promise<StepEnd> {
  const target = targetOfStep(step.kind);
  if (target !== null) return setStatus(task, step.live_id ?? '', target);
  switch (step.kind) {
    case 'upload':
      return upload(task);
    case 'create':
      return create(task, baseline);
    case 'recall':
      return recall(task, step.live_id);
    case 'check_not_left':
      return checkNotLeft(task, step.live_id);
    default:
      throw new Error(`a plan of today has no step ${step.kind}`);
  }
}

function confirmedStep(kind: Step['kind']): ConfirmedStep | null {
  return kind === 'create' || kind === 'recall' || targetOfStep(kind) !== null
    ? (kind as ConfirmedStep)
    : null;
}

function toConfirm(task: Task, step: Step, progress: Progress, confirmStep: () => Promise<StepEnd>): Carried {
  return {
    result: succeed(task, progress, []),
    confirm: async () => {
      const end = await confirmStep();
      return end.kind === 'ok'
        ? succeed(task, progress, end.notes)
        : (await endEarly(task, step, progress, end)).result;
    },
  };
}

function succeed({ change }: Task, { createdId, notes }: Progress, more: readonly Aftermath[]): Result {
  return {
    change,
    outcome: 'applied',
    liveId: createdId ?? change.live_id,
    reasons: [...notes, ...more],
  };
}

async function endEarly(task: Task, step: Step, progress: Progress, end: EarlyEnd): Promise<Carried> {
  const { change } = task;
  const { createdId, done } = progress;
  const hasBegun = done.some(({ kind }) => kind !== 'upload');
  const aftermath =
    createdId !== null
      ? step.kind === 'create'
        ? []
        : [{ kind: 'new-is-live', id: createdId, oldId: findRunning(step, done) } as const]
      : await describeOld(task, progress, end);
  const isUnknown = end.kind === 'unknown' || aftermath.some(isOldUnsure);
  const outcome: OutcomeKind = isUnknown
    ? 'unknown'
    : end.obstacle.kind === 'interrupted' && !hasBegun
      ? 'not_attempted'
      : 'failed';
  const reasons: readonly Reason[] = [...progress.notes, end.obstacle, ...aftermath];
  return { result: { change, outcome, liveId: createdId ?? change.live_id, reasons }, confirm: null };
}

/** The old version that a step was to stop, unless it was paused before. */
function findRunning(step: Step, done: readonly Step[]): string | null {
  if (step.kind !== 'pause' && step.kind !== 'archive') return null;
  const { live_id: id } = step;
  return done.some((one) => one.kind === 'pause' && one.live_id === id) ? null : id;
}

/** The old versions of a replace that created nothing: started again, or paused while the create may still take effect. */
async function describeOld(task: Task, { done }: Progress, end: EarlyEnd): Promise<readonly Aftermath[]> {
  if (task.change.action !== 'replace') return [];
  const paused = done.flatMap(({ kind, live_id: id }) => (kind === 'pause' && id !== null ? [id] : []));
  const notes: Aftermath[] = [];
  for (const id of paused) notes.push(await describeOneOld(task, id, end));
  return notes;
}

async function describeOneOld(task: Task, id: string, end: EarlyEnd): Promise<Aftermath> {
  const stays = (because: Obstacle | null): Aftermath => ({ kind: 'old-stays-paused', id, because });
  if (end.kind === 'unknown') return stays(null);
  // Something else of the name appeared, the broadcast has left, or a person has started it: fans could get both.
  if (['list-changed', 'left', 'not-shown'].includes(end.obstacle.kind)) return stays(null);
  const { kind } = task.change.address;
  const planned = (liveId: string) => {
    const object = task.planned(liveId);
    return object === undefined || liveId !== id
      ? object
      : ({ ...object, live: { ...object.live, status: 'paused' } } as typeof object);
  };
  const started = await setStatus(
    { ...task, planned },
    id,
    KIND_ROWS[kind].start === 'resume' ? 'queued' : 'active',
  );
  if (started.kind === 'ok') return { kind: 'old-runs-again', id };
  return stays(started.obstacle.kind === end.obstacle.kind ? null : started.obstacle);
}

/** The start of the old version got no answer, so it may or may not run. */
function isOldUnsure(note: Aftermath): boolean {
  return note.kind === 'old-stays-paused' && note.because?.kind === 'no-answer';
}
