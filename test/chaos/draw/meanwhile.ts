import type { Dice } from '../dice.ts';
import type { DrawnFault } from '../fault-kinds.ts';
import { longWait } from '../fault-rows.ts';
import type { Cut, PersonAction, PersonAt, SlotName } from '../shape.ts';
import { apply, aRun, aSlot, files, machines, runs, someFaults, someModes, wait } from './parts.ts';
import { colleagues } from './colleagues.ts';
import { secondCopies } from './second-copies.ts';
import type { Drawn } from './versions.ts';

/** What people do on the service while one larger run is at work. */
export function meanwhile(dice: Dice): Drawn {
  return dice.weighted([
    [2, whileRepeated],
    [2, neverConfirmed],
    [1, tunedBefore],
    [4, besideCreates],
    [3, besideSecondCopies],
    [2, colleagues],
  ])(dice);
}

function besideSecondCopies(dice: Dice): Drawn {
  return {
    modes: someModes(dice),
    accounts: 1,
    operators: machines(dice, 1),
    startMin: 0,
    crowded: false,
    steps: secondCopies(dice),
  };
}

/** A run dies at a status change; the next one repeats it without an answer, and a person acts between two copies. */
function whileRepeated(dice: Dice): Drawn {
  const deed: PersonAction = {
    kind: 'change',
    slot: 'Welcome',
    verb: dice.pick(['archive', 'recall', 'recall']),
  };
  const silent: DrawnFault = {
    name: 'status, lost before_commit',
    fault: {
      kind: 'broken_answer',
      how: '502',
      when: 'before_commit',
      operation: 'campaigns.set-status',
      nth: 1,
      times: dice.int(4, 7),
    },
  };
  return {
    modes: someModes(dice),
    accounts: 1,
    operators: machines(dice, 1),
    startMin: 0,
    crowded: false,
    steps: [
      files(null, [aSlot('Welcome')]),
      runs([], aRun(apply())),
      files(null, [aSlot('Welcome', { target: 'paused' })]),
      runs([], aRun(apply())),
      files(null, [aSlot('Welcome')]),
      runs([], aRun(apply(), { cut: { at: 1, how: 'after_commit', sec: 2 } })),
      runs([silent], aRun(apply(), { people: [{ before: 'write', nth: dice.pick([2, 3]), deed }] })),
      wait(dice.pick([0, 80])),
      runs([], aRun(apply())),
    ],
  };
}

/** The service carries a status change out and answers none of its copies, of which some cannot be recorded. */
function neverConfirmed(dice: Dice): Drawn {
  const [after, ...before] = dice.pick([
    ['paused', 'runs'],
    ['archived', 'runs'],
    ['runs', 'runs', 'paused'],
  ] as const);
  const silent: DrawnFault = {
    name: 'status, lost after_commit',
    fault: {
      kind: 'broken_answer',
      how: dice.pick(['502', 'reset', 'timeout']),
      when: 'after_commit',
      operation: 'campaigns.set-status',
      nth: 1,
      // More than one run asks for.
      times: 20,
    },
  };
  return {
    modes: someModes(dice),
    accounts: 1,
    operators: machines(dice, 1),
    startMin: 0,
    crowded: false,
    steps: [
      ...before.flatMap((target) => [files(null, [aSlot('Welcome', { target })]), runs([], aRun(apply()))]),
      files(null, [aSlot('Welcome', { target: after })]),
      runs([silent], aRun(apply(), { cut: dice.oneIn(2) ? fullAt(dice) : null })),
      wait(dice.pick([0, 80])),
      runs([], aRun(apply())),
    ],
  };
}

/** The disk is full from a further copy on, or from its end. */
function fullAt(dice: Dice): Cut {
  return { at: dice.pick([2, 2, 3]), how: 'full_disk', sec: 2 };
}

/** A person sets a rule of what the files then replace. */
function tunedBefore(dice: Dice): Drawn {
  const slot = dice.pick<SlotName>(['Welcome', 'Teaser']);
  const replace = dice.pick(['pause_first', 'create_first'] as const);
  return {
    modes: someModes(dice),
    accounts: 1,
    operators: machines(dice, 1),
    startMin: 0,
    crowded: false,
    steps: [
      files(null, [aSlot(slot), aSlot('Second')]),
      runs([], aRun(apply())),
      { kind: 'person', deed: { kind: 'tune', slot } },
      wait(dice.pick([10, 80])),
      ...(dice.oneIn(3) ? [runs([], aRun(apply()))] : []),
      files(null, [aSlot(slot, { newWords: true, replace }), aSlot('Second')]),
      runs(
        dice.oneIn(3) ? someFaults(dice, ['status', 'create', 'lag', 'status lag'], [1, 1]) : [],
        aRun(apply({ saved: dice.oneIn(4) })),
      ),
      wait(dice.pick([0, 80])),
      runs([], aRun(apply())),
    ],
  };
}

/** Creates take their time while something is about to be switched on, or is replaced. */
function besideCreates(dice: Dice): Drawn {
  const kept = dice.pick<SlotName>(['Welcome', 'Welcome', 'Teaser']);
  const isSwitchedOn = dice.oneIn(2);
  return {
    modes: someModes(dice),
    accounts: dice.pick([1, 2]),
    operators: machines(dice, 1),
    startMin: 0,
    crowded: false,
    steps: [
      files(null, [aSlot(kept), ...(dice.oneIn(3) ? [aSlot('Second')] : [])]),
      runs([], aRun(apply())),
      ...(isSwitchedOn ? [files(null, [aSlot(kept, { target: 'paused' })]), runs([], aRun(apply()))] : []),
      files(null, [
        aSlot(kept, { newWords: !isSwitchedOn && dice.oneIn(2) }),
        aSlot('Second'),
        aSlot('Reminder'),
      ]),
      runs(
        [
          ...someFaults(dice, ['way', 'lag', 'status lag', 'create'], [0, 1]),
          ...(dice.oneIn(2) ? [longWait(dice.pick(['campaign', 'broadcast']))] : []),
        ],
        aRun(apply(), { people: dice.some(1, 2, () => aWitness(dice, kept)) }),
      ),
      wait(dice.pick([0, 80])),
      runs([], aRun(apply())),
    ],
  };
}

/** A person who acts at any request of the run. */
function aWitness(dice: Dice, slot: SlotName): PersonAt {
  const before = dice.pick(['request', 'write', 'write'] as const);
  return { before, nth: dice.int(1, before === 'write' ? 4 : 12), deed: aDeedOn(dice, slot) };
}

function aDeedOn(dice: Dice, slot: SlotName): PersonAction {
  return dice.weighted<PersonAction>([
    [4, { kind: 'change', slot, verb: dice.pick(['archive', 'recall', 'pause', 'start']) }],
    [1, { kind: 'copy', slot: dice.pick([slot, 'Second']) }],
    [1, { kind: 'own words', slot: dice.pick([slot, 'Second']) }],
    [1, { kind: 'edit', slot }],
    [1, { kind: 'rename', slot }],
  ]);
}
