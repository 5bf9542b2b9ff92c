import type { Dice } from '../dice.ts';
import type { PersonAt, SlotName, Step } from '../shape.ts';
import {
  aCut,
  apply,
  aRun,
  aSlot,
  FAN,
  files,
  machines,
  pictures,
  runs,
  someFaults,
  someModes,
  wait,
} from './parts.ts';
import type { Drawn } from './versions.ts';

/** The same files applied again and again, while the service rewrites texts late and people edit them. */
export function reworded(dice: Dice): Drawn {
  const slot = dice.pick<SlotName>(['Welcome', 'Welcome', 'Teaser']);
  const first = aSlot(slot, {
    picture: dice.oneIn(4) ? pictures(dice)(0) : null,
    replace: dice.pick(['pause_first', 'pause_first', 'create_first']),
  });
  const others = dice.oneIn(3) ? [aSlot(dice.pick<SlotName>(['Second', 'Reminder']))] : [];
  const isNew = dice.oneIn(3);
  return {
    modes: someModes(dice),
    accounts: 1,
    operators: machines(dice, 1),
    startMin: 0,
    crowded: false,
    steps: [
      files(null, [first, ...others]),
      ...dice.some(2, 4, () => anApply(dice, slot)).flat(),
      ...(isNew ? [files(null, [{ ...first, newWords: true }, ...others]), ...anApply(dice, slot)] : []),
      ...anApply(dice, slot),
      FAN,
    ],
  };
}

function anApply(dice: Dice, slot: SlotName): Step[] {
  const faults = [
    ...someFaults(dice, ['rewrite'], [0, 2]),
    ...(dice.oneIn(3) ? someFaults(dice, ['create', 'create late', 'lag', 'way'], [1, 1]) : []),
  ];
  const cut = dice.oneIn(6) ? aCut(dice) : null;
  const edit = { kind: 'edit', slot } as const;
  return [
    runs(faults, aRun(apply(), { cut, people: dice.oneIn(4) ? [editing(dice, slot)] : [] })),
    wait(dice.pick([0, 5, 80])),
    ...(dice.oneIn(4) ? [{ kind: 'person', deed: edit } as const] : []),
  ];
}

/** A person edits the newest version at any moment of a run. */
function editing(dice: Dice, slot: SlotName): PersonAt {
  return { before: 'request', nth: dice.int(1, 12), deed: { kind: 'edit', slot } };
}
