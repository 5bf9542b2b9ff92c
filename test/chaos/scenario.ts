import fc from 'fast-check';
import type { Operation } from '../../src/api/catalogue.ts';
import type { FaultInput } from '../../src/simulator/fault-shape.ts';

/** Where a process dies: at its nth write, before the service has carried it out or after. */
export interface Kill {
  readonly atWrite: number;
  readonly moment: 'before_commit' | 'after_commit';
}

/** What is declared of each account in one version of the files. */
export interface Version {
  readonly campaign: 'active' | 'paused' | 'archived';
  readonly broadcast: 'scheduled' | 'paused';
  /** Whether the texts differ from the version before. */
  readonly newWords: boolean;
  readonly faults: readonly DrawnFault[];
  /** One run for each entry, killed there where it is not null; then one that is left alone. */
  readonly kills: readonly (Kill | null)[];
  /** Seconds between two runs. */
  readonly pauseSec: number;
}

interface DrawnFault {
  /** The row of the table that it counts for. */
  readonly name: string;
  readonly fault: FaultInput;
}

/** A whole run of the chaos: everything in it is drawn, nothing is left to chance afterwards. */
export interface Scenario {
  readonly worldSeed: number;
  readonly accounts: 1 | 2;
  /** More objects than a page of a list holds. */
  readonly crowded: boolean;
  readonly versions: readonly Version[];
}

const BREAKAGES = ['timeout', 'reset', '500', '502', 'truncated', 'unreadable'] as const;
const MOMENTS = ['before_commit', 'after_commit'] as const;
const CREATES: readonly Operation[] = ['campaigns.create', 'broadcasts.create'];
const STATUSES: readonly Operation[] = ['campaigns.set-status', 'broadcasts.set-status'];
const LISTS: readonly Operation[] = ['campaigns.list', 'broadcasts.list'];

const selection = fc.record({ nth: fc.constantFrom(1, 1, 1, 2), times: fc.constantFrom(1, 1, 2) });
type Selection = { readonly nth: number; readonly times: number };

/** Every row of the table, also those that no scenario has drawn yet. */
export const FAULT_NAMES = new Set<string>();

function drawn(
  name: string,
  operations: readonly Operation[],
  make: (operation: Operation, selected: Selection, sec: number) => FaultInput,
  sec: fc.Arbitrary<number> = fc.constant(0),
): fc.Arbitrary<DrawnFault> {
  FAULT_NAMES.add(name);
  return fc
    .tuple(fc.constantFrom(...operations), selection, sec)
    .map(([operation, selected, seconds]) => ({ name, fault: make(operation, selected, seconds) }));
}

const ON_CREATES = BREAKAGES.flatMap((how) =>
  MOMENTS.map((when) =>
    drawn(`create, ${how} ${when}`, CREATES, (operation, selected) => ({
      kind: 'broken_answer',
      how,
      when,
      operation,
      ...selected,
    })),
  ),
);

/** A heard 2xx means that a status change was carried out: no service says so before it is. */
const HEARD: readonly string[] = ['truncated', 'unreadable'];

const ON_STATUSES = BREAKAGES.flatMap((how) =>
  MOMENTS.filter((when) => when === 'after_commit' || !HEARD.includes(how)).map((when) =>
    drawn(`status, ${how} ${when}`, STATUSES, (operation, selected) => ({
      kind: 'broken_answer',
      how,
      when,
      operation,
      ...selected,
    })),
  ),
);

const OTHERS = [
  drawn(
    'create, late inside the window',
    CREATES,
    (operation, selected, after_sec) => ({
      kind: 'late_commit',
      how: 'reset',
      after_sec,
      operation,
      ...selected,
    }),
    fc.integer({ min: 1, max: 70 }),
  ),
  drawn(
    'create, late beyond the window',
    CREATES,
    (operation, selected, after_sec) => ({
      kind: 'late_commit',
      how: '502',
      after_sec,
      operation,
      ...selected,
    }),
    fc.integer({ min: 76, max: 120 }),
  ),
  drawn(
    'status, late inside the window',
    STATUSES,
    (operation, selected, after_sec) => ({
      kind: 'late_commit',
      how: 'reset',
      after_sec,
      operation,
      ...selected,
    }),
    fc.integer({ min: 1, max: 70 }),
  ),
  drawn('status, half done', ['campaigns.set-status'], (operation, selected) => ({
    kind: 'partial_commit',
    operation,
    ...selected,
  })),
  drawn(
    'slow answer',
    [...CREATES, ...STATUSES],
    (operation, selected, sec) => ({ kind: 'slow', delay_ms: sec * 1000, operation, ...selected }),
    fc.integer({ min: 1, max: 60 }),
  ),
  drawn('throttle', [...CREATES, ...STATUSES, ...LISTS], (operation, selected) => ({
    kind: 'throttle',
    operation,
    ...selected,
  })),
  drawn(
    'throttle with Retry-After',
    [...CREATES, ...STATUSES],
    (operation, selected, retry_after_sec) => ({ kind: 'throttle', retry_after_sec, operation, ...selected }),
    fc.constantFrom(1, 20, 200),
  ),
  drawn('connection refused', [...CREATES, ...STATUSES, ...LISTS], (operation, selected) => ({
    kind: 'connection_refused',
    operation,
    ...selected,
  })),
  drawn('list, 502', LISTS, (operation, selected) => ({
    kind: 'broken_answer',
    how: '502',
    when: 'after_commit',
    operation,
    ...selected,
  })),
  drawn('list, fails for good', LISTS, (operation, { nth }) => ({
    kind: 'broken_answer',
    how: '500',
    when: 'after_commit',
    operation,
    nth,
    times: 6,
  })),
  drawn('list, empty page', LISTS, (operation, selected) => ({ kind: 'empty_page', operation, ...selected })),
  drawn('list, repeated page', LISTS, (operation, selected) => ({
    kind: 'repeated_page',
    operation,
    ...selected,
  })),
  drawn('list, no has_more', LISTS, (operation, selected) => ({
    kind: 'missing_has_more',
    operation,
    ...selected,
  })),
  drawn('list, moves between pages', ['campaigns.list'], (operation, selected) => ({
    kind: 'change_before',
    operation,
    seed: { account_id: '101', kind: 'campaign', set: { name: 'Other', status: 'paused' } },
    ...selected,
  })),
  drawn(
    'list, lags behind a create',
    CREATES,
    (operation, selected, lag_sec) => ({ kind: 'list_lag', lag_sec, operation, ...selected }),
    fc.integer({ min: 1, max: 4 }),
  ),
];

const aFault = fc.oneof(fc.oneof(...ON_CREATES), fc.oneof(...ON_STATUSES), fc.oneof(...OTHERS));

const aKill: fc.Arbitrary<Kill> = fc.record({
  atWrite: fc.constantFrom(1, 1, 2, 3),
  moment: fc.constantFrom(...MOMENTS),
});

const aVersion: fc.Arbitrary<Version> = fc.record({
  campaign: fc.constantFrom('active', 'active', 'active', 'active', 'paused', 'archived'),
  broadcast: fc.constantFrom('scheduled', 'scheduled', 'scheduled', 'scheduled', 'paused'),
  newWords: fc.constantFrom(true, true, true, false),
  faults: fc.array(aFault, { minLength: 1, maxLength: 5 }),
  kills: fc.array(fc.oneof(fc.constant(null), aKill), { maxLength: 2 }),
  pauseSec: fc.constantFrom(0, 0, 10, 80),
});

export const aScenario: fc.Arbitrary<Scenario> = fc.record({
  worldSeed: fc.integer({ min: 1, max: 1_000_000 }),
  accounts: fc.constantFrom(1, 1, 2),
  crowded: fc.constantFrom(false, false, false, true),
  versions: fc.array(aVersion, { minLength: 2, maxLength: 3 }),
});

/** The scenario that a seed stands for. */
export function scenarioOf(seed: number): Scenario {
  const [scenario] = fc.sample(aScenario, { seed, numRuns: 1 });
  if (scenario === undefined) throw new Error('fast-check drew nothing');
  return scenario;
}
