import fc from 'fast-check';
import type { Operation } from '../../src/api/catalogue.ts';
import type { FaultInput } from '../../src/simulator/fault-shape.ts';

export interface DrawnFault {
  /** The row of the table that it counts for. */
  readonly name: string;
  readonly fault: FaultInput;
}

const BREAKAGES = ['timeout', 'reset', '500', '502', 'truncated', 'unreadable'] as const;
const MOMENTS = ['before_commit', 'after_commit'] as const;
const CREATES: readonly Operation[] = ['campaigns.create', 'broadcasts.create'];
const STATUSES: readonly Operation[] = ['campaigns.set-status', 'broadcasts.set-status'];
const UNSENDS: readonly Operation[] = ['campaigns.unsend', 'broadcasts.unsend'];
const LISTS: readonly Operation[] = ['campaigns.list', 'broadcasts.list'];
const READS: readonly Operation[] = ['campaigns.get', 'broadcasts.get'];
const UPLOADS: readonly Operation[] = ['vault.upload-start', 'vault.upload-finish', 'vault.upload-export'];

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

/** Every way to lose an answer. */
function lost(
  what: string,
  operations: readonly Operation[],
  isReal: (how: string, when: string) => boolean = () => true,
): fc.Arbitrary<DrawnFault>[] {
  return BREAKAGES.flatMap((how) =>
    MOMENTS.filter((when) => isReal(how, when)).map((when) =>
      drawn(`${what}, ${how} ${when}`, operations, (operation, selected) => ({
        kind: 'broken_answer',
        how,
        when,
        operation,
        ...selected,
      })),
    ),
  );
}

function late(
  name: string,
  operations: readonly Operation[],
  how: 'reset' | '502',
  [min, max]: readonly [number, number],
): fc.Arbitrary<DrawnFault> {
  return drawn(
    name,
    operations,
    (operation, selected, after_sec) => ({ kind: 'late_commit', how, after_sec, operation, ...selected }),
    fc.integer({ min, max }),
  );
}

/** A heard 2xx means that a status change was carried out: no service says so before it is. */
const HEARD: readonly string[] = ['truncated', 'unreadable'];
const isCarriedOut = (how: string, when: string) => when === 'after_commit' || !HEARD.includes(how);

const WRITES = [...CREATES, ...STATUSES, ...UNSENDS, ...UPLOADS];

const ON_THE_WAY = [
  drawn('status, half done', ['campaigns.set-status'], (operation, selected) => ({
    kind: 'partial_commit',
    operation,
    ...selected,
  })),
  drawn(
    'slow answer',
    WRITES,
    (operation, selected, sec) => ({ kind: 'slow', delay_ms: sec * 1000, operation, ...selected }),
    fc.integer({ min: 1, max: 60 }),
  ),
  drawn('throttle', [...WRITES, ...LISTS], (operation, selected) => ({
    kind: 'throttle',
    operation,
    ...selected,
  })),
  drawn(
    'throttle with Retry-After',
    WRITES,
    (operation, selected, retry_after_sec) => ({ kind: 'throttle', retry_after_sec, operation, ...selected }),
    fc.constantFrom(1, 20, 200),
  ),
  drawn('connection refused', [...WRITES, ...LISTS], (operation, selected) => ({
    kind: 'connection_refused',
    operation,
    ...selected,
  })),
  drawn('read back, 502', READS, (operation, selected) => ({
    kind: 'broken_answer',
    how: '502',
    when: 'after_commit',
    operation,
    ...selected,
  })),
];

/** More answers in a row than one run asks for. */
const failsForGood: Parameters<typeof drawn>[2] = (operation, { nth }) => ({
  kind: 'broken_answer',
  how: '500',
  when: 'after_commit',
  operation,
  nth,
  times: 6,
});

const ON_LISTS = [
  drawn('list, 502', LISTS, (operation, selected) => ({
    kind: 'broken_answer',
    how: '502',
    when: 'after_commit',
    operation,
    ...selected,
  })),
  drawn('list, fails for good', LISTS, failsForGood),
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

const STORAGE = [
  'reset',
  'stall',
  'lost_answer',
  'unavailable',
  'refused',
  'missing_etag',
  'expired',
  'redirect',
] as const;

function onStore(how: (typeof STORAGE)[number]): fc.Arbitrary<DrawnFault> {
  const name = `put, ${how}`;
  FAULT_NAMES.add(name);
  return selection.map((selected) => ({ name, fault: { kind: 'storage', how, ...selected } }));
}

const ON_VAULTS = [
  ...lost('upload', UPLOADS),
  late('upload, late inside the window', UPLOADS, 'reset', [1, 70]),
  drawn('uploads list, fails for good', ['vault.uploads'], failsForGood),
  ...STORAGE.map(onStore),
];

/** A create waits for longer than what it goes by is good for. */
export function longWait(kind: 'campaign' | 'broadcast'): DrawnFault {
  const operation = `${kind}s.create` as const;
  return { name: LONG_WAIT, fault: { kind: 'throttle', retry_after_sec: 20, operation, nth: 1, times: 1 } };
}

const LONG_WAIT = 'create waits, and a person acts';
FAULT_NAMES.add(LONG_WAIT);

/** One fault of each group is about as likely as one of another, whatever their sizes. */
export const aFault = fc.oneof(
  fc.oneof(
    ...lost('create', CREATES),
    late('create, late inside the window', CREATES, 'reset', [1, 70]),
    late('create, late beyond the window', CREATES, '502', [76, 120]),
  ),
  fc.oneof(
    ...lost('status', STATUSES, isCarriedOut),
    late('status, late inside the window', STATUSES, 'reset', [1, 70]),
  ),
  fc.oneof(...ON_THE_WAY, ...ON_LISTS),
);

/** What only matters where files are shown. */
export const aVaultFault = fc.oneof(...ON_VAULTS);

/** What only matters where messages are recalled: rare, so all ways to lose an answer share two rows. */
export const aRecallFault = fc.oneof(
  ...MOMENTS.map((when) =>
    drawn(
      `unsend, lost ${when}`,
      UNSENDS,
      (operation, selected, place) => ({
        kind: 'broken_answer',
        how: BREAKAGES[place] ?? 'reset',
        when,
        operation,
        ...selected,
      }),
      fc.nat({ max: when === 'after_commit' ? BREAKAGES.length - 1 : BREAKAGES.length - 1 - HEARD.length }),
    ),
  ),
  late('unsend, late inside the window', UNSENDS, 'reset', [1, 70]),
);
