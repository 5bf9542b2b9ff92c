import type { Dice } from '../dice.ts';
import type { FaultGroup } from '../fault-rows.ts';
import type { Operator, Run, Scenario, SlotVersion, Step } from '../shape.ts';
import { otherFiles } from './colleagues.ts';
import {
  aPersonAction,
  aPerson,
  apply,
  aRun,
  aSlotName,
  aVerb,
  FAN,
  files,
  machines,
  maybeCut,
  runs,
  someApply,
  someFaults,
  someModes,
  someSlots,
  wait,
  waitFor,
} from './parts.ts';

/** What a theme states of a scenario. */
export type Drawn = Omit<Scenario, 'theme' | 'worldSeed' | 'storesTexts'>;

const ORDINARY: readonly FaultGroup[] = [
  'create',
  'status',
  'way',
  'list',
  'lag',
  'status lag',
  'create connection',
  'status connection',
  'list connection',
  'read back connection',
  'date',
];
const DAY_SEC = 86_400;

/** Versions of the files one after the other, applied under faults, by one person or by two at the same moment. */
export function versions(dice: Dice): Drawn {
  const operators = machines(dice, dice.oneIn(6) ? 2 : 1);
  const steps = dice.some(2, 3, () => aVersion(dice, operators)).flat();
  return {
    modes: someModes(dice),
    accounts: dice.pick([1, 1, 2]),
    operators,
    startMin: dice.oneIn(5) ? dice.int(42, 59) : 0,
    crowded: dice.oneIn(4),
    steps,
  };
}

function aVersion(dice: Dice, operators: readonly Operator[]): Step[] {
  const slots = someSlots(dice, { protects: operators.length === 1 });
  const rest = dice.oneIn(14) ? [wait(dice.pick([2, 6, 8]) * DAY_SEC)] : [];
  const cuts = dice.some(0, 2, () => cutRun(dice));
  const people = dice.oneIn(3) ? [aPerson(dice)] : [];
  const everything = aRun(apply({ prune: dice.oneIn(2) }), { people });
  const others = operators.slice(1).map((_, place) => ({ ...everything, operator: place + 1, people: [] }));
  return [
    ...rest,
    ...before(dice),
    files(null, slots),
    ...(operators.length > 1 && dice.oneIn(2) ? otherFiles(dice, slots) : []),
    ...cuts.flatMap((run) => [runs(faultsFor(dice, slots, run), run), FAN, pause(dice)]),
    runs(faultsFor(dice, slots, everything), everything, ...others, ...besides(dice)),
    FAN,
    pause(dice),
  ];
}

/** Someone starts a second run in the same workspace: the lock keeps it out. */
function besides(dice: Dice): Run[] {
  return dice.oneIn(6) ? [aRun(apply(), { afterSec: dice.pick([0, 1, 3]) })] : [];
}

function pause(dice: Dice): Step {
  return wait(dice.pick([0, 0, 10, 80]));
}

function cutRun(dice: Dice): Run {
  const people = dice.oneIn(3) ? [aPerson(dice)] : [];
  return aRun(someApply(dice), { cut: maybeCut(dice), people });
}

function faultsFor(dice: Dice, slots: readonly SlotVersion[], { people }: Run) {
  const shows = slots.some(({ target, picture }) => target === 'runs' && picture !== null);
  const recalls = slots.some(({ target }) => target === 'recalled');
  return [
    ...waitFor(people),
    ...someFaults(dice, ORDINARY, [0, 3]),
    ...(shows ? someFaults(dice, ['upload'], [0, 2]) : []),
    ...(recalls ? someFaults(dice, ['recall', 'recall connection'], [0, 2]) : []),
  ];
}

/** What people and accidents do before a version is applied. */
function before(dice: Dice): Step[] {
  return dice.weighted<Step[]>([
    [9, []],
    [1, [{ kind: 'ledger lost', operator: 0 }]],
    [3, [{ kind: 'person', deed: aPersonAction(dice) }]],
    [
      3,
      [
        runs(
          [],
          aRun({ kind: 'by hand', slot: aSlotName(dice), verb: aVerb(dice) }, { cut: maybeCut(dice) }),
        ),
      ],
    ],
  ]);
}
