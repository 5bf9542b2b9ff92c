import type { ApplyReport } from '../../../src/domain/change.ts';
import { isRunning, sameContent } from '../declare.ts';
import { keyOf, liveOf } from '../live.ts';
import type { Chaos, Process } from '../state.ts';

/** A run may wait for lost answers before it plans: by then it may be too late to replace what goes out so soon. */
const SOON_MS = 10 * 60_000;

/** Declared without the line and with nothing else to do there: an apply that begins may lift it at any moment. */
export function forgetLifted({ simulator }: Chaos, { actor, task }: Process): void {
  for (const object of liveOf(simulator)) {
    const wanted = task.declared.find(
      ({ accountId, kind, name }) =>
        accountId === object.accountId && kind === object.kind && name === object.name,
    );
    if (wanted === undefined || wanted.protect) continue;
    if (!task.covers(wanted.alias, wanted.kind, wanted.name)) continue;
    const isAsDeclared = isRunning(wanted.target) && sameContent(wanted.content, object.content);
    const comesTooLate = wanted.hourMs !== null && wanted.hourMs - simulator.control.now() < SOON_MS;
    if (isAsDeclared || comesTooLate || !isRunning(object.status)) actor.protectedKeys.delete(keyOf(object));
  }
}

/** The one that is as declared, with the line, when a run has come to its end is on record as protected. */
export function rememberProtected(
  { simulator }: Chaos,
  { actor, task }: Process,
  { outcomes }: ApplyReport,
): void {
  const live = liveOf(simulator);
  for (const wanted of task.declared) {
    if (!wanted.protect || !task.covers(wanted.alias, wanted.kind, wanted.name)) continue;
    const stays = live.find(
      (object) =>
        object.accountId === wanted.accountId &&
        object.kind === wanted.kind &&
        object.name === wanted.name &&
        isRunning(object.status) &&
        sameContent(object.content, wanted.content),
    );
    // A list that lagged behind did not show it to the run.
    const isSeen = outcomes.some(({ live_id: id }) => id === stays?.id);
    if (stays !== undefined && isSeen) actor.protectedKeys.add(keyOf(stays));
  }
}
