import fc from 'fast-check';
import type { ModeChanges } from '../../src/simulator/modes.ts';
import { aFault, aRecallFault, aVaultFault, longWait, type DrawnFault } from './fault-rows.ts';

/** What may be declared on each account; the first two nearly always are. */
export const SLOTS = [
  { name: 'Welcome', kind: 'campaign', runs: 'active' },
  { name: 'Teaser', kind: 'broadcast', runs: 'scheduled' },
  { name: 'Second', kind: 'campaign', runs: 'active' },
  { name: 'Reminder', kind: 'broadcast', runs: 'scheduled' },
] as const;

/** How a run is cut short at its nth write. */
export interface Cut {
  readonly atWrite: number;
  /**
   * It dies before the service has carried the request out, or after; or right before its nth line of the ledger, or in
   * the middle of that line; or it hears a Ctrl-C.
   */
  readonly how: 'before_commit' | 'after_commit' | 'before_line' | 'within_line' | 'interrupt';
}

/** One resource as one version of the files declares it. */
export interface SlotVersion {
  /** Null where the files do not have it. */
  readonly target: 'runs' | 'paused' | 'archived' | 'recalled' | null;
  /** Whether its text differs from the version before. */
  readonly newWords: boolean;
  readonly protect: boolean;
  /** Which of the files it shows. */
  readonly file: 0 | 1 | null;
  readonly replace: 'pause_first' | 'create_first';
  readonly clears: boolean;
}

/** What people and misfortune do before a version is applied. */
export type Before =
  | { readonly kind: 'nothing' | 'lost ledger' }
  /** With Herald, or in the service itself. */
  | {
      readonly kind: 'by hand' | 'outside';
      readonly slot: number;
      readonly stop: 'pause' | 'archive' | 'start' | 'unsend';
      readonly cut: Cut | null;
    };

/** What a person does in the service while a run is under way, just before it is shown a list. */
export interface Meanwhile {
  /** At which look at the list of the slot's kind at the earliest. */
  readonly atLook: number;
  readonly slot: number;
  readonly deed: 'pause' | 'archive' | 'start' | 'recall';
}

/** How one apply of a version is asked for. */
export interface Asked {
  readonly cut: Cut | null;
  readonly meanwhile: Meanwhile | null;
  /** Place in `TARGETINGS`. */
  readonly targeting: number;
  /** Planned first, and applied from the file. */
  readonly saved: boolean;
}

export interface Version {
  readonly slots: readonly SlotVersion[];
  /** Which bytes stand in each of the two files. */
  readonly bytes: readonly [number, number];
  readonly prune: boolean;
  readonly before: Before;
  readonly faults: readonly DrawnFault[];
  /** One run for each, then one of everything that is not cut short. */
  readonly runs: readonly Asked[];
  /** In that last one. */
  readonly meanwhile: Meanwhile | null;
  /** Seconds between two runs. */
  readonly pauseSec: number;
  /** Days that go by before it. */
  readonly restDays: number;
}

/** A whole run of the chaos: everything in it is drawn, nothing is left to chance afterwards. */
export interface Scenario {
  readonly worldSeed: number;
  readonly modes: ModeChanges;
  readonly accounts: 1 | 2;
  /** People with a workspace and a ledger each, who apply the same files at the same moment. */
  readonly operators: 1 | 2;
  /** Minutes after noon at which it begins; beyond none, the teaser's hour comes in the middle of it. */
  readonly startMin: number;
  /** More objects than a page of a list holds. */
  readonly crowded: boolean;
  readonly versions: readonly Version[];
}

/** What a run may be about, as its flags, and whether they cover an address. */
export const TARGETINGS: readonly {
  readonly flags: readonly string[];
  readonly covers: (account: string, kind: string, name: string) => boolean;
}[] = [
  { flags: [], covers: () => true },
  { flags: ['--target', 'alice'], covers: (account) => account === 'alice' },
  { flags: ['--target', '*/campaign'], covers: (_, kind) => kind === 'campaign' },
  { flags: ['--target', '*/*/Te*'], covers: (_account, _kind, name) => name.startsWith('Te') },
  {
    flags: ['--exclude', '*/campaign/We*'],
    covers: (_, kind, name) => !(kind === 'campaign' && name.startsWith('We')),
  },
];

const aCut: fc.Arbitrary<Cut> = fc.record({
  atWrite: fc.constantFrom(1, 1, 2, 3, 4),
  how: fc.constantFrom(
    'before_commit',
    'before_commit',
    'after_commit',
    'after_commit',
    'before_line',
    'within_line',
    'interrupt',
    'interrupt',
  ),
});

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.oneof(fc.constant(null), value);
/** True once in as many. */
const oneIn = (count: number) => fc.integer({ min: 1, max: count }).map((drawn) => drawn === 1);

function aSlot(slot: (typeof SLOTS)[number], isExtra: boolean): fc.Arbitrary<SlotVersion> {
  const stopped = slot.kind === 'campaign' ? (['paused', 'archived'] as const) : (['paused'] as const);
  return fc.record({
    target: fc.oneof(
      { weight: 12, arbitrary: fc.constant('runs' as const) },
      { weight: 3, arbitrary: fc.constantFrom(...stopped) },
      { weight: 2, arbitrary: fc.constant('recalled' as const) },
      { weight: isExtra ? 12 : 1, arbitrary: fc.constant(null) },
    ),
    newWords: fc.constantFrom(true, true, true, false),
    protect: oneIn(9),
    file: fc.constantFrom(null, null, null, 0 as const, 1 as const),
    replace: fc.constantFrom('pause_first', 'pause_first', 'pause_first', 'create_first'),
    clears: oneIn(4),
  });
}

const aBefore: fc.Arbitrary<Before> = fc.oneof(
  { weight: 9, arbitrary: fc.constant({ kind: 'nothing' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'lost ledger' as const }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('by hand', 'by hand', 'outside'),
      slot: fc.constantFrom(0, 0, 0, 1, 1, 2, 3),
      stop: fc.constantFrom('pause', 'pause', 'archive', 'start', 'start', 'unsend'),
      cut: maybe(aCut),
    }),
  },
);

const aMeanwhile: fc.Arbitrary<Meanwhile> = fc.record({
  // The plan's, the one before the creates, and those of a create that waits.
  atLook: fc.constantFrom(2, 2, 3, 3, 3, 4),
  slot: fc.constantFrom(0, 0, 1, 1, 2, 3),
  deed: fc.constantFrom('pause', 'archive', 'start', 'start', 'recall'),
});

const maybeMeanwhile = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: aMeanwhile },
);

const aRun: fc.Arbitrary<Asked> = fc.record({
  cut: maybe(aCut),
  meanwhile: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: aMeanwhile }),
  targeting: fc.constantFrom(0, 0, 0, 0, 1, 2, 3, 4),
  saved: oneIn(8),
});

const [welcome, teaser, second, reminder] = SLOTS;

const aVersion: fc.Arbitrary<Version> = fc
  .record({
    slots: fc.tuple(aSlot(welcome, false), aSlot(teaser, false), aSlot(second, true), aSlot(reminder, true)),
    bytes: fc.constantFrom<[number, number]>([1, 2], [1, 2], [2, 1], [1, 1], [3, 2]),
    prune: oneIn(2),
    before: aBefore,
    faults: fc.array(aFault, { minLength: 1, maxLength: 5 }),
    vaultFaults: fc.array(aVaultFault, { maxLength: 4 }),
    recallFaults: fc.array(aRecallFault, { maxLength: 3 }),
    runs: fc.array(aRun, { maxLength: 2 }),
    meanwhile: maybeMeanwhile,
    pauseSec: fc.constantFrom(0, 0, 10, 80),
    restDays: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 6, 8),
  })
  .map(({ vaultFaults, recallFaults, ...version }) => {
    // Files that declare nothing at all are an error.
    if (version.slots.every(({ target }) => target === null))
      version.slots[0] = { ...version.slots[0], target: 'runs' };
    const shows = version.slots.some(({ target, file }) => target === 'runs' && file !== null);
    const recalls = version.slots.some(({ target }) => target === 'recalled');
    const waits = [...version.runs, version].flatMap(({ meanwhile }) =>
      meanwhile === null ? [] : [longWait(SLOTS[meanwhile.slot]?.kind ?? 'campaign')],
    );
    const faults = [
      ...waits,
      ...version.faults,
      ...(shows ? vaultFaults : []),
      ...(recalls ? recallFaults : []),
    ];
    return { ...version, faults };
  });

const someModes: fc.Arbitrary<ModeChanges> = fc.record({
  campaignOrder: fc.constantFrom('stable', 'reshuffled'),
  retryAfter: fc.constantFrom('none', 'seconds', 'date'),
  resumeOfRunning: fc.constantFrom('refuse', 'accept'),
  archivedToActive: fc.constantFrom('allow', 'allow', 'refuse'),
  errorBody: fc.constantFrom('flat', 'nested', 'text', 'html'),
  uploadShape: fc.constantFrom('single', 'multipart', 'random'),
  uploadPartBytes: fc.constant(1500),
  multipartKeys: fc.constant('present'),
  unfinishedUploads: fc.constantFrom('listed', 'lapsed', 'hidden'),
  etagQuotes: fc.boolean(),
});

const anyScenario: fc.Arbitrary<Scenario> = fc.record({
  worldSeed: fc.integer({ min: 1, max: 1_000_000 }),
  modes: someModes,
  accounts: fc.constantFrom(1, 1, 2),
  operators: fc.constantFrom(1, 1, 1, 1, 1, 2),
  startMin: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 42, max: 59 }) },
  ),
  crowded: fc.constantFrom(false, false, false, true),
  versions: fc.array(aVersion, { minLength: 2, maxLength: 3 }),
});

/** What the document makes impossible is not asked for. */
export const aScenario: fc.Arbitrary<Scenario> = anyScenario.map((scenario) => ({
  ...scenario,
  versions: scenario.versions.map((version, place) => ({
    ...version,
    ...(place < scenario.versions.length - 1 ? {} : undoable(version)),
    // What is protected is known to one ledger only, and operators have one each.
    slots: version.slots.map((slot): SlotVersion => ({
      ...slot,
      protect: slot.protect && scenario.operators === 1,
    })),
  })),
}));

/** What is recalled needs another name in a later version to go out again. */
function undoable({ runs, meanwhile }: Version): Pick<Version, 'runs' | 'meanwhile'> {
  const instead = (one: Meanwhile | null): Meanwhile | null =>
    one?.deed === 'recall' ? { ...one, deed: 'pause' } : one;
  return {
    runs: runs.map((asked) => ({ ...asked, meanwhile: instead(asked.meanwhile) })),
    meanwhile: instead(meanwhile),
  };
}

/** The scenario that a seed stands for. */
export function scenarioOf(seed: number): Scenario {
  const [scenario] = fc.sample(aScenario, { seed, numRuns: 1 });
  if (scenario === undefined) throw new Error('fast-check drew nothing');
  return scenario;
}
