import type { Dice } from '../dice.ts';
import { colleagues } from './colleagues.ts';
import { compacted } from './compacted.ts';
import type { DrawnFault } from '../fault-kinds.ts';
import type { Command, Operator, SlotName, SlotVersion, Step, Verb } from '../shape.ts';
import {
  aCut,
  aKeepingCut,
  aPersonAction,
  apply,
  aRun,
  aSlot,
  aSlotName,
  aVerb,
  FAN,
  files,
  machines,
  maybeCut,
  runs,
  someFaults,
  someModes,
  someSlots,
  wait,
} from './parts.ts';
import type { Drawn } from './versions.ts';

const DAY_SEC = 86_400;

/** Machines with clocks that are wrong and are set, and ledgers that are joined, compacted, looked at and lost. */
export function ledgers(dice: Dice): Drawn {
  if (dice.oneIn(4)) return compacted(dice);
  if (dice.oneIn(5)) return colleagues(dice);
  if (dice.oneIn(2)) return turnAbout(dice);
  if (dice.oneIn(3)) return setMeanwhile(dice);
  if (dice.oneIn(3)) return ofTwoMinds(dice);
  const any = [0, 90, -90, 3600, -3600, 86_400, -86_400];
  return {
    modes: someModes(dice),
    accounts: 1,
    operators: wronglySet(dice, [any, any]),
    startMin: 0,
    crowded: false,
    steps: dice.some(2, 4, () => aTurn(dice)).flat(),
  };
}

/** One person after the other, each with what the other knows, as git merges it. */
function aTurn(dice: Dice): Step[] {
  const operator = dice.pick([0, 1]);
  return [
    ...(dice.oneIn(2)
      ? [files(dice.pick([null, null, operator]), someSlots(dice, { protects: false }))]
      : []),
    ...aside(dice, operator),
    runs(
      someFaults(dice, ['create', 'status', 'lag', 'status lag', 'create late', 'date'], [0, 2]),
      aRun(apply({ prune: dice.oneIn(3) }), { operator, cut: maybeCut(dice) }),
    ),
    FAN,
    { kind: 'ledgers joined' },
    wait(dice.pick([0, 5, 80, 80])),
  ];
}

/** One object is stopped and started in turn by two people with clocks that differ: what came last must be known. */
function turnAbout(dice: Dice): Drawn {
  const slot = dice.pick<SlotName>(['Welcome', 'Teaser']);
  const one = dice.pick([0, 1]);
  const declared = (target: SlotVersion['target']) => files(null, [aSlot(slot, { target })]);
  const by = (operator: number, command: Command): Step[] => [
    runs([], aRun(command, { operator: dice.oneIn(6) ? 1 - operator : operator })),
    { kind: 'ledgers joined' },
    wait(dice.pick([5, 80])),
  ];
  return {
    modes: someModes(dice),
    accounts: 1,
    operators: wronglySet(dice, [
      [90, 3600, 86_400],
      [0, -90, -3600],
    ]),
    startMin: 0,
    crowded: false,
    steps: [
      declared('runs'),
      ...by(one, apply()),
      declared('paused'),
      ...by(one, apply()),
      declared('runs'),
      ...by(1 - one, dice.oneIn(3) ? { kind: 'by hand', slot, verb: 'start' } : apply()),
      ...by(1 - one, { kind: 'by hand', slot, verb: dice.pick<Verb>(['pause', 'pause', 'archive']) }),
      ...by(dice.pick([0, 1]), apply()),
    ],
  };
}

/** A process dies with a request on its way, and before the next run the machine's clock is set. */
function setMeanwhile(dice: Dice): Drawn {
  const slot = dice.pick<SlotName>(['Welcome', 'Teaser']);
  return {
    modes: someModes(dice),
    accounts: 1,
    operators: machines(dice, 1),
    startMin: 0,
    crowded: false,
    steps: [
      files(null, [aSlot(slot)]),
      ...(dice.oneIn(2) ? [runs([], aRun(apply())), files(null, [aSlot(slot, { newWords: true })])] : []),
      runs(
        someFaults(dice, ['create late', 'create late', 'create', 'create connection'], [2, 2]),
        aRun(apply(), { cut: aCut(dice, ['after_commit', 'interrupt']) }),
      ),
      { kind: 'clock', operator: 0, sec: dice.pick([90, 3600, 3600, 86_400, -3600]) },
      wait(dice.pick([0, 5])),
      runs(someFaults(dice, ['date'], [0, 1]), aRun(apply())),
      FAN,
    ],
  };
}

/**
 * Most servers that answer one stop are ahead of the time: in the ledger it must not come after the stop by hand that a
 * person makes a little later.
 */
function ofTwoMinds(dice: Dice): Drawn {
  const slot = dice.pick<SlotName>(['Welcome', 'Teaser']);
  const ahead: DrawnFault = {
    name: 'answer of a server with a wrong clock',
    fault: {
      kind: 'wrong_date',
      skew_sec: dice.pick([3600, 86_400]),
      nth: dice.pick([2, 2, 3]),
      times: dice.pick([4, 6, 8]),
    },
  };
  const stop: Command = { kind: 'by hand', slot, verb: dice.pick<Verb>(['pause', 'pause', 'archive']) };
  return {
    modes: someModes(dice),
    accounts: 1,
    operators: machines(dice, 1).map((machine): Operator => ({ ...machine, clockSec: 0, driftPpm: 0 })),
    startMin: 0,
    crowded: false,
    steps: [
      files(null, [aSlot(slot)]),
      runs([], aRun(apply())),
      files(null, [aSlot(slot, { target: 'paused' })]),
      runs([ahead], aRun(apply())),
      wait(dice.pick([5, 80])),
      files(null, [aSlot(slot)]),
      runs([], aRun(dice.oneIn(3) ? { kind: 'by hand', slot, verb: 'start' } : apply())),
      wait(dice.pick([5, 80])),
      runs([], aRun(stop)),
      wait(dice.pick([5, 80])),
      runs([], aRun(apply())),
    ],
  };
}

/** Two machines, each with one of these clocks. */
function wronglySet(
  dice: Dice,
  clocks: readonly [readonly number[], readonly number[]],
): readonly Operator[] {
  return machines(dice, 2).map((machine, place): Operator => ({
    ...machine,
    clockSec: dice.pick(clocks[place === 0 ? 0 : 1]),
  }));
}

function aside(dice: Dice, operator: number): Step[] {
  const look: Command = {
    kind: 'look',
    at: dice.pick(['plan', 'drift', 'history', 'ledger check', 'doctor']),
  };
  return dice.weighted<Step[]>([
    [3, []],
    [2, [{ kind: 'clock', operator, sec: dice.pick([90, -90, 3600, -3600]) }]],
    [
      2,
      [
        wait(dice.pick([1, 8]) * DAY_SEC),
        runs([], aRun({ kind: 'compact' }, { operator, cut: dice.oneIn(2) ? aKeepingCut(dice) : null })),
      ],
    ],
    [1, [runs([], aRun({ kind: 'compact' }, { operator }))]],
    [1, [runs([], aRun(look, { operator }))]],
    [1, [{ kind: 'person', deed: aPersonAction(dice) }]],
    [2, [runs([], aRun({ kind: 'by hand', slot: aSlotName(dice), verb: aVerb(dice) }, { operator }))]],
  ]);
}
