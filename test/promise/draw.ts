import type { FaultInput } from '../../src/simulator/fault-shape.ts';
import { Dice } from './dice.ts';
import {
  LOOKS,
  SLOTS,
  VERBS,
  type Allow,
  type Command,
  type Cut,
  type Deed,
  type Edit,
  type Run,
  type Scenario,
  type Slot,
  type Step,
} from './scenario.ts';

/** The scenario of a seed. */
export function drawScenario(seed: number): Scenario {
  const dice = new Dice(seed);
  const wrongClock = dice.weighted<'none' | 'machine' | 'service'>([
    [7, 'none'],
    [2, 'machine'],
    [1, 'service'],
  ]);
  const wrongSec = dice.pick([-7200, -600, -90, 90, 600, 7200]);
  const slots = dice.some(1, 3, () => dice.pick(SLOTS));
  const first = [...new Set(slots)].map((slot): Edit => ({
    slot,
    does: 'write',
    hoursAhead: dice.pick([1, 2, 4, 30]),
    both: dice.oneIn(4),
  }));
  return {
    seed,
    startMin: dice.pick([0, 20, 50, 53]),
    clocksSec: [wrongClock === 'machine' ? wrongSec : 0, 0],
    serviceClockSec: wrongClock === 'service' ? wrongSec : 0,
    crowded: dice.oneIn(15),
    steps: [{ kind: 'edit', edits: first }, ...dice.some(3, 7, () => drawStep(dice, slots))],
  };
}

function drawStep(dice: Dice, slots: readonly Slot[]): Step {
  const what = dice.weighted<Step['kind']>([
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
        faults: dice.some(0, 3, () => drawFault(dice)),
      };
  }
}

function drawEdit(dice: Dice, slots: readonly Slot[]): Edit {
  const slot = dice.oneIn(6) ? dice.pick(SLOTS) : dice.pick(slots);
  return dice.weighted<Edit>([
    [6, { slot, does: 'reword' }],
    [5, { slot, does: 'set', status: dice.pick(['runs', 'runs', 'paused', 'archived', 'recalled']) }],
    [3, { slot, does: 'write', hoursAhead: dice.pick([1, 2, 30]), both: dice.oneIn(2) }],
    [2, { slot, does: 'move', hours: dice.pick([1, 2, 24]) }],
    [1, { slot, does: 'rename' }],
    [1, { slot, does: 'delete' }],
  ]);
}

function drawDeed(dice: Dice, slots: readonly Slot[]): Deed {
  return {
    person: dice.pick(['pauses', 'pauses', 'starts', 'archives', 'recalls', 'rewords', 'copies']),
    slot: dice.pick(slots),
    alias: dice.oneIn(5) ? 'bob' : 'alice',
    oldest: dice.oneIn(3),
  };
}

function drawRun(dice: Dice, slots: readonly Slot[], operator: number): Run {
  return {
    operator: operator === 1 || dice.oneIn(3) ? 1 : 0,
    afterSec: operator === 0 ? 0 : dice.pick([0, 1, 3, 10, 40, 90]),
    command: drawCommand(dice, slots),
    cut: dice.oneIn(4) ? drawCut(dice) : null,
    meanwhile: dice.oneIn(6) ? [{ nth: dice.int(1, 8), deed: drawDeed(dice, slots) }] : [],
  };
}

function drawCommand(dice: Dice, slots: readonly Slot[]): Command {
  const allow: readonly Allow[] = dice.oneIn(3)
    ? dice.some(1, 2, () => dice.pick(['resume', 'recall', 'adopt', 'prune', 'large']))
    : [];
  return dice.weighted<Command>([
    [12, { kind: 'apply', allow, target: dice.oneIn(8) ? dice.pick(slots) : null }],
    [
      2,
      {
        kind: 'saved',
        allow,
        between: dice.some(0, 1, () => (dice.oneIn(2) ? drawEdit(dice, slots) : drawDeed(dice, slots))),
      },
    ],
    [3, { kind: 'look', at: dice.pick(LOOKS) }],
    [
      4,
      {
        kind: 'hand',
        verb: dice.pick(['pause', 'pause', 'pause', ...VERBS]),
        slot: dice.pick(slots),
        alias: dice.oneIn(5) ? 'bob' : 'alice',
      },
    ],
  ]);
}

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
  ]);
}

const CREATES = ['campaigns.create', 'broadcasts.create'] as const;
const STATUSES = ['campaigns.set-status', 'broadcasts.set-status'] as const;
const RECALLS = ['campaigns.unsend', 'broadcasts.unsend'] as const;
const LISTS = ['campaigns.list', 'broadcasts.list'] as const;
const READS = ['campaigns.get', 'broadcasts.get'] as const;
const WRITES = [...CREATES, ...CREATES, ...STATUSES, ...RECALLS] as const;
const ANY = [...WRITES, ...LISTS, ...READS] as const;

/** Ways to lose an answer. No service says 2xx before it has carried out the request. */
const LOST_BEFORE = ['timeout', 'reset', '500', '502'] as const;
const LOST_AFTER = [...LOST_BEFORE, 'truncated', 'unreadable'] as const;

/** One fault of the service or the connection, inside the assumptions A1 and A2. */
function drawFault(dice: Dice): FaultInput {
  const selected = { nth: dice.pick([1, 1, 1, 2]), times: dice.pick([1, 1, 2]) };
  const write = { ...selected, operation: dice.pick(WRITES) };
  const after_sec = dice.int(1, 64);
  return dice.weighted<FaultInput>([
    [3, { ...write, kind: 'broken_answer', when: 'before_commit', how: dice.pick(LOST_BEFORE) }],
    [5, { ...write, kind: 'broken_answer', when: 'after_commit', how: dice.pick(LOST_AFTER) }],
    [6, { ...write, kind: 'late_commit', how: dice.pick(['reset', '502', 'timeout']), after_sec }],
    [1, { ...write, kind: 'connection', moment: dice.pick(['connect', 'before_request', 'within_request']) }],
    [
      2,
      {
        ...selected,
        operation: dice.pick(ANY),
        kind: 'throttle',
        ...(dice.oneIn(2) ? {} : { retry_after_sec: 20 }),
      },
    ],
    [1, { ...write, kind: 'slow', delay_ms: dice.int(1, 60) * 1000 }],
    [2, { ...selected, operation: 'campaigns.set-status', kind: 'partial_commit' }],
    [
      3,
      {
        ...selected,
        operation: dice.pick(CREATES),
        kind: 'list_lag',
        lag_sec: dice.int(1, 10),
        reads: dice.oneIn(2),
      },
    ],
    [
      3,
      {
        ...selected,
        operation: dice.pick([...STATUSES, ...RECALLS]),
        kind: 'status_lag',
        lag_sec: dice.int(1, 10),
        reads: dice.oneIn(2),
      },
    ],
    [
      2,
      {
        ...selected,
        operation: dice.pick([...LISTS, ...READS]),
        kind: 'broken_answer',
        when: 'after_commit',
        how: dice.pick(['reset', '500', '502', 'truncated']),
      },
    ],
    [1, { ...selected, operation: dice.pick(LISTS), kind: dice.pick(['empty_page', 'repeated_page']) }],
  ]);
}
