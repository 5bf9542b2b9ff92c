import type { Dice } from '../dice.ts';
import type { DrawnFault } from '../fault-kinds.ts';
import { aFaultOf, throttled } from '../fault-rows.ts';
import type { SlotName, Step } from '../shape.ts';
import {
  aCut,
  apply,
  aRun,
  aSlot,
  files,
  late,
  machines,
  runs,
  someFaults,
  someModes,
  wait,
} from './parts.ts';
import type { Drawn } from './versions.ts';

/** Stopped, and started again a moment later: what was lost of the one may land after the other. */
export function opposites(dice: Dice): Drawn {
  const slot = dice.pick<SlotName>(['Welcome', 'Teaser']);
  return {
    modes: someModes(dice),
    accounts: 1,
    operators: machines(dice, 1),
    startMin: 0,
    crowded: false,
    steps: [
      files(null, [aSlot(slot)]),
      runs([], aRun(apply())),
      ...(slot === 'Teaser' && dice.oneIn(3)
        ? pausedForDays(dice)
        : dice.some(1, 2, () => dice.pick([thereAndBack, quickly])(dice, slot)).flat()),
    ],
  };
}

const DAY_SEC = 86_400;

/**
 * A broadcast is paused for longer than the service resumes one, as far as the ledger knows. A person may have resumed and
 * paused it meanwhile: then it can still go out.
 */
function pausedForDays(dice: Dice): Step[] {
  return [
    files(null, [aSlot('Teaser', { target: 'paused' })]),
    runs([], aRun(apply())),
    wait(3 * DAY_SEC),
    ...(dice.oneIn(4)
      ? []
      : [byPerson('Teaser', 'start'), wait(dice.pick([10, 80])), byPerson('Teaser', 'pause')]),
    // After a week the service archives it.
    wait(dice.pick([2, 3]) * DAY_SEC),
    files(null, [aSlot('Teaser', { newWords: dice.oneIn(4) })]),
    runs(
      dice.oneIn(3) ? someFaults(dice, ['status', 'create'], [1, 1]) : [],
      // The last pause may be the person's, which neither the list nor the ledger tells.
      aRun(apply({ allow: ['resume'] })),
    ),
    wait(dice.pick([0, 80])),
    runs([], aRun(apply({ allow: ['resume'] }))),
  ];
}

function byPerson(slot: SlotName, verb: 'start' | 'pause'): Step {
  return { kind: 'person', deed: { kind: 'change', slot, verb } };
}

function thereAndBack(dice: Dice, slot: SlotName): Step[] {
  return [
    files(null, [aSlot(slot, { target: 'paused' })]),
    runs(
      [lateStatus(dice, slot)],
      aRun(apply(), { cut: dice.oneIn(3) ? aCut(dice, ['after_commit', 'before_line', 'interrupt']) : null }),
    ),
    wait(dice.pick([0, 0, 5, 30])),
    files(null, [aSlot(slot)]),
    dice.oneIn(2)
      ? startNextToACopy(dice, slot)
      : runs(
          dice.oneIn(3) ? someFaults(dice, ['status', 'status connection', 'status lag'], [1, 1]) : [],
          aRun(dice.oneIn(4) ? { kind: 'by hand', slot, verb: 'start' } : apply()),
        ),
    wait(dice.pick([0, 10, 80])),
    runs([], aRun(apply())),
  ];
}

/** The start has to be sent again, or leaves late, and a person makes another one of the name meanwhile. */
function startNextToACopy(dice: Dice, slot: SlotName): Step {
  const operation = slot === 'Teaser' ? 'broadcasts.set-status' : 'campaigns.set-status';
  if (dice.oneIn(3))
    return late(dice, operation, { kind: 'by hand', slot, verb: 'start' }, { kind: 'copy', slot });
  const copied = {
    before: 'write',
    nth: 1,
    afterSec: dice.pick([1, 5, 10, 15]),
    deed: { kind: 'copy', slot },
  } as const;
  const isFrozen = dice.oneIn(3);
  return runs(
    isFrozen ? [] : [dice.oneIn(3) ? aFaultOf(dice, ['status']) : throttled(operation, 20)],
    aRun(apply(), { people: [copied], cut: isFrozen ? { at: 1, how: 'freeze', sec: 40 } : null }),
  );
}

/**
 * Stopped, started and applied again within seconds, while lists or single reads still show the status before. A person may
 * change it back in the middle of that: what lists show after these seconds is the person's.
 */
function quickly(dice: Dice, slot: SlotName): Step[] {
  const targets = dice.pick([
    ['paused', 'runs'],
    ['paused', 'runs', 'paused'],
    ['paused', 'paused', 'runs', 'runs'],
  ] as const);
  const verbOf = { paused: 'pause', runs: 'start' } as const;
  return targets.flatMap((target) => [
    files(null, [aSlot(slot, { target })]),
    runs(
      someFaults(dice, ['status lag'], [1, 2]),
      // After a Ctrl-C, an apply does not read the list again at its end.
      aRun(dice.oneIn(2) ? { kind: 'by hand', slot, verb: verbOf[target] } : apply(), {
        cut: dice.oneIn(3) ? aCut(dice, ['interrupt']) : null,
      }),
    ),
    wait(dice.pick([0, 0, 1, 2, 3])),
    ...(dice.oneIn(4) ? [byPerson(slot, dice.pick(['start', 'pause'])), wait(dice.pick([0, 1, 6]))] : []),
    runs([], aRun(dice.oneIn(4) ? { kind: 'look', at: 'drift' } : apply())),
    wait(dice.pick([0, 1, 2, 3])),
  ]);
}

function lateStatus(dice: Dice, slot: SlotName): DrawnFault {
  const operation = slot === 'Teaser' ? 'broadcasts.set-status' : 'campaigns.set-status';
  return {
    name: 'status, late inside the window',
    fault: {
      kind: 'late_commit',
      how: 'reset',
      after_sec: dice.int(5, 60),
      operation,
      nth: 1,
      times: dice.pick([1, 1, 2]),
    },
  };
}
