import type { Dice } from '../dice.ts';
import type { DrawnFault } from '../fault-kinds.ts';
import type { FaultGroup } from '../fault-rows.ts';
import type { Command, Damage, SlotName, Step } from '../shape.ts';
import { aCut, apply, aRun, aSlot, files, machines, runs, someFaults, someModes, wait } from './parts.ts';
import type { Drawn } from './versions.ts';

/** A line of the ledger cannot be read just when it is needed. A person repairs it later. */
export function damaged(dice: Dice): Drawn {
  return {
    modes: someModes(dice),
    accounts: 1,
    operators: machines(dice, 1),
    startMin: 0,
    crowded: false,
    steps: dice.weighted([
      [3, lostCreate],
      [2, protectedOnce],
      [3, lostAct],
    ])(dice),
  };
}

/** The only record of a create that may still be carried out. */
function lostCreate(dice: Dice): Step[] {
  const slot = dice.pick<SlotName>(['Welcome', 'Teaser']);
  const before: Step[] = dice.oneIn(2) ? [files(null, [aSlot(slot)]), runs([], aRun(apply()))] : [];
  return [
    ...before,
    files(null, [aSlot(slot, { newWords: true })]),
    runs(
      [lateCreate(dice, slot)],
      aRun(apply(), { cut: { ...aCut(dice, ['after_commit']), at: 1 + before.length / 2 } }),
    ),
    damage(dice, 'create'),
    wait(dice.pick([0, 5, 40])),
    runs([], aRun(afterDamage(dice, slot))),
    ...repaired(dice),
  ];
}

/** A raw call sends the same with nothing but the ledger to tell of the first one. */
function afterDamage(dice: Dice, slot: SlotName): Command {
  if (dice.oneIn(2)) return { kind: 'api create', slot };
  return apply({ allow: dice.pick([[], ['adopt', 'resume']]) });
}

function lateCreate(dice: Dice, slot: SlotName): DrawnFault {
  return {
    name: 'create, late inside the window',
    fault: {
      kind: 'late_commit',
      how: 'reset',
      after_sec: dice.pick([20, 45, 60]),
      operation: slot === 'Welcome' ? 'campaigns.create' : 'broadcasts.create',
      nth: 1,
      times: 1,
    },
  };
}

/** The record that something is protected, which the files do not have any more. */
function protectedOnce(dice: Dice): Step[] {
  const slot = dice.pick<SlotName>(['Welcome', 'Teaser']);
  return [
    files(null, [aSlot(slot), aSlot('Second')]),
    runs([], aRun(apply())),
    files(null, [aSlot(slot, { protect: true }), aSlot('Second')]),
    runs([], aRun(apply())),
    files(null, [aSlot('Second')]),
    damage(dice, 'protection'),
    wait(dice.pick([0, 80])),
    runs([], aRun(apply({ prune: true }))),
    ...repaired(dice),
  ];
}

/** The only record of a payout, or of a message, of which no answer was heard. */
function lostAct(dice: Dice): Step[] {
  const [command, again, groups] = dice.pick<readonly [Command, Command, readonly FaultGroup[]]>([
    [chat(1), chat(2), ['chat', 'chat connection']],
    [payout(5000), payout(dice.pick([5000, 6000])), ['money', 'money connection']],
    [{ kind: 'api payout', cents: 5000 }, { kind: 'api payout', cents: 5000 }, ['money']],
    [{ kind: 'api chat', words: 1 }, { kind: 'api chat', words: 1 }, ['chat']],
  ]);
  return [
    runs(
      someFaults(dice, groups, [1, 2]),
      aRun(command, { cut: { ...aCut(dice, ['after_commit', 'before_commit', 'interrupt']), at: 1 } }),
    ),
    damage(dice, 'act'),
    wait(dice.pick([0, 5, 80])),
    runs([], aRun(again)),
    { kind: 'ledger repaired', operator: 0 },
    wait(dice.pick([0, 80])),
    runs([], aRun(again)),
  ];
}

function chat(words: number): Command {
  return { kind: 'chat', words, sure: [] };
}

function payout(cents: number): Command {
  return { kind: 'payout', cents, sure: [] };
}

function damage(dice: Dice, line: Damage['line']): Step {
  return {
    kind: 'ledger damaged',
    operator: 0,
    line,
    how: dice.pick(['garbled', 'garbled', 'merge mark', 'cut']),
  };
}

function repaired(dice: Dice): Step[] {
  return [wait(dice.pick([0, 5, 80])), { kind: 'ledger repaired', operator: 0 }, runs([], aRun(apply()))];
}
