import type { FaultInput } from '../../src/simulator/fault-shape.ts';
import type { Declared } from './declared.ts';
import { Dice } from './dice.ts';
import {
  CALM,
  kindOfSlot,
  LOOKS,
  SLOTS,
  VERBS,
  type Allow,
  type ByHand,
  type Command,
  type Cut,
  type Deed,
  type Edit,
  type Run,
  type Scenario,
  type Slot,
  type Step,
  type Verb,
} from './scenario.ts';

/** The scenario of a seed. */
export function drawScenario(seed: number): Scenario {
  const dice = new Dice(seed);
  const hasWrongClocks = dice.oneIn(3);
  const slots = dice.some(1, 3, () => dice.pick(SLOTS));
  const first = [...new Set(slots)].map((slot): Edit => ({
    slot,
    does: 'write',
    hoursAhead: dice.pick([1, 2, 4, 30]),
    both: dice.oneIn(4),
  }));
  const clocks = () => (hasWrongClocks ? [drawClocks(dice)] : []);
  const calmly: Step = { kind: 'run', runs: [{ ...drawApply(dice), cut: null }], faults: [] };
  return {
    seed,
    startMin: dice.pick([0, 20, 50, 53, 57]),
    crowded: dice.oneIn(15),
    steps: [
      { kind: 'edit', edits: first },
      ...clocks(),
      ...(dice.oneIn(2) ? [calmly] : []),
      ...dice.some(2, 4, () => [...clocks(), ...drawSteps(dice, slots)]).flat(),
    ],
  };
}

const WRONG_SEC = [-700_000, -7200, -600, -90, 90, 600, 7200, 700_000] as const;

function drawClocks(dice: Dice): Step {
  const serviceSec = dice.oneIn(3) ? dice.pick(WRONG_SEC) : 0;
  const possible = WRONG_SEC.filter((sec) => sec > 0 || serviceSec >= 0);
  const machinesSec = dice.some(2, 2, () => (dice.oneIn(2) ? dice.pick(possible) : 0));
  return { kind: 'clocks', serviceSec, machinesSec };
}

/** One step, or a few that belong together: what they are about would seldom meet by chance. */
function drawSteps(dice: Dice, slots: readonly Slot[]): readonly Step[] {
  const slot = dice.pick(slots);
  const reword: Step = { kind: 'edit', edits: [{ slot, does: 'reword' }] };
  const setTo = (status: Declared['status']): Step => ({
    kind: 'edit',
    edits: [{ slot, does: 'set', status }],
  });
  const set = () => setTo(dice.pick(['runs', 'paused', 'archived', 'recalled']));
  const person: Step = { kind: 'person', deed: drawDeed(dice, [slot]) };
  const apply = (): Step => ({ kind: 'run', runs: [drawApply(dice)], faults: [] });
  const hindered = (...others: readonly Run[]): Step => ({
    kind: 'run',
    runs: [{ ...drawApply(dice), meanwhile: dice.oneIn(4) ? [drawMeanwhile(dice, [slot])] : [] }, ...others],
    faults: dice.some(1, 2, () => drawFault(dice, [slot])),
  });
  const isNew = dice.oneIn(2);
  const seen: Step = { kind: 'wait', sec: 15 };
  const later = { operator: 1, afterSec: dice.pick([0, 1, 3, 10, 40, 70]) };
  const stop: Run = {
    ...CALM,
    ...later,
    command: drawHand(dice, slot, ['pause', 'pause', 'archive', 'recall']),
    cut: dice.oneIn(2) ? drawKill(dice) : null,
  };
  return dice.weighted<readonly Step[]>([
    [4, [drawStep(dice, slots)]],
    [1, [drawStep(dice, slots), drawStep(dice, slots)]],
    // One change, and its opposite while the first may still take effect.
    [1, [set(), hindered(), set(), hindered()]],
    // A person stops something, and then the file changes: one apply may not see it yet, and the next one does.
    [1, [person, ...(dice.oneIn(2) ? [reword] : []), apply()]],
    [1, [set(), person, apply(), set(), seen, apply()]],
    // A new version of which the create is lost, and the next apply right behind it.
    [1, [reword, hindered(), ...(dice.oneIn(2) ? [reword] : []), apply()]],
    // A stop by hand while an apply works or waits, and two applies at once.
    [1, [reword, hindered(stop), apply()]],
    [1, [reword, hindered({ ...drawApply(dice), ...later })]],
    // A start takes its time or gets no answer, people stop it in both ways, and the next apply is hindered as well.
    [
      3,
      [
        ...(isNew ? [reword] : [setTo('paused'), apply(), setTo('runs')]),
        { kind: 'run', runs: [drawApply(dice), stop], faults: [drawOpenStart(dice, slot, isNew)] },
        ...(dice.oneIn(2) ? [person] : []),
        hindered(),
      ],
    ],
    // A stop by hand between any two records of an apply, and what the next apply makes of it.
    [1, [reword, stoppedAmid(dice, slot), seen, apply()]],
  ]);
}

function stoppedAmid(dice: Dice, slot: Slot): Step {
  const command = drawHand(dice, slot, ['pause', 'archive']);
  const run = { ...drawApply(dice), operator: 0, cut: null, between: { nth: dice.int(1, 16), command } };
  return { kind: 'run', runs: [run], faults: [] };
}

function drawApply(dice: Dice): Run {
  return {
    ...CALM,
    operator: dice.oneIn(3) ? 1 : 0,
    afterSec: 0,
    command: { kind: 'apply', allow: dice.oneIn(4) ? ['resume', 'recall'] : [], target: null },
    cut: dice.oneIn(4) ? drawCut(dice) : null,
  };
}

function drawStep(dice: Dice, slots: readonly Slot[]): Step {
  const what = dice.weighted<Exclude<Step['kind'], 'clocks'>>([
    [10, 'run'],
    [5, 'edit'],
    [2, 'person'],
    [2, 'wait'],
    [1, 'fan'],
  ]);
  switch (what) {
    case 'edit':
      return { kind: 'edit', edits: dice.some(1, 2, () => drawEdit(dice, slots)) };
    case 'person':
      return { kind: 'person', deed: drawDeed(dice, slots) };
    case 'fan':
      return { kind: 'fan' };
    case 'wait':
      return { kind: 'wait', sec: dice.pick([5, 15, 40, 70, 100, 600, 3600, 90_000, 700_000]) };
    case 'run':
      return {
        kind: 'run',
        runs: dice.oneIn(4) ? [drawRun(dice, slots, 0), drawRun(dice, slots, 1)] : [drawRun(dice, slots, 0)],
        faults: dice.some(0, 3, () => drawFault(dice, slots)),
      };
  }
}

export function drawEdit(dice: Dice, slots: readonly Slot[]): Edit {
  const slot = dice.oneIn(6) ? dice.pick(SLOTS) : dice.pick(slots);
  return dice.weighted<Edit>([
    [5, { slot, does: 'reword' }],
    [2, { slot, does: 'revert' }],
    [5, { slot, does: 'set', status: dice.pick(['runs', 'runs', 'paused', 'archived', 'recalled']) }],
    [3, { slot, does: 'write', hoursAhead: dice.pick([1, 2, 30]), both: dice.oneIn(2) }],
    [2, { slot, does: 'move', hours: dice.pick([1, 2, 24]) }],
    [1, { slot, does: 'rename' }],
    [1, { slot, does: 'delete' }],
  ]);
}

export function drawDeed(dice: Dice, slots: readonly Slot[]): Deed {
  return {
    person: dice.pick(['pauses', 'pauses', 'starts', 'archives', 'recalls', 'rewords', 'copies']),
    slot: dice.pick(slots),
    alias: dice.oneIn(5) ? 'bob' : 'alice',
    oldest: dice.oneIn(3),
    listsLagSec: dice.oneIn(2) ? dice.int(1, 10) : 0,
    readsLagSec: dice.oneIn(2) ? dice.int(1, 10) : 0,
  };
}

function drawMeanwhile(dice: Dice, slots: readonly Slot[]): Run['meanwhile'][number] {
  const deed = drawDeed(dice, slots);
  return dice.oneIn(2)
    ? { at: 'request', nth: dice.int(1, 8), deed }
    : { at: 'second', nth: dice.pick(SECONDS), deed };
}

export function drawRun(dice: Dice, slots: readonly Slot[], operator: number): Run {
  return {
    ...CALM,
    operator: operator === 1 || dice.oneIn(3) ? 1 : 0,
    afterSec: operator === 0 ? 0 : dice.pick([0, 1, 3, 10, 40, 90]),
    command: drawCommand(dice, slots),
    cut: dice.oneIn(4) ? drawCut(dice) : null,
    meanwhile: dice.oneIn(6) ? [drawMeanwhile(dice, slots)] : [],
  };
}

function drawCommand(dice: Dice, slots: readonly Slot[]): Command {
  const allow: readonly Allow[] = dice.oneIn(3)
    ? dice.some(1, 2, () => dice.pick(['resume', 'recall', 'adopt', 'prune', 'large']))
    : [];
  const drawBetween = () => (dice.oneIn(2) ? drawEdit(dice, slots) : drawDeed(dice, slots));
  return dice.weighted<Command>([
    [12, { kind: 'apply', allow, target: dice.oneIn(8) ? dice.pick(slots) : null }],
    [2, { kind: 'saved', allow, between: dice.some(0, 1, drawBetween) }],
    [3, { kind: 'look', at: dice.pick(LOOKS) }],
    [4, drawHand(dice, dice.pick(slots), ['pause', 'pause', 'pause', ...VERBS])],
  ]);
}

export function drawHand(dice: Dice, slot: Slot, verbs: readonly Verb[]): ByHand {
  const by = dice.pick(['id', 'id', 'address', 'address', 'pattern', 'all'] as const);
  return { kind: 'hand', verb: dice.pick(verbs), slot, alias: dice.oneIn(6) ? 'bob' : 'alice', by };
}

/** While a run waits for an answer, for a window, or for lists that lag. */
const SECONDS = [1, 8, 30, 70] as const;
const drawKill = (dice: Dice): Cut => ({ at: 'second', nth: dice.pick(SECONDS), how: 'killed' });

function drawCut(dice: Dice): Cut {
  const nth = dice.int(1, 9);
  return dice.weighted<Cut>([
    [2, { at: 'request', nth, how: 'killed before' }],
    [4, { at: 'request', nth, how: 'killed after' }],
    [1, { at: 'request', nth, how: 'interrupted' }],
    [2, { at: 'request', nth, how: 'frozen', sec: dice.pick([5, 40, 80, 200]) }],
    [2, { at: 'write', nth: dice.int(1, 5), how: 'killed before' }],
    [2, { at: 'write', nth: dice.int(1, 5), how: 'killed within' }],
    [1, { at: 'write', nth: dice.int(1, 5), how: 'disk full' }],
    [1, { at: 'write', nth: dice.int(1, 5), how: 'unreachable' }],
    [1, drawKill(dice)],
  ]);
}

/** A create, or a start of what was stopped, that may take effect for long. */
function drawOpenStart(dice: Dice, slot: Slot, isNew: boolean): FaultInput {
  const operation = `${kindOfSlot(slot)}s.${isNew ? 'create' : 'set-status'}` as const;
  const [nth, sec] = [1, dice.int(5, 60)];
  return dice.pick<FaultInput>([
    { operation, nth, kind: 'slow', when: 'before_commit', delay_ms: sec * 1000 },
    { operation, nth, kind: 'late_commit', how: 'reset', after_sec: sec },
    { operation, nth, times: 9, kind: 'broken_answer', when: 'after_commit', how: '502' },
  ]);
}

/** Ways to lose an answer. No service says 2xx before it has carried out the request. */
const LOST_BEFORE = ['timeout', 'reset', '500', '502'] as const;
const UNSENT = ['connect ECONNREFUSED', 'write EPIPE', 'read ECONNRESET'] as const;
const LOST_LATE = ['reset', '502', 'timeout'] as const;
const LOST_AFTER = [...LOST_BEFORE, 'truncated', 'unreadable'] as const;

/** One fault of the service or the connection, inside the assumptions A1 and A2. */
export function drawFault(dice: Dice, slots: readonly Slot[]): FaultInput {
  const kind = kindOfSlot(dice.pick(slots));
  const create = `${kind}s.create` as const;
  const status = dice.oneIn(4) ? (`${kind}s.unsend` as const) : (`${kind}s.set-status` as const);
  const list = `${kind}s.list` as const;
  const read = dice.oneIn(2) ? list : (`${kind}s.get` as const);
  const operation = dice.oneIn(2) ? create : status;
  const selected = { nth: dice.pick([1, 1, 1, 2]), times: dice.pick([1, 1, 2, 3, 9]) };
  const write = { ...selected, operation };
  const reading = { ...selected, operation: read };
  const throttle = { ...selected, operation: dice.pick([operation, read]), kind: 'throttle' } as const;
  const lag = { lag_sec: dice.int(1, 10), reads: dice.oneIn(2) };
  return dice.weighted<FaultInput>([
    [4, { ...write, kind: 'broken_answer', when: 'before_commit', how: dice.pick(LOST_BEFORE) }],
    [5, { ...write, kind: 'broken_answer', when: 'after_commit', how: dice.pick(LOST_AFTER) }],
    [6, { ...write, kind: 'late_commit', how: dice.pick(LOST_LATE), after_sec: dice.int(1, 64) }],
    [1, { ...write, kind: 'broken_answer', when: 'before_commit', how: dice.pick(UNSENT) }],
    [1, throttle],
    [1, { ...throttle, retry_after_sec: 20 }],
    [2, { ...write, kind: 'slow', when: 'before_commit', delay_ms: dice.int(1, 60) * 1000 }],
    [1, { ...write, kind: 'slow', delay_ms: dice.int(1, 60) * 1000 }],
    [2, { ...selected, operation: 'campaigns.set-status', kind: 'partial_commit' }],
    [3, { ...selected, ...lag, operation: create, kind: 'lag' }],
    [3, { ...selected, ...lag, operation: status, kind: 'lag' }],
    [2, { ...reading, kind: 'broken_answer', when: 'after_commit', how: dice.pick(LOST_AFTER) }],
    [1, { ...selected, operation: list, kind: dice.pick(['empty_page', 'repeated_page']) }],
  ]);
}
