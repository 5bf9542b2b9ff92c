import type { Dice } from '../dice.ts';
import type { Command, SlotName, SlotVersion, Step } from '../shape.ts';
import { aCut, apply, aRun, aSlot, files, machines, runs, someFaults, someModes, wait } from './parts.ts';
import type { Drawn } from './versions.ts';

/** More than a compaction keeps. */
const LONG_SEC = 8 * 86_400;

/** The history of a ledger is put away before a run depends on what it said. */
export function compacted(dice: Dice): Drawn {
  return {
    modes: someModes(dice),
    accounts: 1,
    operators: machines(dice, 1),
    startMin: 0,
    crowded: false,
    steps: dice.pick([protectedLongAgo, sentLongAgo])(dice),
  };
}

function protectedLongAgo(dice: Dice): Step[] {
  const slot = dice.pick<SlotName>(['Welcome', 'Teaser']);
  return [
    files(null, [aSlot(slot, { protect: true }), aSlot('Second')]),
    runs([], aRun(apply())),
    ...putAway([aSlot(slot, { protect: true }), aSlot('Second', { newWords: true })]),
    files(null, [aSlot(slot, { newWords: true }), aSlot('Second')]),
    runs([], aRun(apply({ allow: dice.pick([['adopt'], ['adopt', 'resume']]) }))),
    runs([], aRun(apply())),
  ];
}

/** A message of which no answer was heard: only a person can tell what came of it, however long ago it was. */
function sentLongAgo(dice: Dice): Step[] {
  const [first, again] = [1, dice.pick([1, 2])].map((words): Command => ({ kind: 'chat', words, sure: [] }));
  if (first === undefined || again === undefined) return [];
  return [
    runs(
      someFaults(dice, ['chat', 'chat connection'], [1, 2]),
      aRun(first, { cut: { ...aCut(dice, ['after_commit', 'before_commit']), at: 1 } }),
    ),
    ...putAway([aSlot('Second')]),
    runs([], aRun(again)),
  ];
}

/** A compaction keeps the last week before the newest line, so something else is applied first. */
function putAway(slots: readonly SlotVersion[]): Step[] {
  return [wait(LONG_SEC), files(null, slots), runs([], aRun(apply())), runs([], aRun({ kind: 'compact' }))];
}
