import { REWORDED } from '../declare.ts';
import type { Dice } from '../dice.ts';
import type { DrawnFault } from '../fault-kinds.ts';
import { longWait } from '../fault-rows.ts';
import type { PersonAt, Run, SlotName, SlotVersion, Step, Verb } from '../shape.ts';
import {
  aCut,
  apply,
  aRun,
  aSlot,
  FAN,
  files,
  machines,
  pictures,
  runs,
  someFaults,
  someModes,
  wait,
} from './parts.ts';
import type { Drawn } from './versions.ts';

/** One create of which the answer is lost or late, and what others do before its end is known. */
export function lost(dice: Dice): Drawn {
  if (dice.oneIn(4)) return lostAndReworded(dice);
  if (dice.oneIn(6)) return lostBesideAnOlder(dice);
  if (dice.oneIn(8)) return silentAgain(dice);
  const slot = dice.pick<SlotName>(['Welcome', 'Welcome', 'Teaser']);
  const first = aSlot(slot, { newWords: true, picture: dice.oneIn(4) ? pictures(dice)(0) : null });
  const operators = machines(dice, dice.oneIn(2) ? 1 : 2);
  const isBefore = dice.oneIn(3);
  return {
    modes: someModes(dice),
    accounts: 1,
    operators,
    startMin: 0,
    crowded: dice.oneIn(6),
    steps: [
      files(null, [first, ...others(dice)]),
      ...(isBefore
        ? [runs([], aRun(apply())), files(null, [{ ...first, newWords: true }, ...others(dice)])]
        : []),
      creating(dice, slot, operators.length),
      ...afterwards(dice, first),
      FAN,
    ],
  };
}

/** The service rewrites what a create has made, before anybody has heard of it: often that of a ledger's very first. */
function lostAndReworded(dice: Dice): Drawn {
  const slot = dice.pick<SlotName>(['Welcome', 'Teaser']);
  const others = dice.oneIn(3) ? [aSlot(slot === 'Welcome' ? 'Second' : 'Reminder')] : [];
  const first = aSlot(slot);
  const next = dice.pick([aSlot(slot, { rename: 'unsaid' }), aSlot(slot, { rename: 'unsaid' }), first]);
  return {
    modes: someModes(dice),
    accounts: 1,
    operators: machines(dice, 1),
    startMin: 0,
    crowded: false,
    steps: [
      ...(others.length > 0 ? [files(null, others), runs([], aRun(apply()))] : []),
      files(null, [first, ...others]),
      runs(
        rewrittenUnconfirmed(dice, slot),
        aRun(apply({ allow: dice.pick([[], [], ['adopt'], ['adopt', 'resume']]) }), {
          cut: dice.oneIn(3) ? aCut(dice, ['after_commit', 'interrupt', 'freeze']) : null,
          people: dice.oneIn(2)
            ? [{ before: 'list', nth: dice.int(3, 5), deed: { kind: 'copy', slot } }]
            : [],
        }),
      ),
      wait(dice.pick([0, 5, 80])),
      ...(dice.oneIn(4) ? [runs([], aRun(apply()))] : []),
      files(null, [next, ...others]),
      runs(dice.oneIn(4) ? someFaults(dice, ['lag', 'way'], [1, 1]) : [], aRun(apply())),
      wait(dice.pick([0, 80])),
      runs([], aRun(apply())),
      FAN,
    ],
  };
}

/** The same was live before, was archived and cannot be switched on again: what is created again is lost. */
function lostBesideAnOlder(dice: Dice): Drawn {
  // Of what a person made, no answer of Herald's is on record: only the list before the create tells it apart.
  const isAPersons = dice.oneIn(2);
  const archivedToActive = isAPersons ? 'refuse' : dice.pick(['refuse', 'refuse', 'allow'] as const);
  return {
    modes: { ...someModes(dice), archivedToActive },
    accounts: 1,
    operators: machines(dice, 1),
    startMin: 0,
    crowded: false,
    steps: [
      files(null, [aSlot('Welcome')]),
      ...(isAPersons ? [{ kind: 'person', deed: { kind: 'copy', slot: 'Welcome' } } as const] : []),
      runs([], aRun(apply({ allow: isAPersons ? ['adopt'] : [] }))),
      files(null, [aSlot('Welcome', { target: 'archived' })]),
      runs([], aRun(apply())),
      wait(isAPersons ? 80 : dice.pick([0, 80])),
      files(null, [aSlot('Welcome')]),
      runs(
        isAPersons
          ? [neverCarriedOut(dice)]
          : someFaults(dice, ['create', 'create', 'create late', 'create connection'], [1, 2]),
        aRun(apply(), { cut: !isAPersons && dice.oneIn(3) ? aCut(dice) : null }),
      ),
      wait(dice.pick([0, 5, 80])),
      runs([], aRun(apply())),
      FAN,
    ],
  };
}

/** The next create of a campaign is lost on its way. */
function neverCarriedOut(dice: Dice): DrawnFault {
  return {
    name: 'create, lost before_commit',
    fault: {
      kind: 'broken_answer',
      how: dice.pick(['timeout', 'reset', '500', '502']),
      when: 'before_commit',
      operation: 'campaigns.create',
      nth: 1,
      times: 1,
    },
  };
}

/** The service gives no answer to any create for a while. */
function silentAgain(dice: Dice): Drawn {
  const slot = dice.pick<SlotName>(['Welcome', 'Teaser']);
  const silent: DrawnFault = {
    name: 'create, lost before_commit',
    fault: {
      kind: 'broken_answer',
      how: dice.pick(['timeout', 'reset', '500', '502']),
      when: dice.pick(['before_commit', 'before_commit', 'after_commit']),
      operation: slot === 'Welcome' ? 'campaigns.create' : 'broadcasts.create',
      nth: 1,
      times: dice.int(2, 5),
    },
  };
  return {
    modes: someModes(dice),
    accounts: 1,
    operators: machines(dice, 1),
    startMin: 0,
    crowded: false,
    steps: [
      files(null, [aSlot(slot, { newWords: true }), aSlot('Second')]),
      ...(dice.oneIn(2)
        ? [runs([], aRun(apply())), files(null, [aSlot(slot, { newWords: true }), aSlot('Second')])]
        : []),
      runs([silent], aRun(apply())),
      wait(dice.pick([0, 80])),
      runs([], aRun(apply())),
      FAN,
    ],
  };
}

/** A create that is carried out, at once or a little later, of which no one hears, and with a rewritten text. */
function rewrittenUnconfirmed(dice: Dice, slot: SlotName): DrawnFault[] {
  const operation = slot === 'Welcome' ? 'campaigns.create' : 'broadcasts.create';
  const one = { operation, nth: 1, times: 1 } as const;
  const to = dice.pick(REWORDED);
  return [
    dice.oneIn(2)
      ? {
          name: 'create, lost after_commit',
          fault: { kind: 'broken_answer', how: '502', when: 'after_commit', ...one },
        }
      : {
          name: 'create, late inside the window',
          fault: { kind: 'late_commit', how: 'reset', after_sec: dice.pick([1, 1, 4, 30]), ...one },
        },
    {
      name: 'text is rewritten late',
      fault: { kind: 'late_rewrite', after_sec: dice.int(4, 40), from: 'says', to, ...one },
    },
  ];
}

function others(dice: Dice): SlotVersion[] {
  return dice.oneIn(3) ? [aSlot(dice.pick<SlotName>(['Second', 'Reminder']))] : [];
}

function creating(dice: Dice, slot: SlotName, operators: number): Step {
  const faults = [
    ...someFaults(dice, ['create', 'create late', 'create connection'], [1, 2]),
    ...(dice.oneIn(3) ? someFaults(dice, ['lag', 'list', 'way'], [1, 1]) : []),
    ...(dice.oneIn(4) ? someFaults(dice, ['rewrite'], [1, 1]) : []),
    ...(dice.oneIn(3) ? someFaults(dice, ['date'], [0, 2]) : []),
  ];
  const first = aRun(apply(), {
    cut: dice.oneIn(2) ? aCut(dice) : null,
    people: dice.oneIn(3) ? [copying(dice, slot)] : [],
  });
  const second = aRun(apply(), { operator: 1, afterSec: dice.pick([0, 1, 3, 10, 30]) });
  return runs(faults, first, ...(operators > 1 ? [second] : []));
}

/** A person makes the same while a run looks for its lost create. */
function copying(dice: Dice, slot: SlotName): PersonAt {
  const kind = dice.pick(['copy', 'copy', 'change']);
  const deed =
    kind === 'copy'
      ? ({ kind: 'copy', slot } as const)
      : ({ kind: 'change', slot, verb: dice.pick<Verb>(['pause', 'archive', 'recall']) } as const);
  return { before: 'list', nth: dice.int(3, 8), deed };
}

/** The next runs, soon or late, of the same files, of other words or of another name. */
function afterwards(dice: Dice, first: SlotVersion): Step[] {
  const next: SlotVersion = {
    ...first,
    ...dice.weighted<Partial<SlotVersion>>([
      [3, {}],
      [2, { newWords: true }],
      [3, { newWords: false, rename: dice.pick(['said', 'unsaid', 'unsaid']) }],
      [1, { target: 'paused', newWords: false }],
    ]),
  };
  const again = (): Run => aRun(apply({ targeting: dice.pick([0, 0, 5, 3]) }));
  return [
    wait(dice.pick([0, 0, 3, 20, 80])),
    files(null, [{ ...next, newWords: next.newWords && dice.oneIn(2) }]),
    runs(dice.oneIn(3) ? someFaults(dice, ['create', 'lag', 'way'], [1, 1]) : [], again()),
    wait(dice.pick([0, 5, 30])),
    runs(dice.oneIn(3) ? [longWait('campaign')] : [], again()),
  ];
}
