import type { Dice } from '../dice.ts';
import type { PersonAction, PersonAt, SlotName, SlotVersion } from '../shape.ts';
import { apply, aRun, aSlot, files, machines, runs, someFaults, someModes, wait } from './parts.ts';
import type { Drawn } from './versions.ts';

/** A plan is saved and looked at, a person changes something, and the plan is applied, or what was reviewed of it. */
export function savedPlans(dice: Dice): Drawn {
  const slot = dice.pick<SlotName>(['Welcome', 'Welcome', 'Teaser']);
  const other: SlotName = slot === 'Welcome' ? 'Second' : 'Reminder';
  const people = dice.some(1, 2, () => afterThePlan(dice, slot, other));
  return {
    modes: someModes(dice),
    accounts: 1,
    operators: machines(dice, 1),
    startMin: 0,
    crowded: false,
    steps: [
      files(null, [aSlot(slot), aSlot(other)]),
      runs([], aRun(apply())),
      files(null, [planned(dice, slot), planned(dice, other)]),
      runs(
        dice.oneIn(3) ? someFaults(dice, ['create', 'status', 'lag', 'status lag'], [1, 1]) : [],
        aRun(
          apply({
            saved: true,
            reviewed: dice.oneIn(2),
            prune: dice.oneIn(2),
            targeting: dice.pick([0, 0, 2]),
          }),
          { people },
        ),
      ),
      wait(dice.pick([0, 80])),
      runs([], aRun(apply())),
    ],
  };
}

/** What the plan is about: stops more than anything else, as they are looked at least. */
function planned(dice: Dice, slot: SlotName): SlotVersion {
  const stop =
    slot === 'Welcome' || slot === 'Second' ? (['paused', 'archived'] as const) : (['paused'] as const);
  return aSlot(
    slot,
    dice.pick([{ target: dice.pick(stop) }, { newWords: true }, { target: 'recalled' }, {}]),
  );
}

function afterThePlan(dice: Dice, slot: SlotName, other: SlotName): PersonAt {
  const deed = dice.weighted<PersonAction>([
    [2, { kind: 'change', slot: dice.pick([slot, other]), verb: dice.pick(['pause', 'archive', 'recall']) }],
    [2, { kind: 'copy', slot }],
    [1, { kind: 'own words', slot }],
    [2, { kind: 'edit', slot }],
  ]);
  return { before: 'saved plan', nth: 1, deed };
}
