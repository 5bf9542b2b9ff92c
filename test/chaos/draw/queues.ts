import type { Dice } from '../dice.ts';
import type { Step } from '../shape.ts';
import {
  aCut,
  apply,
  aRun,
  aSlot,
  FAN,
  files,
  machines,
  runs,
  someFaults,
  someModes,
  wait,
} from './parts.ts';
import type { Drawn } from './versions.ts';

/** Fans wait in the queue of a campaign while it is replaced, and a process dies in between. */
export function queues(dice: Dice): Drawn {
  const replaced = (): Step =>
    files(null, [
      aSlot('Welcome', {
        newWords: true,
        waits: true,
        clears: !dice.oneIn(4),
        replace: dice.pick(['pause_first', 'create_first', 'create_first']),
      }),
    ]);
  return {
    modes: someModes(dice),
    accounts: 1,
    operators: machines(dice, 1),
    startMin: 0,
    crowded: false,
    steps: [
      files(null, [aSlot('Welcome', { waits: true })]),
      runs([], aRun(apply())),
      FAN,
      ...dice
        .some(1, 2, (): Step[] => [
          replaced(),
          runs(
            someFaults(dice, ['create', 'status', 'status connection'], [0, 1]),
            aRun(apply(), { cut: aCut(dice) }),
          ),
          wait(dice.pick([0, 5, 80])),
        ])
        .flat(),
      runs([], aRun(apply())),
      FAN,
    ],
  };
}
