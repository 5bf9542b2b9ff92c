import type { Operation } from '../../../src/api/catalogue.ts';
import type { ModeChanges } from '../../../src/simulator/modes.ts';
import type { Dice } from '../dice.ts';
import type { DrawnFault } from '../fault-kinds.ts';
import { aFaultOf, longWait, throttled, type FaultGroup } from '../fault-rows.ts';
import {
  SLOTS,
  type Command,
  type Cut,
  type PersonAction,
  type Operator,
  type PersonAt,
  type Run,
  type SlotName,
  type SlotVersion,
  type Step,
  type Verb,
} from '../shape.ts';

/** What many themes are made of. */
const RIGHT: Operator = {
  clockSec: 0,
  driftPpm: 0,
  diskMs: 0,
  proxy: false,
  byUsername: false,
};

/** As many people as are given, on machines of which the clocks may be wrong. */
export function machines(dice: Dice, count: number): Operator[] {
  return dice.some(count, count, () => ({
    ...RIGHT,
    clockSec: dice.oneIn(4) ? dice.pick([90, -90, 3600, -3600, 86_400]) : 0,
    proxy: dice.oneIn(4),
    diskMs: dice.oneIn(4) ? dice.pick([20, 400]) : 0,
    driftPpm: dice.oneIn(6) ? dice.pick([200, -200, 5000]) : 0,
  }));
}

/** By how much the clock of each server behind the address is off, in seconds. */
const SERVER_CLOCKS: readonly (readonly number[])[] = [
  [0, 90],
  [0, -90],
  [0, 3600],
  [0, -3600],
  [0, 86_400],
  [0, -86_400],
  [0, -3600, 3600],
  [90],
  [-3600],
  [86_400],
];

export function someModes(dice: Dice): ModeChanges {
  return {
    ...(dice.oneIn(20) ? { serverClocksSec: [...dice.pick(SERVER_CLOCKS)] } : {}),
    campaignOrder: dice.pick(['stable', 'reshuffled', 'last_change']),
    retryAfter: dice.pick(['none', 'seconds', 'date']),
    resumeOfRunning: dice.pick(['refuse', 'accept']),
    archivedToActive: dice.pick(['allow', 'allow', 'refuse']),
    errorBody: dice.pick(['flat', 'nested', 'text', 'html']),
    uploadShape: dice.pick(['single', 'multipart', 'random']),
    uploadPartBytes: 1500,
    multipartKeys: 'present',
    unfinishedUploads: dice.pick(['listed', 'lapsed', 'hidden']),
    // With a status, no list tells a lost export from one that never was: a person decides, and here is none who does.
    unfinishedStatus: 'null',
    etagQuotes: dice.oneIn(2),
  };
}

/** One resource that runs with words of its own, unless more is given. */
export function aSlot(slot: SlotName, more: Partial<SlotVersion> = {}): SlotVersion {
  return {
    slot,
    target: 'runs',
    newWords: false,
    oldWords: false,
    rename: 'no',
    takesText: false,
    sameName: false,
    protect: false,
    picture: null,
    replace: 'pause_first',
    clears: false,
    waits: false,
    later: false,
    ...more,
  };
}

/** A whole version of the files, with a bit of everything. */
export function someSlots(dice: Dice, { protects }: { readonly protects: boolean }): SlotVersion[] {
  const pictureAt = pictures(dice);
  const slots = SLOTS.flatMap(({ name, kind }, place) => {
    const isThere = !dice.oneIn(place < 2 ? 18 : 2);
    if (!isThere) return [];
    const stopped = kind === 'campaign' ? (['paused', 'archived'] as const) : (['paused'] as const);
    return [
      aSlot(name, {
        target: dice.weighted<SlotVersion['target']>([
          [12, 'runs'],
          [3, dice.pick(stopped)],
          [2, 'recalled'],
        ]),
        newWords: !dice.oneIn(4),
        protect: protects && dice.oneIn(9),
        picture: dice.oneIn(3) ? pictureAt(dice.pick([0, 1])) : null,
        replace: dice.pick(['pause_first', 'pause_first', 'pause_first', 'create_first']),
        clears: dice.oneIn(4),
      }),
    ];
  });
  return slots.length === 0 ? [aSlot('Welcome')] : slots;
}

/** The two pictures of one version, at their places. */
export function pictures(dice: Dice): (place: 0 | 1) => NonNullable<SlotVersion['picture']> {
  const bytes = [dice.int(1, 3), dice.int(1, 3)] as const;
  return (place) => ({ place, bytes: bytes[place] });
}

export function files(operator: number | null, slots: readonly SlotVersion[]): Step {
  return { kind: 'files', operator, slots };
}

export function apply(more: Partial<Extract<Command, { readonly kind: 'apply' }>> = {}): Command {
  return { kind: 'apply', targeting: 0, saved: false, prune: false, recalls: true, allow: [], ...more };
}

/** An apply of everything, or of a part, perhaps from a saved plan. */
export function someApply(dice: Dice): Command {
  return apply({
    targeting: dice.pick([0, 0, 0, 0, 1, 2, 3, 4]),
    saved: dice.oneIn(8),
    prune: dice.oneIn(2),
    recalls: !dice.oneIn(3),
  });
}

export function aRun(command: Command, more: Partial<Run> = {}): Run {
  return { operator: 0, command, afterSec: 0, cut: null, people: [], ...more };
}

export function runs(faults: readonly DrawnFault[], ...all: readonly Run[]): Step {
  return { kind: 'runs', runs: all, faults };
}

/** Its change leaves long after its checks: the service asks it to wait, or its process is frozen. A person acts meanwhile. */
export function late(dice: Dice, operation: Operation, command: Command, deed: PersonAction): Step {
  const isFrozen = dice.oneIn(2);
  const person = { before: 'write', nth: 1, afterSec: dice.pick([1, 5, 10]), deed } as const;
  const cut = { at: 1, how: 'freeze', sec: dice.pick([40, 90, 240]) } as const;
  return runs(
    isFrozen ? [] : [throttled(operation, dice.pick([20, 60, 90]))],
    aRun(command, { people: [person], cut: isFrozen ? cut : null }),
  );
}

export function wait(sec: number): Step {
  return { kind: 'wait', sec };
}

/** A person makes what the files say now, next to the version before it, which the next apply pauses. */
export function secondOfAPerson(slot: SlotVersion): Step[] {
  return [
    files(null, [slot]),
    { kind: 'person', deed: { kind: 'copy', slot: slot.slot } },
    wait(10),
    runs([], aRun(apply())),
  ];
}

export const FAN: Step = { kind: 'fan' };

export function aCut(dice: Dice, hows: readonly Cut['how'][] = CUTS): Cut {
  const cut = { at: dice.pick([1, 1, 2, 3, 4]), how: dice.pick(hows), sec: dice.pick([2, 40, 80, 400]) };
  return cut.how === 'clock' ? { ...cut, sec: dice.pick(CLOCK_JUMPS) } : cut;
}

/** By how much a clock is set while a command is at work. */
const CLOCK_JUMPS = [90, -90, 3600, -3600, 86_400, -86_400] as const;

const CUTS: readonly Cut['how'][] = [
  'before_commit',
  'before_commit',
  'after_commit',
  'after_commit',
  'before_line',
  'within_line',
  'interrupt',
  'interrupt',
  'freeze',
  'freeze_answer',
  'full_disk',
  'lock_lost',
  'clock',
];

/** Of a command with one request that changes something, or few: most strike. */
export function anEarlyCut(dice: Dice, hows: readonly Cut['how'][] = CUTS): Cut {
  return { ...aCut(dice, hows), at: dice.pick([1, 1, 1, 2]) };
}

/** Of a command that keeps house: it reads from the service, and writes only files. */
export function aKeepingCut(dice: Dice): Cut {
  return anEarlyCut(dice, KEEPING_CUTS);
}

const KEEPING_CUTS: readonly Cut['how'][] = [
  'before_line',
  'within_line',
  'full_disk',
  'full_disk',
  'freeze',
  'clock',
  'after_commit',
  'interrupt',
];

export function maybeCut(dice: Dice): Cut | null {
  return dice.oneIn(2) ? aCut(dice) : null;
}

export function aSlotName(dice: Dice): SlotName {
  return dice.pick(['Welcome', 'Welcome', 'Teaser', 'Second', 'Reminder']);
}

export function aVerb(dice: Dice): Verb {
  return dice.pick(['pause', 'pause', 'archive', 'start', 'start', 'recall']);
}

export function aPersonAction(dice: Dice): PersonAction {
  return { kind: 'change', slot: aSlotName(dice), verb: aVerb(dice) };
}

/** Someone acts around a list that a run reads: the plan's, the one before the creates, or that of a create that waits. */
export function aPerson(dice: Dice, deed: PersonAction = aPersonAction(dice)): PersonAt {
  return { before: 'list', nth: dice.pick([3, 4, 5, 6, 6, 7]), deed };
}

/** Some faults, and where a person acts next to a run, a create that waits for that long. */
export function someFaults(
  dice: Dice,
  groups: readonly FaultGroup[],
  [min, max]: readonly [number, number],
): DrawnFault[] {
  return dice.some(min, max, () => aFaultOf(dice, groups));
}

export function waitFor(people: readonly PersonAt[]): DrawnFault[] {
  return people.flatMap(({ deed }) => {
    if (!('slot' in deed)) return [];
    return [longWait(SLOTS.find(({ name }) => name === deed.slot)?.kind ?? 'campaign')];
  });
}
