import type { Dice } from '../dice.ts';
import type { PersonAction, PersonAt, SlotName, SlotVersion, Step } from '../shape.ts';
import { apply, aRun, aSlot, FAN, files, maybeCut, runs, someFaults, wait } from './parts.ts';

/** A person gives an object another name on the service, before a run or at any request of it. */
export function renamedByPeople(dice: Dice, slot: SlotName): Step[] {
  const replace = dice.pick(['pause_first', 'pause_first', 'create_first'] as const);
  const rename: PersonAction = { kind: 'rename', slot };
  const isBefore = dice.oneIn(3);
  const next = dice.pick<Partial<SlotVersion>>([
    {},
    {},
    { newWords: true },
    { target: 'paused' },
    { rename: 'said' },
    { rename: 'said', newWords: true },
  ]);
  return [
    files(null, [aSlot(slot, { replace })]),
    runs(dice.oneIn(4) ? someFaults(dice, ['create', 'create late'], [1, 1]) : [], aRun(apply())),
    wait(10),
    ...(isBefore ? [{ kind: 'person', deed: rename } as const, wait(dice.pick([0, 10, 80]))] : []),
    ...(dice.oneIn(4) ? [] : [files(null, [aSlot(slot, { replace, ...next })])]),
    runs(
      dice.oneIn(3) ? someFaults(dice, ['create', 'status', 'lag', 'way'], [1, 1]) : [],
      aRun(apply({ prune: dice.oneIn(4), saved: dice.oneIn(6) }), {
        cut: dice.oneIn(4) ? maybeCut(dice) : null,
        people: isBefore ? [] : [renaming(dice, rename)],
      }),
    ),
    wait(dice.pick([0, 10, 80])),
    ...(dice.oneIn(4) ? [{ kind: 'person', deed: rename } as const, wait(dice.pick([0, 10]))] : []),
    runs([], aRun(apply({ prune: dice.oneIn(4) }))),
    FAN,
    ...(dice.oneIn(2) ? [wait(dice.pick([0, 80])), runs([], aRun(apply()))] : []),
  ];
}

function renaming(dice: Dice, deed: PersonAction): PersonAt {
  const before = dice.pick(['list', 'request', 'request', 'write', 'saved plan'] as const);
  return { before, nth: dice.int(1, before === 'request' ? 10 : 4), deed };
}
