import type { Dice } from '../dice.ts';
import type { Command, PersonAt, Run, Step } from '../shape.ts';
import { anEarlyCut, aRun, late, machines, runs, someFaults, someModes, wait } from './parts.ts';
import type { Drawn } from './versions.ts';

/** Messages in one chat, follows and labels of few fans: by the commands and by raw calls. */
export function chats(dice: Dice): Drawn {
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
  if (dice.oneIn(6)) return [aLateMessage(dice), wait(dice.pick([0, 30]))];
  const first = aMessage(dice, 0);
  const second = { ...aMessage(dice, operators - 1), afterSec: dice.pick([0, 1, 5, 30]) };
  return [
    runs(
      someFaults(dice, ['chat', 'chat', 'chat connection', 'chat date', 'accounts'], [1, 2]),
      first,
      ...(dice.oneIn(3) ? [second] : []),
    ),
    wait(dice.pick([0, 0, 5, 30, 80, 700])),
  ];
}

function aMessage(dice: Dice, operator: number): Run {
  const people = dice.oneIn(3) ? [aWriter(dice)] : [];
  return aRun(aCommand(dice), { operator, cut: dice.oneIn(2) ? anEarlyCut(dice) : null, people });
}

/** The service asks it to wait, or its process is frozen, and a person writes in the same chat meanwhile. */
function aLateMessage(dice: Dice): Step {
  const command: Command = { kind: 'chat', words: 1, sure: dice.pick([[], [], ['allow-similar']]) };
  return late(dice, 'chat.send', command, { kind: 'message', words: dice.pick([1, 1, 2]) });
}

/** A person writes in the same chat, often the same words. */
function aWriter(dice: Dice): PersonAt {
  const before = dice.pick(['request', 'request', 'write'] as const);
  return {
    before,
    nth: dice.int(1, before === 'write' ? 1 : 5),
    deed: { kind: 'message', words: dice.int(1, 2) },
  };
}

function aCommand(dice: Dice): Command {
  const words = dice.int(1, 2);
  return dice.weighted<Command>([
    [5, { kind: 'chat', words, sure: dice.pick([[], [], [], ['acknowledge'], ['allow-similar']]) }],
    [2, { kind: 'api chat', words }],
    [3, { kind: 'follow', fan: dice.int(1, 2) }],
    [2, { kind: 'label', fan: dice.int(1, 2), words }],
  ]);
}
