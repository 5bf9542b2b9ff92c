import type { Dice } from '../dice.ts';
import type { Command, PersonAt, Run, Step } from '../shape.ts';
import {
  aCut,
  aKeepingCut,
  aPersonAction,
  apply,
  aRun,
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
} from './parts.ts';
import type { Drawn } from './versions.ts';

/** Commands that only look or keep house, between and next to applies: none of them may send anything. */
export function keeping(dice: Dice): Drawn {
  return {
    modes: someModes(dice),
    accounts: dice.pick([1, 2]),
    operators: machines(dice, 1),
    startMin: 0,
    crowded: dice.oneIn(4),
    steps: dice.some(2, 3, () => aTurn(dice)).flat(),
  };
}

function aTurn(dice: Dice): Step[] {
  return [
    files(null, someSlots(dice, { protects: true })),
    runs(
      someFaults(dice, ['create', 'status', 'lag', 'read lag', 'status lag'], [0, 2]),
      aRun(aKeepingApply(dice), { cut: maybeCut(dice) }),
    ),
    ...(dice.oneIn(3) ? [{ kind: 'person', deed: aPersonAction(dice) } as const] : []),
    runs(
      dice.oneIn(3) ? someFaults(dice, ['list', 'list connection', 'accounts', 'way', 'upload'], [1, 2]) : [],
      ...dice.some(1, 2, () => looking(dice)),
    ),
    FAN,
    wait(dice.pick([0, 80])),
    runs([], aRun(apply())),
  ];
}

/** A prune of a large part of an account, without the permission for that, may stop nothing either. */
function aKeepingApply(dice: Dice): Command {
  const command = someApply(dice);
  return command.kind === 'apply' && dice.oneIn(4) ? { ...command, prune: true, small: true } : command;
}

function looking(dice: Dice): Run {
  const command = aLook(dice);
  const cut = command.kind === 'upload' ? aCut(dice) : aKeepingCut(dice);
  const people: PersonAt[] = dice.oneIn(3)
    ? [{ before: 'request', nth: dice.int(1, 4), deed: aPersonAction(dice) }]
    : [];
  return aRun(command, { cut: dice.oneIn(2) ? cut : null, people });
}

function aLook(dice: Dice): Command {
  return dice.weighted<Command>([
    [
      4,
      {
        kind: 'look',
        at: dice.pick(['plan', 'plan --detailed-exitcode', 'drift', 'history', 'ledger check', 'doctor']),
      },
    ],
    [3, { kind: 'import' }],
    [2, { kind: 'compact' }],
    [2, { kind: 'upload', bytes: dice.int(1, 2), again: dice.oneIn(3) }],
  ]);
}
