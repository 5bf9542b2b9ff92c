import type { Dice } from '../dice.ts';
import type { DrawnFault } from '../fault-kinds.ts';
import { longWait, throttled } from '../fault-rows.ts';
import type { SlotName, Step } from '../shape.ts';
import { apply, aRun, aSlot, files, runs, wait } from './parts.ts';

/** What is decided in time and sent or settled too late: it waits for a place, or its process is frozen. */
export function tooLate(dice: Dice, leftSec: number, slowList: DrawnFault): Step[] {
  return dice.weighted([
    [2, createdLate],
    [1, resumedLate],
    [1, resumedLateByHand],
    [1, settledLate],
  ])(dice, leftSec, slowList);
}

/** A create begins more than five minutes before the hour, and has to wait until it is less. */
function createdLate(dice: Dice, leftSec: number, slowList: DrawnFault): Step[] {
  const isReplace = !dice.oneIn(3);
  return [
    ...(isReplace ? [files(null, [aSlot('Teaser')]), runs([], aRun(apply()))] : []),
    wait(leftSec - dice.pick([302, 306, 310, 316])),
    files(null, [aSlot('Teaser', { newWords: true })]),
    runs(
      [
        isReplace && dice.oneIn(2)
          ? throttled('broadcasts.set-status', 20)
          : dice.oneIn(3)
            ? slowList
            : longWait('broadcast'),
      ],
      aRun(apply()),
    ),
    ...afterwards(dice),
  ];
}

/** A process is frozen between its plan and a resume, until the hour has passed. */
function resumedLate(dice: Dice, leftSec: number): Step[] {
  const other = dice.pick<SlotName>(['Second', 'Reminder']);
  return [
    files(null, [aSlot('Teaser')]),
    runs([], aRun(apply())),
    files(null, [aSlot('Teaser', { target: 'paused' })]),
    runs([], aRun(apply())),
    wait(leftSec - dice.pick([310, 330, 390])),
    files(null, [aSlot('Teaser'), aSlot(other)]),
    runs([], aRun(apply(), { cut: { at: dice.pick([1, 1, 2]), how: 'freeze_answer', sec: 400 } })),
    ...afterwards(dice),
  ];
}

/** A person resumes it in time, and the service lets the request wait. */
function resumedLateByHand(dice: Dice, leftSec: number): Step[] {
  return [
    files(null, [aSlot('Teaser')]),
    runs([], aRun(apply())),
    files(null, [aSlot('Teaser', { target: 'paused' })]),
    runs([], aRun(apply())),
    wait(leftSec - dice.pick([4, 8, 15])),
    runs([throttled('broadcasts.set-status', 20)], aRun({ kind: 'by hand', slot: 'Teaser', verb: 'start' })),
    ...afterwards(dice),
  ];
}

/** The create of a replace is lost, and its hour has passed before anything can be told of it. */
function settledLate(dice: Dice, leftSec: number): Step[] {
  const lost: DrawnFault = {
    name: 'create, lost before_commit',
    fault: {
      kind: 'broken_answer',
      how: dice.pick(['reset', '502']),
      when: 'before_commit',
      operation: 'broadcasts.create',
      nth: 1,
      times: 1,
    },
  };
  return [
    files(null, [aSlot('Teaser')]),
    runs([], aRun(apply())),
    wait(leftSec - dice.pick([310, 330, 390])),
    files(null, [aSlot('Teaser', { newWords: true })]),
    runs([lost], aRun(apply(), { cut: { at: 2, how: 'freeze_answer', sec: 400 } })),
    ...afterwards(dice),
  ];
}

function afterwards(dice: Dice): Step[] {
  return dice.oneIn(2) ? [wait(dice.pick([5, 100])), runs([], aRun(apply()))] : [];
}
