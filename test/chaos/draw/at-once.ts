import type { Dice } from '../dice.ts';
import type { Command, PersonAt, Run, Step } from '../shape.ts';
import {
  anEarlyCut,
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

/** Broadcasts of a draft that are sent at once, again and again, by one person or two, next to applies. */
export function atOnce(dice: Dice): Drawn {
  const operators = machines(dice, dice.pick([1, 1, 2]));
  return {
    modes: someModes(dice),
    accounts: 1,
    operators,
    startMin: 0,
    crowded: dice.oneIn(6),
    steps: [
      files(null, [aSlot('Welcome'), aSlot('Reminder')]),
      ...(dice.oneIn(2) ? [runs([], aRun(apply()))] : []),
      ...dice.some(2, 4, () => aMoment(dice, operators.length)).flat(),
      runs([], aRun(apply({ prune: true }))),
    ],
  };
}

function aMoment(dice: Dice, operators: number): Step[] {
  const words = dice.pick([1, 1, 2]);
  if (dice.oneIn(6)) {
    const deed = { kind: 'flash', words: dice.pick([words, words, 1]) } as const;
    return [late(dice, 'broadcasts.create', { kind: 'send at once', words }, deed), wait(dice.pick([0, 80]))];
  }
  if (dice.oneIn(6)) {
    const deed = { kind: 'flash', words } as const;
    const command = { kind: 'send at once', words } as const;
    return [runs([], aRun(command, { people: [{ before: 'write', nth: 1, deed }] }))];
  }
  const first = aSend(dice, words, 0);
  const second = dice.oneIn(4)
    ? aRun(apply({ prune: dice.oneIn(2) }), { operator: operators - 1 })
    : aSend(dice, words, operators - 1);
  return [
    runs(
      [
        ...someFaults(dice, ['create', 'create', 'create late', 'create connection'], [0, 2]),
        ...(dice.oneIn(3) ? someFaults(dice, ['lag', 'list', 'way', 'date'], [1, 1]) : []),
      ],
      first,
      ...(dice.oneIn(3) ? [{ ...second, afterSec: dice.pick([0, 1, 5, 30]) }] : []),
    ),
    wait(dice.pick([0, 0, 5, 30, 80, 700])),
    ...(operators > 1 && dice.oneIn(2) ? [{ kind: 'ledgers joined' } as const] : []),
  ];
}

function aSend(dice: Dice, words: number, operator: number): Run {
  const command: Command = { kind: 'send at once', words };
  const people: PersonAt[] = dice.oneIn(4)
    ? [
        {
          before: dice.pick(['request', 'write', 'list']),
          nth: dice.int(1, 4),
          deed: { kind: 'flash', words: dice.pick([1, 2]) },
        },
      ]
    : [];
  return aRun(command, { operator, cut: dice.oneIn(2) ? anEarlyCut(dice) : null, people });
}
