import type { Dice } from '../dice.ts';
import type { DrawnFault } from '../fault-kinds.ts';
import type { PersonAt, Run, Step } from '../shape.ts';
import { aCut, apply, aRun, aSlot, files, machines, runs, someFaults, someModes, wait } from './parts.ts';
import { tooLate } from './too-late.ts';
import type { Drawn } from './versions.ts';

/** The broadcast's hour: an hour after noon. */
const HOUR_SEC = 3600;

/** Around the hour of a broadcast: copies of it, edits that come too late, stops while it begins to go out. */
export function hour(dice: Dice): Drawn {
  const startMin = dice.int(20, 45);
  const leftSec = HOUR_SEC - startMin * 60;
  if (dice.oneIn(5)) return pausedAtTheHour(dice, startMin, leftSec);
  if (dice.oneIn(5)) return soonerMeanwhile(dice, startMin, leftSec);
  if (dice.oneIn(6)) return replacedTooLate(dice, startMin, leftSec);
  if (dice.oneIn(3)) {
    const modes = { ...someModes(dice), sendDurationSec: dice.pick([60, 300]) };
    const steps = tooLate(dice, leftSec, slowList(dice.pick([20, 40]), dice.pick([1, 2, 3])));
    return { modes, accounts: 1, operators: machines(dice, 1), startMin, crowded: false, steps };
  }
  return {
    modes: { ...someModes(dice), sendDurationSec: dice.pick([60, 300]) },
    accounts: 1,
    operators: machines(dice, 2),
    startMin,
    crowded: false,
    steps: [
      files(null, [aSlot('Teaser', { newWords: true })]),
      ...making(dice),
      wait(leftSec - dice.pick([600, 280, 240, 200, 120, 60, 20, 5])),
      files(null, [
        aSlot('Teaser', dice.pick([{ newWords: true }, {}, { target: 'paused' }, { target: 'recalled' }])),
      ]),
      runs(
        slowly(dice),
        aRun(apply(), { cut: dice.oneIn(4) ? aCut(dice, ['freeze', 'freeze_answer', 'interrupt']) : null }),
      ),
      ...(dice.oneIn(2) ? [wait(dice.pick([5, 100])), runs([], aRun(apply()))] : []),
    ],
  };
}

/** A pause that reaches the service right after the hour, or long after what it goes by was read. */
function pausedAtTheHour(dice: Dice, startMin: number, leftSec: number): Drawn {
  const slow = dice.oneIn(2);
  return {
    modes: { ...someModes(dice), sendDurationSec: dice.pick([60, 300]), queueDelaySec: 0 },
    accounts: 1,
    operators: machines(dice, 1),
    startMin,
    crowded: false,
    steps: [
      files(null, [aSlot('Teaser')]),
      runs([], aRun(apply())),
      wait(leftSec - 2),
      files(null, [aSlot('Teaser', { target: 'paused' })]),
      runs([slow ? slowList(dice.pick([20, 60]), 1) : throttledStop(dice.pick([2, 3, 4]))], aRun(apply())),
      wait(dice.pick([5, 100])),
      runs([], aRun(apply())),
    ],
  };
}

/**
 * A person lets it go out sooner while a run is about to replace it, so that it is stopped half-way: what some fans have
 * got is not sent to all of them in another version.
 */
function soonerMeanwhile(dice: Dice, startMin: number, leftSec: number): Drawn {
  const hurried: PersonAt = { before: 'write', nth: 1, deed: { kind: 'sooner', slot: 'Teaser' } };
  return {
    modes: { ...someModes(dice), sendDurationSec: dice.pick([60, 300]), queueDelaySec: 0 },
    accounts: 1,
    operators: machines(dice, 1),
    startMin,
    crowded: false,
    steps: [
      files(null, [aSlot('Teaser', { later: true })]),
      runs([], aRun(apply())),
      wait(leftSec - dice.pick([1, 2, 3])),
      files(null, [aSlot('Teaser', { later: true, newWords: true })]),
      runs([], aRun(apply(), { people: [hurried], cut: { at: 1, how: 'freeze', sec: dice.pick([3, 4]) } })),
      wait(dice.pick([5, 100])),
      runs([], aRun(apply())),
    ],
  };
}

/** Less than five minutes before its hour when it comes to the pause: another version would come too late. */
function replacedTooLate(dice: Dice, startMin: number, leftSec: number): Drawn {
  const slow = dice.oneIn(2) ? slowList(20, dice.pick([1, 2, 3])) : throttledStop(dice.pick([5, 20]));
  return {
    modes: someModes(dice),
    accounts: 1,
    operators: machines(dice, 1),
    startMin,
    crowded: false,
    steps: [
      files(null, [aSlot('Teaser')]),
      runs([], aRun(apply())),
      wait(leftSec - dice.pick([302, 305, 312])),
      files(null, [aSlot('Teaser', { newWords: true })]),
      runs([slow], aRun(apply())),
    ],
  };
}

/** The first one, and often a second one next to it. */
function making(dice: Dice): Step[] {
  const first = aRun(apply());
  const other: Run = { ...first, operator: 1, afterSec: dice.pick([0, 1, 2]) };
  const copy: Step = { kind: 'person', deed: { kind: 'copy', slot: 'Teaser' } };
  return dice.weighted<Step[]>([
    [2, [runs([], first)]],
    [
      3,
      [
        runs(
          someFaults(dice, ['create late'], [1, 1]),
          { ...first, cut: aCut(dice, ['after_commit']) },
          other,
        ),
      ],
    ],
    [2, [runs([], first), copy]],
    [
      3,
      [
        runs([], first),
        files(null, [aSlot('Teaser', { newWords: true })]),
        runs([], first),
        { kind: 'person', deed: { kind: 'change', slot: 'Teaser', verb: 'start' } },
      ],
    ],
  ]);
}

/** The hour comes between a list and what goes by it. */
function slowly(dice: Dice): DrawnFault[] {
  const slow = slowList(dice.pick([5, 20, 60]), dice.pick([1, 2]));
  const throttled = throttledStop(dice.pick([5, 20, 60]));
  return dice.weighted<DrawnFault[]>([
    [2, []],
    [2, [slow]],
    [2, [throttled]],
    [1, someFaults(dice, ['status', 'way'], [1, 1])],
    [2, [wrongClock(dice)]],
  ]);
}

/** One server behind the address has another time than the rest. */
function wrongClock(dice: Dice): DrawnFault {
  return {
    name: 'answer of a server with a wrong clock',
    fault: {
      kind: 'wrong_date',
      skew_sec: dice.pick([-3600, -3600, -86_400, 3600]),
      operation: 'broadcasts.list',
      nth: dice.pick([1, 1, 2, 3]),
      times: 1,
    },
  };
}

function slowList(sec: number, nth: number): DrawnFault {
  return {
    name: 'slow list',
    fault: { kind: 'slow', delay_ms: sec * 1000, operation: 'broadcasts.list', nth, times: 1 },
  };
}

function throttledStop(sec: number): DrawnFault {
  return {
    name: 'throttle with Retry-After',
    fault: { kind: 'throttle', retry_after_sec: sec, operation: 'broadcasts.set-status', nth: 1, times: 1 },
  };
}
