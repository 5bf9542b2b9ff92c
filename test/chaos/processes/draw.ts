import type { FaultInput } from '../../../src/simulator/fault-shape.ts';
import { Dice } from '../dice.ts';
import {
  RESOURCES,
  type Accident,
  type Machine,
  type ProcessScenario,
  type Round,
  type StateKind,
} from './shape.ts';

interface Drawing {
  readonly seed: number;
  readonly processes: number;
  readonly state: StateKind;
  readonly hasPooler: boolean;
}

const DAY_SEC = 86_400;
const ROUNDS = 2;

/** The scenario of a seed. The operating system decides what runs first, so one seed may end in several ways. */
export function drawScenario({ seed, processes, state, hasPooler }: Drawing): ProcessScenario {
  const dice = new Dice(seed);
  const ways = ['direct', 'proxy', 'proxy', ...(hasPooler ? (['pooler', 'pooler'] as const) : [])] as const;
  const machines = Array.from({ length: processes }, (): Machine => ({
    clockSec: dice.oneIn(2) ? 0 : dice.int(-DAY_SEC, DAY_SEC),
    way: dice.pick(ways),
  }));
  const rounds: Round[] = [];
  for (let round = 1; round <= ROUNDS; round += 1)
    rounds.push(aRound(dice, { round, processes, state, before: rounds.at(-1)?.versions ?? {} }));
  return { seed, state, machines, rounds };
}

interface Drawn {
  readonly round: number;
  readonly processes: number;
  readonly state: StateKind;
  readonly before: Round['versions'];
}

function aRound(dice: Dice, { round, processes, state, before }: Drawn): Round {
  const versions = RESOURCES.map(({ name, kind }) => {
    const last = before[name];
    const words = last === undefined || dice.oneIn(2) ? round : last.words;
    return [name, { words, isPaused: kind === 'campaign' && round > 1 && dice.oneIn(4) }] as const;
  });
  return {
    versions: Object.fromEntries(versions),
    faults: dice.some(0, 2, () => aFault(dice)),
    starts: Array.from({ length: processes }, () => ({
      afterMs: dice.int(0, 1_500),
      lockTimeoutSec: dice.pick([0, 5, 30]),
    })),
    accidents: dice.some(1, 3, () => anAccident(dice, state)),
  };
}

/** Faults of the service are over within the window of the workspace. */
function aFault(dice: Dice): FaultInput {
  const operation = dice.pick([
    'campaigns.create',
    'campaigns.create',
    'broadcasts.create',
    'campaigns.set-status',
  ] as const);
  const nth = dice.int(1, 2);
  return dice.weighted<FaultInput>([
    [3, { kind: 'slow', operation, nth, delay_ms: dice.int(200, 1_500) }],
    [2, { kind: 'broken_answer', operation, nth, when: 'after_commit', how: 'reset' }],
    [1, { kind: 'broken_answer', operation, nth, when: 'before_commit', how: 'reset' }],
    [2, { kind: 'late_commit', operation, nth, how: 'reset', after_sec: dice.int(1, 2) }],
  ]);
}

/** Shorter pauses than this are covered by the window; longer ones than the other end what was about to leave. */
const SHORT_PAUSE_MS = 2_000;
const LONG_PAUSE_MS = 5_500;

function anAccident(dice: Dice, state: StateKind): Accident {
  const pause = {
    kind: 'pause',
    ms: dice.oneIn(2) ? dice.int(200, SHORT_PAUSE_MS) : dice.int(LONG_PAUSE_MS, LONG_PAUSE_MS + 1_000),
    endsLease: state === 'postgres',
  } as const;
  const what = dice.weighted<Accident['what']>([
    [3, { kind: 'kill' }],
    [3, pause],
    ...(state === 'file'
      ? []
      : ([
          [1, { kind: 'restart' }],
          [2, { kind: 'sever' }],
        ] as const)),
  ]);
  const request = dice.pick(['any', 'write', 'write'] as const);
  return {
    at: { request, nth: dice.int(1, request === 'any' ? 20 : 4) },
    afterMs: dice.pick([0, 0, 5, 20, 100, 400]),
    what,
  };
}
