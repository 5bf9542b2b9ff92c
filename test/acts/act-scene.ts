import { EXIT, type ExitCode } from '../../src/domain/exit-codes.ts';
import { HeraldError } from '../../src/domain/herald-error.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ServiceError } from '../../src/api/errors.ts';
import { ApiKey } from '../../src/api/key.ts';
import { Limiter } from '../../src/api/limiter.ts';
import type { PutBytes } from '../../src/domain/ports.ts';
import type { Run, RunEvent } from '../../src/engine/run.ts';
import type { Control } from '../../src/simulator/control.ts';
import type { FaultInput } from '../../src/simulator/fault-shape.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { putInProcess } from '../../src/simulator/uploads.ts';
import { createWorld, type WorldOptions } from '../../src/simulator/world.ts';
import type { RequestRow } from '../../src/state/shapes.ts';
import { State } from '../../src/state/state.ts';
import { aScene } from '../api/client-scene.ts';
import { flowClock, type FlowClock } from '../helpers/flow-clock.ts';
import { memoryBytes } from '../helpers/memory-bytes.ts';
import { folderInMemory } from '../helpers/memory-folder.ts';
import { NOON } from '../helpers/scene.ts';

export const ALICE = { alias: 'alice', accountId: '101' } as const;

/** When a process is killed: its request is on record and has not left, was answered and has no end on record, or has one. */
type KillAt = 'begun' | 'answered' | 'recorded';

export interface RunOptions {
  readonly killAt?: KillAt;
  /** By how much the wall clock of this machine is ahead. */
  readonly aheadMs?: number;
  /** Before the act begins. */
  readonly isInterrupted?: boolean;
  /** Called with each event of the run, to interrupt it. */
  readonly onEvent?: (event: RunEvent, interrupt: () => void) => void;
}

/** A simulator and a real state file, in virtual time. Each `act` is a process of its own with the lease. */
export interface ActScene {
  readonly clock: FlowClock;
  readonly control: Control;
  readonly bytes: ReturnType<typeof memoryBytes>;
  readonly putBytes: PutBytes;
  act<Result>(work: (run: Run) => Promise<Result>, options?: RunOptions): Promise<Result>;
  /** The requests on record, oldest first. */
  requests(): Promise<readonly RequestRow[]>;
  /** How many requests of an operation the service answered or lost, without those that it refused for their rate. */
  count(operation: string): number;
}

export function actScene(options: WorldOptions = {}): ActScene {
  const clock = flowClock(NOON);
  const world = createWorld(options);
  const simulator = createSimulator(world, { clock });
  const directory = mkdtempSync(join(folderInMemory(), 'herald-acts-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  let runs = 0;
  const stateOptions = () => ({
    location: { kind: 'sqlite', directory } as const,
    clock,
    run: `run${(runs += 1)}`,
    who: 'tester',
    holder: 'the test',
    service: () => 'live',
  });
  const service = {
    baseUrl: 'http://simulator.invalid',
    key: new ApiKey('sim-key'),
    rates: new Limiter(clock, 1),
  };
  return {
    clock,
    control: simulator.control,
    bytes: memoryBytes(),
    putBytes: putInProcess((request) => simulator.store(request)),
    act: async (work, { killAt, isInterrupted = false, onEvent, aheadMs = 0 } = {}) => {
      const own = { ...clock, now: () => clock.now() + aheadMs };
      const state = await State.take(stateOptions(), 0);
      const interrupt = new AbortController();
      const stop = () => interrupt.abort(new Error('interrupted'));
      if (isInterrupted) stop();
      try {
        return await work({
          client: aScene(simulator.fetch, { ...service, clock: own }).client,
          state: killAt === undefined ? state : killed(state, killAt),
          clock: own,
          command: 'test',
          settleMs: 75_000,
          interrupted: interrupt.signal,
          report: (event) => onEvent?.(event, stop),
        });
      } finally {
        await state.close();
      }
    },
    requests: async () => {
      const state = await State.join(stateOptions());
      try {
        return (await state.history({ limit: 100 })).toReversed();
      } finally {
        await state.close();
      }
    },
    count: (operation) =>
      simulator.control
        .oracle()
        .requests.filter((request) => request.operation === operation && request.status !== 429).length,
  };
}

const KILLED = new Error('killed');

/** A state that does otherwise in one place. */
function altered<Some extends object>(state: Some, own: Partial<Some>): Some {
  return new Proxy(state, {
    get: (target, name) => {
      const found: unknown = Reflect.get(Object.hasOwn(own, name) ? own : target, name);
      return typeof found === 'function' ? found.bind(target) : found;
    },
  });
}

/** A state that cannot record the begin or the end of a request, as with a full disk. */
export function fullDisk(run: Run, name: 'begin' | 'end'): Run {
  const full = () => Promise.reject(new HeraldError('state-failed', 'the disk is full', ''));
  return { ...run, state: altered(run.state, { [name]: full }) };
}

/** The state of a process that is killed: it does nothing more from then on. */
function killed(state: State, at: KillAt): State {
  const kill = () => Promise.reject(KILLED);
  if (at === 'recorded') return altered(state, { end: (...args) => state.end(...args).then(kill) });
  if (at === 'answered') return altered(state, { end: kill });
  return altered(state, { begin: (...args) => state.begin(...args).then(kill) });
}

function endName(exit: ExitCode): string {
  return Object.entries(EXIT).find(([, code]) => code === exit)?.[0] ?? '';
}

/** How an act ended, in a word: the kind of its result, or the code of its error. */
export async function summarise(work: Promise<{ readonly kind: string }>): Promise<string> {
  try {
    return (await work).kind;
  } catch (error) {
    if (error instanceof ServiceError) return `service-error ${error.problem.status}`;
    if (error instanceof HeraldError) return `${endName(error.exit)} ${error.code}`;
    if (error === KILLED) return 'killed';
    throw error;
  }
}

/** `done`, `open` and so on, for each request on record; with `*` if a copy without an answer may still take effect. */
export async function outcomes(scene: ActScene): Promise<string> {
  const rows = await scene.requests();
  return rows.map((row) => `${row.outcome ?? 'open'}${row.unheard_copy === 1 ? '*' : ''}`).join(', ');
}

const broken =
  (when: 'before_commit' | 'after_commit', how: 'reset' | '502' | 'connect ECONNREFUSED') =>
  (operation: FaultInput['operation']): FaultInput => ({
    kind: 'broken_answer',
    when,
    how,
    nth: 1,
    operation,
  });

/** The ways in which an answer goes missing, for any call. */
export const lost = {
  before: broken('before_commit', 'reset'),
  after: broken('after_commit', '502'),
  refusedConnection: broken('before_commit', 'connect ECONNREFUSED'),
  late: (operation: FaultInput['operation']): FaultInput => ({
    kind: 'late_commit',
    after_sec: 60,
    how: 'reset',
    nth: 1,
    operation,
  }),
  throttled: (operation: FaultInput['operation']): FaultInput => ({
    kind: 'throttle',
    nth: 1,
    times: 2,
    operation,
  }),
};
