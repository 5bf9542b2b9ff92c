import type { Dice } from '../dice.ts';
import type { DrawnFault } from '../fault-kinds.ts';
import { longWait, type FaultGroup } from '../fault-rows.ts';
import type { Command, PersonAction, PersonAt, Run, SlotName, Step, Verb } from '../shape.ts';
import {
  aCut,
  anEarlyCut,
  apply,
  aRun,
  aSlot,
  aVerb,
  FAN,
  files,
  machines,
  maybeCut,
  runs,
  someFaults,
  someModes,
  wait,
} from './parts.ts';
import type { Drawn } from './versions.ts';

/** Stops, starts and recalls by hand and by raw calls, before, next to and after applies of what is declared. */
export function byHand(dice: Dice): Drawn {
  const slot = dice.pick<SlotName>(['Welcome', 'Teaser']);
  const operators = machines(dice, dice.pick([1, 1, 2]));
  return {
    modes: { ...someModes(dice), resumeOfRunning: dice.pick(['refuse', 'refuse', 'accept']) },
    accounts: 1,
    operators,
    startMin: 0,
    crowded: dice.oneIn(6),
    steps: [
      files(null, [aSlot(slot), aSlot('Second')]),
      runs([], aRun(apply())),
      ...dice.some(1, 3, () => aMoment(dice, slot, operators.length)).flat(),
      runs([], aRun(apply())),
      FAN,
    ],
  };
}

function aMoment(dice: Dice, slot: SlotName, operators: number): Step[] {
  if (!dice.oneIn(3))
    return dice.pick([
      startedWithoutAWord,
      wentBack,
      recalledBefore,
      madeByARawCall,
      stoppedMeanwhile,
      stoppedUnseen,
    ])(dice, slot);
  const verb = dice.oneIn(4) ? 'recall' : aVerb(dice);
  const change = aRun(aChange(dice, slot, verb), {
    operator: operators - 1,
    cut: dice.oneIn(2) ? anEarlyCut(dice) : null,
    people: dice.oneIn(4) ? [aBystander(dice, slot)] : [],
  });
  const overlapping: Run = {
    ...change,
    afterSec: dice.pick([0, 1, 4]),
    cut: dice.oneIn(4) ? change.cut : null,
  };
  const applying = aRun(apply({ allow: dice.pick([[], [], ['resume'], ['adopt']]) }), {
    cut: maybeCut(dice),
  });
  const groups: FaultGroup[] =
    verb === 'recall'
      ? ['recall', 'recall connection', 'read back connection']
      : [
          'status',
          'status connection',
          'status lag',
          'status lag',
          'list',
          'way',
          'date',
          'read back connection',
        ];
  const faults = someFaults(dice, groups, [0, 2]);
  return [
    ...(dice.oneIn(2) ? [files(null, [aSlot(slot, { newWords: dice.oneIn(2) }), aSlot('Second')])] : []),
    dice.oneIn(3) ? runs(faults, applying, overlapping) : runs(faults, change),
    wait(dice.pick([0, 10, 80])),
    runs(dice.oneIn(3) ? someFaults(dice, ['status', 'create'], [1, 1]) : [], applying),
  ];
}

/** The first answer to a start is lost; where it was carried out, the service may refuse the second copy. */
function startedWithoutAWord(dice: Dice, slot: SlotName): Step[] {
  const kind = dice.pick(['by hand', 'api change', 'api change'] as const);
  const lostStart: DrawnFault = {
    name: 'status, lost after_commit',
    fault: {
      kind: 'broken_answer',
      how: dice.pick(['reset', '502', 'timeout']),
      when: dice.pick(['after_commit', 'after_commit', 'before_commit']),
      operation: slot === 'Teaser' ? 'broadcasts.set-status' : 'campaigns.set-status',
      nth: 1,
      times: dice.pick([1, 1, 2]),
    },
  };
  return [
    files(null, [aSlot(slot, { target: 'paused' }), aSlot('Second')]),
    runs([], aRun(apply())),
    files(null, [aSlot(slot), aSlot('Second')]),
    runs([lostStart], aRun({ kind, slot, verb: 'start' })),
    wait(dice.pick([0, 80])),
  ];
}

/** A new version is live; a person stops it and switches the one before it on again. */
function wentBack(dice: Dice, slot: SlotName): Step[] {
  const verb = slot === 'Welcome' ? dice.pick<Verb>(['pause', 'archive', 'recall']) : 'pause';
  const by = (one: Verb): Step => ({ kind: 'person', deed: { kind: 'change', slot, verb: one } });
  const again = dice.oneIn(4) ? [files(null, [aSlot(slot, { newWords: true }), aSlot('Second')])] : [];
  return [
    files(null, [aSlot(slot, { newWords: true }), aSlot('Second')]),
    runs([], aRun(apply())),
    wait(dice.pick([0, 10])),
    by(verb),
    by('start'),
    wait(dice.pick([10, 80])),
    ...again,
    runs([], aRun(apply({ allow: dice.pick([[], [], ['adopt']]) }))),
  ];
}

/** What was recalled, by the files or by a person, is declared again under its name. */
function recalledBefore(dice: Dice, slot: SlotName): Step[] {
  const recalled: Step[] = dice.oneIn(2)
    ? [files(null, [aSlot(slot, { target: 'recalled' }), aSlot('Second')]), runs([], aRun(apply()))]
    : [runs([], aRun({ kind: dice.pick(['by hand', 'api change'] as const), slot, verb: 'recall' }))];
  return [
    ...recalled,
    wait(dice.pick([10, 80, 700])),
    files(null, [aSlot(slot, { sameName: true, newWords: !dice.oneIn(3) }), aSlot('Second')]),
    runs([], aRun(apply())),
  ];
}

/** A create is lost, and someone makes the same by a raw call. */
function madeByARawCall(dice: Dice, slot: SlotName): Step[] {
  return [
    files(null, [aSlot(slot, { newWords: true }), aSlot('Second')]),
    runs(
      someFaults(dice, ['create', 'create late', 'create connection'], [1, 2]),
      aRun(dice.pick<Command>([apply(), { kind: 'api create', slot }]), {
        cut: aCut(dice, ['after_commit', 'before_commit', 'interrupt']),
      }),
    ),
    wait(dice.pick([0, 5, 30, 80])),
    runs([], aRun({ kind: 'api create', slot }, { cut: dice.oneIn(3) ? anEarlyCut(dice) : null })),
  ];
}

/** A person stops something by hand while the create that is to follow it has to wait. */
function stoppedMeanwhile(dice: Dice, slot: SlotName): Step[] {
  const replace = dice.pick(['pause_first', 'create_first'] as const);
  const stopping: Run = aRun(
    { kind: 'by hand', slot, verb: dice.pick<Verb>(['pause', 'archive']) },
    { afterSec: dice.pick([2, 6, 12]) },
  );
  return [
    files(null, [aSlot(slot, { newWords: true, replace }), aSlot('Second')]),
    runs([longWait(slot === 'Welcome' ? 'campaign' : 'broadcast')], aRun(apply()), stopping),
    wait(dice.pick([0, 80])),
  ];
}

/** The same, and what the service shows lags behind the stop: only the ledger tells of it. */
function stoppedUnseen(dice: Dice, slot: SlotName): Step[] {
  // A replace of a broadcast has stopped the old one itself by then.
  if (slot !== 'Welcome') return stoppedMeanwhile(dice, slot);
  const lag: DrawnFault = {
    name: 'single read lags behind a status',
    fault: {
      kind: 'status_lag',
      lag_sec: 12,
      reads: true,
      operation: 'campaigns.set-status',
      nth: 1,
      times: 1,
    },
  };
  const stopping: Run = aRun(
    { kind: 'by hand', slot, verb: 'pause' },
    { afterSec: dice.pick([14, 16, 17, 18]) },
  );
  return [
    files(null, [aSlot(slot, { newWords: true, replace: 'create_first' }), aSlot('Second')]),
    runs([longWait('campaign'), lag], aRun(apply()), stopping),
    wait(dice.pick([0, 80])),
  ];
}

/** Someone acts on the service right before a request of a command by hand or of a raw call. */
function aBystander(dice: Dice, slot: SlotName): PersonAt {
  const deed = dice.weighted<PersonAction>([
    [3, { kind: 'change', slot, verb: dice.pick(['pause', 'archive', 'start']) }],
    [1, { kind: 'copy', slot }],
    [1, { kind: 'edit', slot }],
  ]);
  return { before: 'request', nth: dice.int(1, 4), deed };
}

function aChange(dice: Dice, slot: SlotName, verb: Verb): Command {
  return dice.weighted<Command>([
    [4, { kind: 'by hand', slot, verb }],
    [3, { kind: 'api change', slot, verb }],
    [1, { kind: 'api create', slot }],
  ]);
}
