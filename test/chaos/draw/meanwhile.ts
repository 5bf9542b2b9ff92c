import type { Dice } from '../dice.ts';
import { HELD_BACK } from '../held-back.ts';
import type { Deed, PersonAt, SlotName } from '../shape.ts';
import { apply, aRun, aSlot, files, machines, runs, someFaults, someModes, wait } from './parts.ts';
import type { Drawn } from './versions.ts';

/** What people do on the service while one larger run is at work. */
export function meanwhile(dice: Dice): Drawn {
  const kept = dice.pick<SlotName>(['Welcome', 'Welcome', 'Teaser']);
  const isSwitchedOn = dice.oneIn(2);
  return {
    modes: someModes(dice),
    accounts: dice.pick([1, 2]),
    operators: machines(dice, 1),
    startMin: 0,
    crowded: false,
    steps: [
      files(null, [aSlot(kept), ...(dice.oneIn(3) ? [aSlot('Second')] : [])]),
      runs([], aRun(apply())),
      ...(isSwitchedOn ? [files(null, [aSlot(kept, { target: 'paused' })]), runs([], aRun(apply()))] : []),
      files(null, [
        aSlot(kept, { newWords: !isSwitchedOn && dice.oneIn(2) }),
        aSlot('Second'),
        aSlot('Reminder'),
      ]),
      runs(
        someFaults(dice, ['way', 'lag', 'create'], [0, 1]),
        aRun(apply(), { people: dice.some(1, 2, () => aWitness(dice, kept)) }),
      ),
      wait(dice.pick([0, 80])),
      runs([], aRun(apply())),
    ],
  };
}

/** A person who acts at any request of the run. */
function aWitness(dice: Dice, slot: SlotName): PersonAt {
  const before = dice.pick(['request', 'write', 'write'] as const);
  return { before, nth: dice.int(1, before === 'write' ? 4 : 12), deed: aDeedOn(dice, slot) };
}

function aDeedOn(dice: Dice, slot: SlotName): Deed {
  return dice.weighted<Deed>([
    [4, { kind: 'change', slot, verb: dice.pick(['archive', 'recall', 'pause', 'start']) }],
    [1, { kind: 'copy', slot: dice.pick([slot, 'Second']) }],
    [1, { kind: 'own words', slot: dice.pick([slot, 'Second']) }],
    [HELD_BACK.editsMeanwhile ? 0 : 1, { kind: 'edit', slot }],
  ]);
}
