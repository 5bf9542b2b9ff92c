import type { Dice } from '../dice.ts';
import type { Forgery, SlotName, Step } from '../shape.ts';
import { apply, aRun, aSlot, files, machines, runs, someFaults, someModes, wait } from './parts.ts';
import type { Drawn } from './versions.ts';

/**
 * Objects that people made under names that the files declare sooner or later: not Herald's without a word, whatever
 * someone adds to the ledger.
 */
export function strangers(dice: Dice): Drawn {
  const slot = dice.pick<SlotName>(['Welcome', 'Teaser']);
  const other: SlotName = slot === 'Welcome' ? 'Second' : 'Reminder';
  return {
    modes: someModes(dice),
    accounts: 1,
    operators: machines(dice, 1),
    startMin: 0,
    crowded: false,
    steps: [
      files(null, [aSlot(other)]),
      ...(dice.oneIn(2) ? [runs([], aRun(apply()))] : []),
      ...(dice.oneIn(2) ? [theirs(slot)] : []),
      files(null, [aSlot(other), aSlot(slot, { newWords: true })]),
      runs(
        someFaults(dice, ['create', 'create', 'lag'], [1, 1]),
        aRun(apply({ prune: dice.oneIn(3) }), {
          people: [
            { before: 'list', nth: dice.int(3, 7), deed: { kind: dice.pick(['copy', 'own words']), slot } },
          ],
        }),
      ),
      ...(dice.oneIn(2) ? [theirs(other)] : []),
      ...(dice.oneIn(4) ? [] : [forged(dice, dice.pick([slot, other]))]),
      wait(dice.pick([0, 80])),
      files(null, [aSlot(other, { newWords: dice.oneIn(2) }), aSlot(slot, { newWords: dice.oneIn(2) })]),
      runs([], aRun(apply({ prune: dice.oneIn(2), allow: dice.pick([[], [], ['adopt']]) }))),
    ],
  };
}

function theirs(slot: SlotName): Step {
  return { kind: 'person', deed: { kind: 'own words', slot } };
}

function forged(dice: Dice, slot: SlotName): Step {
  return { kind: 'ledger forged', slot, forgery: dice.pick<Forgery>(['create', 'maker']) };
}
