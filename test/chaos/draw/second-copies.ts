import type { Dice } from '../dice.ts';
import type { DrawnFault } from '../fault-kinds.ts';
import { longWait } from '../fault-rows.ts';
import type { PersonAction, SlotName, Step } from '../shape.ts';
import { apply, aRun, aSlot, files, runs, wait } from './parts.ts';

/** A person makes a second one of a name, or switches an older one on, while a run waits before it does so itself. */
export function secondCopies(dice: Dice): Step[] {
  return [
    ...dice.pick([besideStart, besideRestore, startedAgain, besideNew, besideEdited])(dice),
    wait(dice.pick([0, 80])),
    runs([], aRun(apply())),
  ];
}

/** The start comes after a create that has to wait. */
function besideStart(dice: Dice): Step[] {
  const kept = dice.pick<SlotName>(['Welcome', 'Teaser']);
  return [
    files(null, [aSlot(kept)]),
    runs([], aRun(apply())),
    files(null, [aSlot(kept, { target: 'paused' })]),
    runs([], aRun(apply())),
    files(null, [aSlot(kept), aSlot('Second'), ...(dice.oneIn(2) ? [aSlot('Reminder')] : [])]),
    runs(
      [longWait('campaign')],
      aRun(apply(), { people: [{ before: 'write', nth: 1, deed: aSecond(dice, kept) }] }),
    ),
  ];
}

/**
 * The create of a replace has to wait and then finds something, or cannot wait so long: what was paused for it is looked at
 * again.
 */
function besideRestore(dice: Dice): Step[] {
  const kept = dice.pick<SlotName>(['Welcome', 'Teaser']);
  return [
    files(null, [aSlot(kept)]),
    runs([], aRun(apply())),
    files(null, [aSlot(kept, { newWords: true })]),
    runs(
      [longWait(kept === 'Welcome' ? 'campaign' : 'broadcast', dice.pick([20, 200]))],
      aRun(apply(), { people: [{ before: 'write', nth: 2, deed: aSecond(dice, kept) }] }),
    ),
  ];
}

/** The old version is switched on again while the answer to its pause is on its way. */
function startedAgain(dice: Dice): Step[] {
  const slow: DrawnFault = {
    name: 'slow answer',
    fault: { kind: 'slow', delay_ms: 30_000, operation: 'broadcasts.set-status', nth: 1, times: 1 },
  };
  const deed: PersonAction = { kind: 'change', slot: 'Teaser', verb: 'start' };
  return [
    files(null, [aSlot('Teaser')]),
    runs([], aRun(apply())),
    files(null, [aSlot('Teaser', { newWords: true })]),
    runs(
      [slow],
      aRun(apply(), { people: [{ before: 'write', nth: 1, afterSec: dice.pick([2, 10]), deed }] }),
    ),
  ];
}

/** While the answer to a create is on its way, so that only the last look of the run shows it. */
function besideNew(dice: Dice): Step[] {
  const slot = dice.pick(['Welcome', 'Teaser'] as const);
  const isReplace = dice.oneIn(2);
  return [
    ...(isReplace ? [files(null, [aSlot(slot)]), runs([], aRun(apply()))] : []),
    files(null, [aSlot(slot, { newWords: true })]),
    runs(
      [slowCreate(slot)],
      aRun(apply({ allow: ['adopt'] }), {
        people: [
          {
            before: 'write',
            nth: isReplace ? 2 : 1,
            afterSec: dice.pick([1, 3]),
            deed: { kind: dice.pick(['copy', 'own words', 'own words']), slot },
          },
        ],
      }),
    ),
  ];
}

/** The same, and the person edits what the run has made as well. */
function besideEdited(dice: Dice): Step[] {
  const slot = dice.pick(['Welcome', 'Teaser'] as const);
  const afterSec = dice.pick([1, 3]);
  const deeds = (['edit', 'own words'] as const).map((kind) => ({ kind, slot }));
  return [
    files(null, [aSlot(slot)]),
    runs(
      [slowCreate(slot)],
      aRun(apply(), { people: deeds.map((deed) => ({ before: 'write', nth: 1, afterSec, deed })) }),
    ),
  ];
}

function slowCreate(slot: 'Welcome' | 'Teaser'): DrawnFault {
  const operation = slot === 'Welcome' ? 'campaigns.create' : 'broadcasts.create';
  return { name: 'slow answer', fault: { kind: 'slow', delay_ms: 8_000, operation, nth: 1, times: 1 } };
}

function aSecond(dice: Dice, slot: SlotName): PersonAction {
  return { kind: dice.pick(['copy', 'own words']), slot };
}
