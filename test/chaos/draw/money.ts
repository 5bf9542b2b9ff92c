import type { Dice } from '../dice.ts';
import type { Command, PersonAt, Run, Step } from '../shape.ts';
import { anEarlyCut, aRun, late, machines, runs, someFaults, someModes, wait } from './parts.ts';
import type { Drawn } from './versions.ts';

/** Payouts of few amounts, by one person or two, by the command and by raw calls, while others ask for money as well. */
export function money(dice: Dice): Drawn {
  const operators = machines(dice, dice.pick([1, 1, 2]));
  return {
    modes: someModes(dice),
    accounts: 1,
    operators,
    startMin: 0,
    crowded: false,
    steps: dice.some(2, 4, () => aMoment(dice, operators.length)).flat(),
  };
}

function aMoment(dice: Dice, operators: number): Step[] {
  if (dice.oneIn(6)) return [aLatePayout(dice), wait(dice.pick([0, 30]))];
  const first = aPayout(dice, 0);
  const second = aPayout(dice, operators - 1);
  return [
    runs(
      someFaults(dice, ['money', 'money', 'money connection', 'money date', 'accounts'], [0, 2]),
      first,
      ...(dice.oneIn(3) ? [{ ...second, afterSec: dice.pick([0, 1, 5, 30]) }] : []),
    ),
    wait(dice.pick([0, 0, 5, 30, 80, 700])),
    ...(dice.oneIn(6) ? [runs([], aRun({ kind: 'look', at: dice.pick(['history', 'ledger check']) }))] : []),
  ];
}

/** Of an amount that no one asks for otherwise. The service asks it to wait, or its process is frozen, and a person acts. */
function aLatePayout(dice: Dice): Step {
  const command: Command = { kind: 'payout', cents: 7000, sure: dice.pick([[], [], ['allow-similar']]) };
  return late(dice, 'payouts.request', command, { kind: 'payout', cents: dice.pick([7000, 7000, 6000]) });
}

function aPayout(dice: Dice, operator: number): Run {
  const command: Command = dice.oneIn(4)
    ? { kind: 'api payout', cents: cents(dice) }
    : {
        kind: 'payout',
        cents: cents(dice),
        sure: dice.pick([[], [], [], ['acknowledge'], ['allow-similar']]),
      };
  const people: PersonAt[] = dice.oneIn(3)
    ? [
        {
          before: dice.pick(['request', 'write']),
          nth: dice.int(1, 4),
          deed: { kind: 'payout', cents: cents(dice) },
        },
      ]
    : [];
  return aRun(command, { operator, cut: dice.oneIn(2) ? anEarlyCut(dice) : null, people });
}

/** Few amounts, so that the same one is often asked for. */
function cents(dice: Dice): number {
  return dice.pick([5000, 5000, 6000]);
}
