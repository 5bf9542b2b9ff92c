import type { Dice } from '../dice.ts';
import type { DrawnFault } from '../fault-kinds.ts';
import type { Command, Run, SlotName, SlotVersion, Step } from '../shape.ts';
import {
  aKeepingCut,
  anEarlyCut,
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

/** A person closes a request without an answer, with words that are right or not, and goes on. */
export function closings(dice: Dice): Drawn {
  const operators = machines(dice, dice.pick([1, 1, 1, 1, 2]));
  const story = dice.weighted([
    [4, closedMessage],
    [5, closedRecall],
    [5, closedChange],
    [2, closedPayout],
    [2, closedNameless],
    [2, closedEarly],
  ]);
  return {
    modes: someModes(dice),
    accounts: 2,
    operators,
    startMin: 0,
    crowded: false,
    steps: [...story(dice, operators.length), FAN],
  };
}

/** Operations of which a request is left without an answer. */
type Lost = NonNullable<DrawnFault['fault']['operation']>;

/** The process ends right after its first write, or right before; or no copy of that write is ever answered. */
function leftOpen(dice: Dice, operation: Lost, command: Command, at: 1 | 2 = 1): Step {
  if (dice.oneIn(8)) return runs([], aRun(command, { cut: anEarlyCut(dice) }));
  if (dice.oneIn(2)) return runs([unanswered(dice, operation)], aRun(command));
  const how = dice.pick(['after_commit', 'after_commit', 'before_commit', 'interrupt'] as const);
  return runs([], aRun(command, { cut: { at, how, sec: 2 } }));
}

/** More requests than one run sends. */
const ALL = 60;

function unanswered(dice: Dice, operation: Lost): DrawnFault {
  const one = { operation, nth: 1, times: ALL } as const;
  return dice.oneIn(3)
    ? {
        name: 'status, late inside the window',
        fault: { kind: 'late_commit', how: 'reset', after_sec: dice.pick([1, 30, 60]), ...one },
      }
    : {
        name: 'status, lost before_commit',
        fault: {
          kind: 'broken_answer',
          how: dice.pick(['reset', '502', 'timeout']),
          when: dice.pick(['before_commit', 'after_commit']),
          ...one,
        },
      };
}

/** One close or two, alone or next to another command, now and then cut short. */
function closing(dice: Dice, operators: number, meanwhile: readonly Command[]): Step[] {
  const close: Run = aRun(aClose(dice), {
    operator: dice.oneIn(2) ? operators - 1 : 0,
    cut: dice.oneIn(4) ? aKeepingCut(dice) : null,
    afterSec: dice.pick([0, 0, 1, 5]),
  });
  const others = dice.oneIn(3) ? meanwhile.slice(0, 1).map((command) => aRun(command)) : [];
  const faults: DrawnFault[] = dice.oneIn(4) ? someFaults(dice, ['accounts', 'list connection'], [1, 1]) : [];
  // A colleague closes what the merged ledger shows.
  const joined: Step[] = operators > 1 ? [{ kind: 'ledgers joined' }] : [];
  return [
    ...joined,
    runs(faults, ...others, close),
    ...(dice.oneIn(2) ? joined : []),
    wait(dice.pick([0, 5])),
    ...(dice.oneIn(3) ? [runs([], aRun(aClose(dice)))] : []),
  ];
}

function aClose(dice: Dice): Command {
  return {
    kind: 'close',
    nth: dice.pick([1, 1, 1, 2]),
    says: dice.pick(['it went out', 'it did not go out']),
  };
}

/** Around the end of the time for which a request may still be carried out, or long after it. */
function aWhile(dice: Dice): Step {
  return wait(dice.pick([0, 10, 30, 50, 80, 80, 200, 400, 400]));
}

/** A message of which no one knows whether the fan gets it, and then the same words or others. */
function closedMessage(dice: Dice, operators: number): Step[] {
  const message = (): Command => ({
    kind: 'chat',
    words: dice.pick([1, 1, 2]),
    sure: dice.pick([[], [], [], ['allow-similar']]),
  });
  const first: Command = dice.oneIn(4) ? { kind: 'api chat', words: 1 } : message();
  return [
    leftOpen(dice, 'chat.send', first),
    aWhile(dice),
    ...closing(dice, operators, [message()]),
    runs(dice.oneIn(4) ? someFaults(dice, ['chat'], [1, 1]) : [], aRun(message())),
    wait(dice.pick([0, 80])),
    runs([], aRun(dice.oneIn(3) ? { kind: 'look', at: 'ledger check' } : message())),
  ];
}

/** No list shows what became of the recall of a broadcast. */
function closedRecall(dice: Dice, operators: number): Step[] {
  const slot = dice.pick<SlotName>(['Teaser', 'Teaser', 'Welcome']);
  const recalled = aSlot(slot, { target: 'recalled' });
  const isByHand = dice.oneIn(3);
  return [
    files(null, [aSlot(slot), aSlot('Second')]),
    runs([], aRun(apply())),
    wait(10),
    ...(isByHand ? [] : [files(null, [recalled, aSlot('Second')])]),
    // An apply stops first what still waits.
    leftOpen(
      dice,
      slot === 'Teaser' ? 'broadcasts.unsend' : 'campaigns.unsend',
      isByHand ? { kind: 'by hand', slot, verb: 'recall' } : apply(),
      isByHand ? 1 : dice.pick([1, 2, 2]),
    ),
    aWhile(dice),
    ...closing(dice, operators, [apply()]),
    ...(dice.oneIn(3) ? [files(null, [aSlot(slot, { newWords: dice.oneIn(2) }), aSlot('Second')])] : []),
    runs(dice.oneIn(4) ? someFaults(dice, ['recall', 'status lag'], [1, 1]) : [], aRun(apply())),
    wait(dice.pick([0, 80])),
    runs([], aRun(apply())),
  ];
}

/** The account of a create or a status change leaves the workspace, and perhaps comes back. */
function closedChange(dice: Dice, operators: number): Step[] {
  const slot = dice.pick<SlotName>(['Welcome', 'Welcome', 'Teaser']);
  const replace = dice.pick(['pause_first', 'create_first'] as const);
  const next = dice.pick<Partial<SlotVersion> | null>([
    null,
    null,
    { newWords: true, replace },
    { target: 'paused' },
  ]);
  const later = {
    ...next,
    ...dice.pick<Partial<SlotVersion>>([{}, {}, { newWords: true }, { target: 'runs' }]),
  };
  return [
    files(null, [aSlot(slot, { replace })]),
    ...(next === null
      ? []
      : [runs([], aRun(apply())), wait(10), files(null, [aSlot(slot, { replace, ...next })])]),
    leftOpen(
      dice,
      slot === 'Teaser'
        ? next === null
          ? 'broadcasts.create'
          : 'broadcasts.set-status'
        : next === null
          ? 'campaigns.create'
          : 'campaigns.set-status',
      apply(),
    ),
    { kind: 'first account', isThere: false },
    aWhile(dice),
    ...closing(dice, operators, [apply({ prune: dice.oneIn(2) })]),
    ...(dice.oneIn(3) ? [runs([], aRun(apply({ prune: dice.oneIn(2) })))] : []),
    { kind: 'first account', isThere: true },
    ...(dice.oneIn(3) ? [files(null, [aSlot(slot, { replace, ...later })])] : []),
    runs(dice.oneIn(3) ? someFaults(dice, ['lag', 'status lag', 'create'], [1, 1]) : [], aRun(apply())),
    FAN,
    wait(dice.pick([0, 80])),
    runs([], aRun(apply())),
  ];
}

/** The same with money. */
function closedPayout(dice: Dice, operators: number): Step[] {
  const payout = (): Command =>
    dice.oneIn(4)
      ? { kind: 'api payout', cents: 5000 }
      : {
          kind: 'payout',
          cents: dice.pick([5000, 5000, 6000]),
          sure: dice.pick([[], [], ['allow-similar']]),
        };
  return [
    leftOpen(dice, 'payouts.request', payout()),
    ...(dice.oneIn(4) ? [] : [{ kind: 'first account', isThere: false } as const]),
    aWhile(dice),
    ...closing(dice, operators, []),
    { kind: 'first account', isThere: true },
    runs(dice.oneIn(4) ? someFaults(dice, ['money'], [1, 1]) : [], aRun(payout())),
    wait(dice.pick([0, 80])),
    runs([], aRun(payout())),
  ];
}

/** A raw create without a name, and the same one again. */
function closedNameless(dice: Dice, operators: number): Step[] {
  const slot = dice.pick<SlotName>(['Welcome', 'Teaser']);
  const create: Command = { kind: 'api create', slot, nameless: true };
  return [
    leftOpen(dice, slot === 'Teaser' ? 'broadcasts.create' : 'campaigns.create', create),
    aWhile(dice),
    ...closing(dice, operators, [create]),
    runs([], aRun(create)),
    wait(dice.pick([0, 80])),
    runs([], aRun(create)),
  ];
}

/** A run would find out what happened: no person has a say in it. */
function closedEarly(dice: Dice, operators: number): Step[] {
  const slot = dice.pick<SlotName>(['Welcome', 'Teaser']);
  const [operation, command] = dice.pick<readonly [Lost, Command]>([
    [slot === 'Teaser' ? 'broadcasts.create' : 'campaigns.create', apply()],
    ['payouts.request', { kind: 'payout', cents: 5000, sure: [] }],
    ['fans.follow', { kind: 'follow', fan: 1 }],
    ['fans.label', { kind: 'label', fan: 1, words: 1 }],
  ]);
  return [
    files(null, [aSlot(slot)]),
    leftOpen(dice, operation, command),
    aWhile(dice),
    ...closing(dice, operators, [apply()]),
    runs([], aRun(apply())),
    runs([], aRun(command)),
    wait(dice.pick([0, 80])),
    runs([], aRun(apply())),
  ];
}
