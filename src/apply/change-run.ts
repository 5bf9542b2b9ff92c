import { formatCommand } from '../domain/command-line.ts';
import { KIND_ROWS } from '../domain/kind.ts';
import { InvalidCallError } from '../api/errors.ts';
import { SCHEDULE_LEAD_MS } from '../domain/broadcast.ts';
import type { Change, ObjectStep, Outcome, OutcomeKind, Step, StepKind } from '../domain/change.ts';
import type { LiveId } from '../domain/ids.ts';
import { isPaused, isStopped } from '../domain/status.ts';
import { joinSentences } from '../domain/join-sentences.ts';
import { type StepResult } from './call-result.ts';
import { isOver, readFreshList, startedSince, unplannedIds, type FreshList } from './fresh-list.ts';
import { serviceNowMs, type StepContext } from './step-context.ts';
import { mediaProblem } from './step-upload.ts';
import { carryOut } from './steps.ts';
import { untilShown } from './until-shown.ts';

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
  if (unready !== null) return endEarly(context, UPLOAD, done, unready);
  for (const step of change.steps) {
    const result = await runStep(context, step);
    if (result.kind === 'failed' && goesOnWithout(change, step, result)) {
      notes.push(`It could not be paused first: ${result.message}`);
      continue;
    }
    if (result.kind !== 'ok') {
      const words = change.action === 'recall' ? notes : [];
      return endEarly(context, step, done, { ...result, message: joinSentences([result.message, ...words]) });
    }
    if (result.note !== undefined) notes.push(result.note);
    done.push(step);
    context.begun ||= !UNSEEN.includes(step.kind);
    if (result.ends === true) return applied(change, result.liveId, notes);
  }
  return applied(change, context.createdId ?? change.live_id, notes);
}

/** A call that breaks a bound is checked before its intent is written: nothing of it was sent. */
async function runStep(context: StepContext, step: Step): Promise<StepResult> {
  try {
    return await carryOut(context, step);
  } catch (error) {
    if (!(error instanceof InvalidCallError)) throw error;
    return { kind: 'failed', message: error.message, denied: false };
  }
}

/** Recall even if it could not be paused first. The pause only limits damage if the recall fails. */
function goesOnWithout({ action }: Change, { kind }: Step, { refused }: { refused?: boolean }): boolean {
  return action === 'recall' && kind === 'pause' && refused === true;
}

function applied(change: Change, liveId: LiveId | null, notes: readonly string[]): ChangeEnd {
  return { outcome: outcomeOf(change, 'applied', liveId, notes.join('; ')), denied: false, residue: false };
}

export function outcomeOf(
  change: Change,
  outcome: OutcomeKind,
  liveId: LiveId | null,
  message: string,
): Outcome {
  return { address: change.address, action: change.action, outcome, live_id: liveId, message };
}

/** Where a change ended: its step, or its files before the first one. */
type EndedAt = Pick<Step, 'kind' | 'live_id'>;

const UPLOAD: EndedAt = { kind: 'upload', live_id: null };

async function endEarly(
  context: StepContext,
  step: EndedAt,
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
    return end(result.kind, joinSentences([result.message, newIsLive(context, step, done, result)]), true);
  if (result.kind === 'unknown')
    return end(
      'unknown',
      joinSentences([result.message, stillPaused(context, step, done), stopped(change, done)]),
      context.begun,
    );
  if (step.kind !== 'create')
    return end(
      'failed',
      joinSentences([result.message, wayOut(context, step, result), stopped(change, done)]),
      context.begun,
    );
  const restored = await restore(context, done);
  const paused = pausedBefore(context);
  const words = paused.length === 0 ? '' : `The old version ${paused.join(', ')} is still paused`;
  const message = joinSentences([result.message, words, ...restored.words]);
  return end(restored.isSure ? 'failed' : 'unknown', message, restored.residue);
}

/** Only the service knows how long it has been paused, so no second one is created. */
function wayOut({ byHand }: StepContext, step: EndedAt, result: StepResult): string {
  const isOld = step.kind === 'resume' && result.kind === 'failed' && result.refused === true;
  if (!isOld || byHand !== null) return '';
  return 'If it was paused more than 5 days ago, it can no longer be sent. Set status: paused for it, and declare the message under a new name.';
}

/** The new version is live, and not all of the steps after it happened. */
function newIsLive(context: StepContext, step: EndedAt, done: readonly Step[], result: StepResult): string {
  if (LOOKS.includes(step.kind)) return '';
  const live = `The new version ${context.createdId ?? ''} is live`;
  // The message already tells what became of the old one, and what to do about it.
  if (result.kind === 'failed' && result.moved === true) return `${live}.`;
  const old = step.live_id ?? '';
  const wasPaused =
    pausedBefore(context).includes(old) ||
    done.some(({ kind, live_id: id }) => kind === 'pause' && id === old);
  const running =
    result.kind === 'unknown'
      ? `${live}. It is not known whether the old version ${old} still runs.`
      : `${live} together with ${old}.`;
  const what = wasPaused
    ? `${live}. The old version ${old} was paused before that, and its queue may remain.`
    : running;
  return `${what} To finish, run "${formatCommand('apply')}" again.`;
}

/** A recall pauses first. */
function stopped({ action }: Change, done: readonly Step[]): string {
  return action === 'recall' && done.some(({ kind }) => kind === 'pause')
    ? 'It is paused, so it sends nothing'
    : '';
}

/** While a create is unconfirmed, the old version must stay paused. Otherwise both could run. */
function stillPaused(context: StepContext, step: EndedAt, done: readonly Step[]): string {
  // The unconfirmed request is the one that would resume it.
  if (context.change.action !== 'replace' || step.kind === 'prove_dead') return '';
  const own = done.filter(({ kind }) => kind === 'pause').map((paused) => paused.live_id);
  const paused = [...pausedBefore(context), ...own];
  return paused.length === 0 ? '' : `The old version ${paused.join(', ')} stays paused until then.`;
}

/** The versions that a replace is about and that were paused before this run. */
function pausedBefore({ change, planned }: StepContext): readonly LiveId[] {
  if (change.action !== 'replace') return [];
  const ids = new Set([change.live_id, ...change.steps.map((step) => step.live_id)]);
  return [...ids].filter((id): id is LiveId => id !== null && isPaused(planned(id)?.live ?? {}));
}

/** The create was refused, so the versions that this change paused are activated again (CONTENT-24). */
async function restore(context: StepContext, done: readonly Step[]): Promise<Restored> {
  const words: string[] = [];
  let residue = false;
  let isSure = true;
  const paused = done.flatMap(({ kind, live_id: id }) => (kind === 'pause' && id !== null ? [id] : []));
  if (paused.length === 0) return { words, residue, isSure };
  const { account, change } = context;
  const runningIn = ({ statusById }: FreshList) =>
    paused.filter((id) => statusById.has(id) && !isStopped({ status: statusById.get(id) }));
  const list = await untilShown(
    context.clock,
    () => readFreshList(context, account, change.address.kind),
    (now) => runningIn(now).length === 0,
  );
  for (const liveId of paused) {
    const reason = reasonToStayOff(context, list, liveId, runningIn(list));
    const kept = reason === null ? await switchBackOn(context, liveId) : { problem: reason, isSure: true };
    residue ||= kept !== null;
    isSure &&= kept?.isSure !== false;
    words.push(kept?.problem ?? `The old version ${liveId} is active again, so nothing changed`);
  }
  return { words, residue, isSure };
}

/** The state of the old versions that were paused for a create that was refused. */
interface Restored {
  readonly words: readonly string[];
  readonly residue: boolean;
  /** False if one of them may or may not run: its activation got no answer. */
  readonly isSure: boolean;
}

/**
 * Another run may have finished this change, and then the old version must not send too. Nor next to a version that this run
 * has paused and someone has switched on since (`running`). And a version that a person has stopped permanently stays stopped.
 */
function reasonToStayOff(
  { change, planned }: StepContext,
  list: FreshList,
  liveId: LiveId,
  running: readonly LiveId[],
): string | null {
  const stays = `The old version ${liveId} stays paused`;
  if (list.problem !== null)
    return `${stays}: ${list.problem}, so other copies with this name cannot be ruled out. To finish, run "${formatCommand('apply')}" again`;
  const strangers = unplannedIds(list, change, planned);
  if (strangers.length > 0)
    return `${stays}: ${strangers.join(', ')} appeared with this name during the run, and fans could get both. Run "${formatCommand('plan')}" again`;
  const started = [...startedSince(list, change, planned), ...running].filter((id) => id !== liveId);
  if (started.length > 0)
    return `${stays}: ${started.join(', ')} with this name was activated during the run, and fans could get both. Run "${formatCommand('plan')}" again`;
  const status = list.statusById.get(liveId) ?? null;
  return isOver(status)
    ? `The old version ${liveId} is ${status ?? ''} now, so it is not activated again`
    : null;
}

/** Why the old version stays paused, or may stay paused; null if it runs again. */
async function switchBackOn(
  context: StepContext,
  liveId: LiveId,
): Promise<{ readonly problem: string; readonly isSure: boolean } | null> {
  const planned = context.planned(liveId);
  if (planned?.kind === 'broadcast') {
    const leadMs = Date.parse(planned.live.scheduled_at ?? '') - serviceNowMs(context);
    if (!(leadMs >= SCHEDULE_LEAD_MS)) {
      const hour = planned.live.scheduled_at ?? '(unknown)';
      const problem = `The old version ${liveId} stays paused: its own time ${hour} is too near to resume it safely`;
      return { problem, isSure: true };
    }
  }
  const step: ObjectStep = {
    kind: KIND_ROWS[context.change.address.kind].start,
    live_id: liveId,
  };
  const result = await runStep(context, step);
  if (result.kind === 'ok') return null;
  const isSure = result.kind !== 'unknown';
  const state = isSure ? 'is paused and could not be' : 'was paused and may or may not be';
  return { problem: `The old version ${liveId} ${state} activated again: ${result.message}`, isSure };
}
