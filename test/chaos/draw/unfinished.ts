import type { Dice } from '../dice.ts';
import type { DrawnFault } from '../fault-kinds.ts';
import type { Command, Damage, SlotName, SlotVersion, Step, Verb } from '../shape.ts';
import { aCut, aKeepingCut, apply, aRun, aSlot, files, machines, runs, someModes, wait } from './parts.ts';
import type { Drawn } from './versions.ts';

/** A request has had no answer, and before its end is known the next command is one of another sort. */
export function unfinished(dice: Dice): Drawn {
  const draw = dice.weighted([
    [2, namelessCreates],
    [4, importNextToApply],
    [5, importNextToStart],
    [1, lookAtHalfDone],
  ]);
  return {
    modes: someModes(dice),
    accounts: 1,
    operators: machines(dice, 1),
    startMin: 0,
    crowded: false,
    steps: draw(dice),
  };
}

type Status = 'create' | 'set-status';

/** The request at this place is lost, and carried out a little later or at once. */
function late(dice: Dice, slot: SlotName, call: Status, nth = 1): DrawnFault {
  const operation = `${slot === 'Teaser' ? 'broadcasts' : 'campaigns'}.${call}` as const;
  return {
    name: `${call === 'create' ? 'create' : 'status'}, late inside the window`,
    fault: {
      kind: 'late_commit',
      how: 'reset',
      after_sec: dice.pick([20, 45, 60]),
      operation,
      nth,
      times: 1,
    },
  };
}

/** The same raw create again, of which no run can find out what it has made. */
function namelessCreates(dice: Dice): Step[] {
  const slot = aSlotOfAKind(dice);
  const create: Command = { kind: 'api create', slot, nameless: true };
  return [
    runs(
      [dice.pick([late(dice, slot, 'create'), lostOnceMade(slot)])],
      aRun(create, { cut: dice.oneIn(3) ? { ...aCut(dice, ['after_commit', 'interrupt']), at: 1 } : null }),
    ),
    ...(dice.oneIn(3) ? [damage(dice, 'act')] : []),
    wait(dice.pick([0, 5, 30, 80])),
    ...(dice.oneIn(3) ? [files(null, [aSlot(slot)]), runs([], aRun(apply({ prune: dice.oneIn(2) })))] : []),
    runs([], aRun(create)),
    { kind: 'ledger repaired', operator: 0 },
    wait(dice.pick([0, 80])),
    runs([], aRun(create)),
  ];
}

function lostOnceMade(slot: SlotName): DrawnFault {
  return {
    name: 'create, lost after_commit',
    fault: {
      kind: 'broken_answer',
      how: '502',
      when: 'after_commit',
      operation: slot === 'Teaser' ? 'broadcasts.create' : 'campaigns.create',
      nth: 1,
      times: 1,
    },
  };
}

/** The files declare what an apply has only begun, and the list shows what was before. */
function importNextToApply(dice: Dice): Step[] {
  const slot = aSlotOfAKind(dice);
  const [next, call] = dice.pick<readonly [Partial<SlotVersion>, Status]>([
    [{ newWords: true }, 'create'],
    [{ target: 'paused' }, 'set-status'],
    [{ target: 'paused' }, 'set-status'],
  ]);
  const replace = dice.pick(['pause_first', 'create_first'] as const);
  const isSecond = call === 'create' && (replace === 'pause_first' || slot === 'Teaser');
  return [
    files(null, [aSlot(slot, { replace })]),
    runs([], aRun(apply())),
    files(null, [aSlot(slot, { replace, ...next })]),
    runs(
      [late(dice, slot, call)],
      aRun(apply(), { cut: { ...aCut(dice, ['after_commit']), at: isSecond ? 2 : 1 } }),
    ),
    ...(dice.oneIn(2) ? [damage(dice, call === 'create' ? 'create' : 'status')] : []),
    ...importing(dice),
    runs([], aRun(apply({ allow: dice.pick([[], ['resume']]) }))),
  ];
}

/** What is in no file is started by hand, and shows as paused. */
function importNextToStart(dice: Dice): Step[] {
  const slot = aSlotOfAKind(dice);
  const byHand = (verb: Verb): Command => ({ kind: 'by hand', slot, verb });
  const isStart = !dice.oneIn(5);
  return [
    files(null, [aSlot('Second'), aSlot(slot)]),
    runs([], aRun(apply())),
    files(null, [aSlot('Second')]),
    ...(isStart ? [runs([], aRun(byHand('pause')))] : []),
    runs(
      [late(dice, slot, 'set-status')],
      aRun(byHand(isStart ? 'start' : 'pause'), {
        cut: { ...aCut(dice, ['after_commit']), at: 1 },
      }),
    ),
    ...(dice.oneIn(4) ? [damage(dice, 'status')] : []),
    ...importing(dice),
    runs([], aRun(apply())),
  ];
}

function importing(dice: Dice): Step[] {
  return [
    wait(dice.pick([0, 0, 5, 15])),
    runs([], aRun({ kind: 'import' }, { cut: dice.oneIn(4) ? aKeepingCut(dice) : null })),
    wait(dice.pick([0, 80])),
    { kind: 'ledger repaired', operator: 0 },
  ];
}

/** The list shows a status that no answer confirmed: an apply would set it again. */
function lookAtHalfDone(dice: Dice): Step[] {
  const look = (): Command => ({ kind: 'look', at: dice.pick(['drift', 'plan --detailed-exitcode']) });
  return [
    files(null, [aSlot('Welcome', { waits: dice.oneIn(2) })]),
    runs([], aRun(apply())),
    files(null, [aSlot('Welcome', { target: dice.pick(['paused', 'archived']) })]),
    runs(
      dice.oneIn(2) ? [halfDone()] : [],
      aRun(apply(), { cut: { ...aCut(dice, ['after_commit']), at: 1 } }),
    ),
    wait(dice.pick([10, 80])),
    runs([], aRun(look())),
    runs([], aRun(apply())),
    runs([], aRun(look())),
  ];
}

function halfDone(): DrawnFault {
  return {
    name: 'status, half done',
    fault: { kind: 'partial_commit', operation: 'campaigns.set-status', nth: 1, times: 1 },
  };
}

function aSlotOfAKind(dice: Dice): 'Welcome' | 'Teaser' {
  return dice.pick(['Welcome', 'Teaser']);
}

function damage(dice: Dice, line: Damage['line']): Step {
  return {
    kind: 'ledger damaged',
    operator: 0,
    line,
    how: dice.pick(['garbled', 'garbled', 'merge mark', 'cut']),
  };
}
