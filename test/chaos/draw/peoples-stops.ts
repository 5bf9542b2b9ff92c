import type { Dice } from '../dice.ts';
import type { Step, Verb } from '../shape.ts';
import {
  aCut,
  apply,
  aRun,
  aSlot,
  FAN,
  files,
  machines,
  runs,
  secondOfAPerson,
  someFaults,
  someModes,
  wait,
} from './parts.ts';
import type { Drawn } from './versions.ts';

/** A person stops or recalls the newest version, and then the files would start an older one, or a new one. */
export function peoplesStops(dice: Dice): Drawn {
  const story = dice.weighted([
    [3, wentBackInFiles],
    [1, stoppedBetweenPauses],
  ]);
  return {
    modes: someModes(dice),
    accounts: 1,
    operators: machines(dice, 1),
    startMin: 0,
    crowded: false,
    steps: [...story(dice), FAN],
  };
}

/** The files go back to the text before, or on to another one. A copy that Herald archived may be newer. */
function wentBackInFiles(dice: Dice): Step[] {
  const verb = dice.pick<Verb>(['pause', 'archive', 'archive', 'recall', 'recall']);
  const isBack = !dice.oneIn(4);
  return [
    files(null, [aSlot('Welcome')]),
    runs([], aRun(apply())),
    files(null, [aSlot('Welcome', { newWords: true })]),
    runs([], aRun(apply())),
    ...(dice.oneIn(3) ? [] : aCopy()),
    wait(dice.pick([10, 80])),
    dice.oneIn(3)
      ? runs(
          dice.oneIn(2) ? someFaults(dice, ['status lag'], [1, 1]) : [],
          aRun({ kind: 'by hand', slot: 'Welcome', verb }),
        )
      : { kind: 'person', deed: { kind: 'change', slot: 'Welcome', verb, running: true } },
    wait(dice.pick([0, 10, 80])),
    files(null, [aSlot('Welcome', { sameName: true, oldWords: isBack, newWords: !isBack })]),
    runs(dice.oneIn(4) ? someFaults(dice, ['status', 'list'], [1, 1]) : [], aRun(apply())),
    wait(dice.pick([0, 80, 8 * DAY_SEC])),
    runs([], aRun(apply())),
  ];
}

const DAY_SEC = 86_400;

/** A person makes what runs once more, and Herald archives the copy. */
function aCopy(): Step[] {
  return [
    { kind: 'person', deed: { kind: 'copy', slot: 'Welcome' } },
    wait(10),
    runs([], aRun(apply({ allow: ['adopt'] }))),
  ];
}

/** Two versions run, a run dies between their pauses, and a person archives the one that still runs. */
function stoppedBetweenPauses(dice: Dice): Step[] {
  return [
    files(null, [aSlot('Welcome')]),
    runs([], aRun(apply())),
    ...secondOfAPerson(aSlot('Welcome', { newWords: true })),
    { kind: 'person', deed: { kind: 'change', slot: 'Welcome', verb: 'start' } },
    wait(10),
    files(null, [aSlot('Welcome', { newWords: true })]),
    runs([], aRun(apply(), { cut: { ...aCut(dice, ['before_line']), at: 3 } })),
    wait(dice.pick([0, 80])),
    {
      kind: 'person',
      deed: {
        kind: 'change',
        slot: 'Welcome',
        verb: dice.pick(['pause', 'archive', 'archive']),
        running: true,
      },
    },
    wait(dice.pick([10, 80])),
    runs([], aRun(apply())),
    wait(dice.pick([0, 80])),
    runs([], aRun(apply())),
  ];
}
