import type { Dice } from '../dice.ts';
import type { DrawnFault } from '../fault-kinds.ts';
import type { FaultGroup } from '../fault-rows.ts';
import { OTHER_SLOT, type Run, type SlotName, type SlotVersion, type Step } from '../shape.ts';
import {
  aCut,
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
import { renamedByPeople } from './renamed-by-people.ts';
import type { Drawn } from './versions.ts';

/** Names and texts that move: a rename that is cut short, a new block with an old name, two texts that are exchanged. */
export function renames(dice: Dice): Drawn {
  const slot = dice.pick<SlotName>(['Welcome', 'Welcome', 'Teaser']);
  const story = dice.weighted([
    [5, cutShort],
    [2, oldNameTaken],
    [2, textLeft],
    [3, exchanged],
    [3, handedOver],
    [4, renamedByPeople],
  ]);
  return {
    modes: someModes(dice),
    accounts: 1,
    operators: machines(dice, 1),
    startMin: 0,
    crowded: false,
    steps: [...story(dice, slot), FAN],
  };
}

const WRITES: readonly FaultGroup[] = ['create', 'create late', 'status', 'create connection'];

/** A resource gets another name and another text. Before the run has ended, and after that, the files change again. */
function cutShort(dice: Dice, slot: SlotName): Step[] {
  const replace = dice.pick(['pause_first', 'create_first'] as const);
  const renamed: SlotVersion = aSlot(slot, { rename: 'said', newWords: true, replace });
  const isKilled = !dice.oneIn(3);
  return [
    files(null, [aSlot(slot, { replace })]),
    ...applied(),
    files(null, [renamed]),
    runs(
      isKilled ? [] : someFaults(dice, WRITES, [1, 2]),
      aRun(apply(), {
        cut: isKilled ? { at: dice.pick([1, 2, 2, 2]), how: dice.pick(KILLS), sec: 2 } : null,
      }),
    ),
    ...dice.some(1, 2, () => changedAgain(dice, { ...renamed, rename: 'no', newWords: false })).flat(),
  ];
}

const KILLS = ['before_commit', 'before_commit', 'after_commit', 'interrupt'] as const;

/** An apply that nothing disturbs, and time until each list shows what it did. */
function applied(): Step[] {
  return [runs([], aRun(apply())), wait(10)];
}

/** The file of a rename without `renamed_from`, with the old name, or with a third one. */
function changedAgain(dice: Dice, renamed: SlotVersion): Step[] {
  const next = dice.weighted<Partial<SlotVersion>>([
    [3, {}],
    [4, { rename: 'back', newWords: dice.oneIn(4) }],
    [2, { rename: 'corrected', newWords: dice.oneIn(2) }],
    [1, { rename: 'said', newWords: true }],
    [1, { target: 'paused' }],
  ]);
  return [
    wait(dice.pick([0, 10, 10, 30, 80])),
    files(null, [{ ...renamed, ...next }]),
    runs(
      dice.oneIn(4) ? someFaults(dice, ['lag', 'way', 'status'], [1, 1]) : [],
      aRun(apply({ saved: dice.oneIn(3) })),
    ),
    FAN,
  ];
}

/** A renamed object keeps its name on the service. Its old name gets a new block, and then its own is removed. */
function oldNameTaken(dice: Dice, slot: SlotName): Step[] {
  const other = OTHER_SLOT[slot];
  return [
    files(null, [aSlot(slot)]),
    ...applied(),
    files(null, [aSlot(slot, { rename: 'said' })]),
    ...applied(),
    files(null, [aSlot(slot), aSlot(other, { rename: 'taken' })]),
    runs(dice.oneIn(4) ? someFaults(dice, ['way', 'lag'], [1, 1]) : [], aRun(apply())),
    wait(dice.pick([0, 80])),
    files(null, [aSlot(other, { newWords: dice.oneIn(3) })]),
    runs(dice.oneIn(4) ? someFaults(dice, ['way', 'lag', 'status'], [1, 1]) : [], aRun(apply())),
  ];
}

/** A block is removed, and the next version of another one says what it said. */
function textLeft(dice: Dice, slot: SlotName): Step[] {
  const other = OTHER_SLOT[slot];
  const takes = aSlot(other, { takesText: true, replace: dice.pick(['pause_first', 'create_first']) });
  return [
    files(null, [aSlot(slot), aSlot(other, { target: dice.pick(['runs', 'runs', 'paused']) })]),
    ...applied(),
    ...(dice.oneIn(3)
      ? [files(null, [aSlot(slot), takes]), runs([], aRun(apply({ targeting: slot === 'Teaser' ? 3 : 4 })))]
      : []),
    files(null, dice.pick([[takes], [takes], [takes, aSlot(slot, { takesText: true, rename: 'unsaid' })]])),
    runs(dice.oneIn(3) ? someFaults(dice, WRITES, [1, 1]) : [], aRun(apply({ prune: dice.oneIn(6) }))),
    FAN,
    ...(dice.oneIn(2) ? [wait(dice.pick([0, 80])), runs([], aRun(apply()))] : []),
  ];
}

/** Two blocks exchange their texts, and only one of the two changes can be carried out. */
function exchanged(dice: Dice, slot: SlotName): Step[] {
  const other = OTHER_SLOT[slot];
  const why = dice.pick(['protected', 'no target', 'no target', 'a fault', 'cut']);
  const takes = (one: SlotName, more: Partial<SlotVersion> = {}) =>
    aSlot(one, {
      takesText: true,
      replace: dice.pick(['pause_first', 'pause_first', 'create_first']),
      ...more,
    });
  const isHeld = why === 'protected';
  const half = slot === 'Teaser' ? 3 : dice.pick([4, 5]);
  const run: Run = aRun(apply({ targeting: why === 'no target' ? half : 0 }), {
    cut: why === 'cut' ? aCut(dice) : null,
  });
  return [
    files(null, [aSlot(slot, { protect: isHeld }), aSlot(other)]),
    ...applied(),
    files(null, [takes(slot, { protect: isHeld }), takes(other)]),
    runs(why === 'a fault' ? someFaults(dice, WRITES, [1, 2]) : [], run),
    FAN,
    wait(dice.pick([0, 10, 80])),
    ...(dice.oneIn(2)
      ? [runs([], aRun(apply({ targeting: why === 'no target' && dice.oneIn(2) ? half : 0 }))), FAN]
      : []),
    ...(dice.oneIn(3) ? [files(null, [aSlot(slot), aSlot(other)])] : []),
    ...(dice.oneIn(2) ? [runs([], aRun(apply())), FAN] : []),
  ];
}

/** One block takes over the text of another one, which is paused or gets other words in the same version of the files. */
function handedOver(dice: Dice, slot: SlotName): Step[] {
  const giver = OTHER_SLOT[slot];
  const given: Partial<SlotVersion> = dice.oneIn(2) ? { target: 'paused' } : { newWords: true };
  const replace = dice.pick(['pause_first', 'pause_first', 'create_first'] as const);
  return [
    files(null, [aSlot(slot), aSlot(giver)]),
    ...applied(),
    files(null, [aSlot(slot, { takesText: true, replace }), aSlot(giver, given)]),
    runs(dice.oneIn(3) ? someFaults(dice, ['status'], [1, 2]) : [noStop(dice, slot)], aRun(apply())),
    FAN,
    wait(dice.pick([0, 80])),
    runs([], aRun(apply())),
    FAN,
  ];
}

/** No stop of the run arrives, however often it is sent. */
function noStop(dice: Dice, slot: SlotName): DrawnFault {
  return {
    name: 'status, lost before_commit',
    fault: {
      kind: 'broken_answer',
      how: dice.pick(['reset', '502']),
      when: 'before_commit',
      operation: slot === 'Teaser' ? 'broadcasts.set-status' : 'campaigns.set-status',
      nth: 1,
      times: 60,
    },
  };
}
